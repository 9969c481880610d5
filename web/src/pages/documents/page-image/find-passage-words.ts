/**
 * Finds the words of a passage among the words of the page. The two are in about the same order, but not the same:
 * markdown has no hyphens at the ends of lines and no page numbers. So the n-th "loop" of the text is taken for the n-th
 * "loop" of the page, and then what stands alone is dropped and small gaps are filled.
 */
import type { PassageRange } from "../text/mark-passage.ts";
import { readWords } from "../text/search-words.ts";

/** How many words are looked at on either side. */
const reach = 4;

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
  return smooth(found, words.length);
}

function smooth(found: ReadonlySet<number>, count: number): number[] {
  const around = reach * 2 + 1;
  // A passage of a few words cannot fill its surroundings.
  const enough = Math.min(around, found.size) / 2;
  return Array.from({ length: count }, (_, index) => index).filter((index) => {
    let near = 0;
    for (let i = index - reach; i <= index + reach; i++) if (found.has(i)) near++;
    return found.size > around ? near > enough : found.has(index);
  });
}
