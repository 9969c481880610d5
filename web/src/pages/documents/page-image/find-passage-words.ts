/**
 * Finds the words of a passage among the words of the page. The two are in about the same order, but not the same:
 * markdown has no hyphens at the ends of lines and no page numbers. So the n-th "loop" of the text is taken for the n-th
 * "loop" of the page, and then what stands alone is dropped and small gaps are filled.
 */
import type { PassageRange } from "../text/mark-passage.ts";
import { readWords } from "../text/search-words.ts";

/** How many words are looked at on either side, and how many of them have to be found for a word not to stand alone. */
const reach = 4;
const company = 2;
/** As many words as a hyphenated one and a mark of a footnote make. */
const longestGap = 3;

/** The passage's offsets count from the beginning of the page's text. Answers which of the words belong to it. */
export function findPassageWords(
  pageText: string,
  passage: PassageRange,
  words: readonly { text: string }[],
): number[] {
  const places = new Map<string, number[]>();
  for (const [index, { text }] of words.entries()) {
    for (const { word } of readWords(text)) {
      const known = places.get(word);
      if (known) known.push(index);
      else places.set(word, [index]);
    }
  }
  const seen = new Map<string, number>();
  const found = new Set<number>();
  for (const { word, start, end } of readWords(pageText)) {
    const nth = seen.get(word) ?? 0;
    seen.set(word, nth + 1);
    const index = places.get(word)?.[nth];
    if (index !== undefined && start >= passage.start && end <= passage.end) found.add(index);
  }
  return fillGaps(dropStrays(found));
}

function dropStrays(found: ReadonlySet<number>): number[] {
  const sorted = [...found].sort((a, b) => a - b);
  // Of a passage of a few words none has company.
  if (sorted.length <= reach * 2) return sorted;
  return sorted.filter((index) => {
    const near = sorted.filter((other) => other !== index && Math.abs(other - index) <= reach);
    return near.length >= company;
  });
}

function fillGaps(sorted: readonly number[]): number[] {
  return sorted.flatMap((index, i) => {
    const gap = index - (sorted[i - 1] ?? index) - 1;
    const missing = gap > 0 && gap <= longestGap ? gap : 0;
    return Array.from({ length: missing + 1 }, (_, step) => index - missing + step);
  });
}
