/** Picks the sentences that say most of what a text is about, by its key words and by how early they stand. */
import { contentWords } from "./fold-words.ts";

/** Refers to what stands before it, asks, commands or points at a figure: alone it says little. */
const dependent =
  /^(?:this|these|those|it|they|he|she|such|so|but|and|however|therefore|then|also|here|there|for example|in the next)\b/i;
const pointing = /\b(?:fig(?:ure|\.)|table \d|photos?|pictures?|see (?:page|section|chapter)|page \d)\b/i;

/** To the teacher about the class: useful, but not what is taught. */
const directive =
  /^(?:let|ask|explain|encourage|discuss|remind|tell|help|use|bring|introduce|divide|make sure|take care|allow|give|walk|go through|look|write|draw|copy|think|try|click|the learners|learners|students|you (?:can|could|should|may|will need))\b/i;

/** In the order of the text. */
export function pickSentences(sentences: readonly string[], keyTerms: readonly string[], count: number): string[] {
  const weights = weighTerms(keyTerms);
  return sentences
    .map((sentence, at) => ({ sentence, at, score: scoreSentence(sentence, weights, at, sentences.length) }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence);
}

function weighTerms(keyTerms: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [rank, term] of keyTerms.entries()) {
    for (const word of contentWords(term)) if (!weights.has(word)) weights.set(word, 1 / (1 + rank * 0.3));
  }
  return weights;
}

function scoreSentence(sentence: string, weights: ReadonlyMap<string, number>, at: number, all: number): number {
  const words = sentence.split(" ").length;
  let score = 0;
  for (const word of new Set(contentWords(sentence))) score += weights.get(word) ?? 0;
  score += 0.6 * (1 - at / Math.max(1, all));
  if (dependent.test(sentence)) score -= 0.8;
  if (sentence.endsWith("?") || sentence.endsWith("!")) score -= 1.2;
  if (pointing.test(sentence)) score -= 0.6;
  if (directive.test(sentence)) score -= 0.9;
  if (words < 6) score -= 0.5;
  return words > 35 ? score - (words - 35) * 0.06 : score;
}
