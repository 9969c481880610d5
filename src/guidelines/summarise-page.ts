/** The minisummary of a page: one or two of its own sentences, at most 60 words; never a word the page does not have. */
import { clipWords, countWords } from "./clip-words.ts";
import type { PageStructure } from "./page-structure.ts";
import { pickSentences } from "./pick-sentences.ts";
import { writeTitle } from "./title-parts.ts";

const mostWords = 60;

export function summarisePage(page: PageStructure): string {
  const [best, second] = pickTwo(page);
  if (best === undefined) return summariseWithoutSentences(page);
  const both = second === undefined ? best : `${best} ${second}`;
  return countWords(both) <= mostWords ? both : clipWords(best, mostWords);
}

/** The best sentence, and the next best if both fit; in the order of the page. */
function pickTwo({ sentences, keyTerms }: PageStructure): string[] {
  const two = pickSentences(sentences, keyTerms, 2);
  if (two.length < 2 || countWords(two.join(" ")) <= mostWords) return two;
  return pickSentences(sentences, keyTerms, 1);
}

function summariseWithoutSentences(page: PageStructure): string {
  const { objectives, definitions, exercises, activities, examples, keyTerms, headings, contents } = page;
  const texts = [definitions[0]?.text, objectives[0], examples[0], activities[0], exercises[0]].filter(
    (text) => text !== undefined,
  );
  const titles = headings.map(writeTitle).filter(Boolean).slice(0, 3).join("; ");
  const rest = texts[0] ?? keyTerms.join(", ");
  const listed = contents
    .map(({ title }) => title)
    .slice(0, 8)
    .join("; ");
  return clipWords([titles, rest || listed].filter(Boolean).join(". "), mostWords);
}
