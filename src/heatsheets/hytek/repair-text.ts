/**
 * Undoes what the fonts of these sheets do to the letter f: U+03D0 stands for the f of fi and fl, or the ligature is
 * missing from the text altogether ("Butter ly").
 */
import type { Word } from "../../layout/page.ts";

const brokenF = "\u03d0";

export function repairWords(words: readonly Word[]): Word[] {
  return words.map((word) => {
    return word.text.includes(brokenF) ? { ...word, text: word.text.replaceAll(brokenF, "f") } : word;
  });
}

/** For lines of events and heats: terms of the sport have one spelling. In a name nobody knows what is missing. */
export function repairTerms(text: string): string {
  return text
    .replaceAll(brokenF, "f")
    .replace(/\bButter\s*f?\s*l?\s*y\b/gi, "Butterfly")
    .replace(/\bsemi\s?-\s?f?\s?i?nals?\b/gi, "Semi-Finals");
}
