/**
 * Text of made-up words that are as frequent as words are in real text (Zipf's law, without the very frequent ones that
 * full text search leaves out anyway), each topic with words of its own.
 */
import type { Random } from "./random.ts";

const onsets = [
  "b",
  "br",
  "c",
  "d",
  "dr",
  "f",
  "g",
  "gl",
  "h",
  "k",
  "l",
  "m",
  "n",
  "p",
  "pr",
  "r",
  "s",
  "st",
  "t",
  "tr",
  "v",
];
const vowels = ["a", "e", "i", "o", "u", "ea", "ou"];
const codas = ["", "l", "m", "n", "r", "rt", "st", "x"];
const vocabularySize = 20_000;
/** How flat the top of the distribution is: the most frequent word is then in about every second passage. */
const flatness = 50;
const topicWords = 40;
const shareOfTopic = 0.15;
const wordsPerSentence = 14;

export interface TextSource {
  /** A passage on a topic. */
  write(random: Random, topic: number, words: number): string;
  /** What someone looks for: some words, half of them of a topic. */
  ask(random: Random, topic: number): string;
}

export function openTextSource(random: Random): TextSource {
  const pick = (parts: readonly string[]) => parts[Math.floor(random.next() * parts.length)] as string;
  const syllable = () => pick(onsets) + pick(vowels) + pick(codas);
  const vocabulary = Array.from(
    { length: vocabularySize },
    () => syllable() + syllable() + (random.next() < 0.5 ? syllable() : ""),
  );
  const logOfRange = Math.log((vocabularySize + flatness) / flatness);
  /** By inverting the distribution: the density at a rank is 1 / (rank + flatness). */
  const word = (source: Random) =>
    vocabulary[
      Math.min(vocabularySize - 1, Math.floor(flatness * (Math.exp(source.next() * logOfRange) - 1)))
    ] as string;
  const topicWord = (source: Random, topic: number) =>
    vocabulary[(topic * 7919 + Math.floor(source.next() * topicWords) * 31) % vocabularySize] as string;

  return {
    write(source, topic, words) {
      const written: string[] = [];
      for (let place = 1; place <= words; place++) {
        const next = source.next() < shareOfTopic ? topicWord(source, topic) : word(source);
        written.push(place % wordsPerSentence === 0 ? `${next}.` : next);
      }
      return written.join(" ");
    },
    ask(source, topic) {
      const count = 2 + Math.floor(source.next() * 5);
      const asked = Array.from({ length: count }, (_, place) =>
        place % 2 === 0 ? topicWord(source, topic) : word(source),
      );
      return `how does the ${asked.join(" ")}`;
    },
  };
}
