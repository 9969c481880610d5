/** Tells a line of an index: words and the pages they are on, "mills, 12, 14–16" or "mills … 12". */
import { isLeader } from "./gather-leaders.ts";
import type { PlacedWord } from "./placed-word.ts";

const pages = /^\d{1,4}([–-]\d{1,4})?,?$/;

/** A date has no comma before its first number. */
export function isEntry(words: readonly PlacedWord[]): boolean {
  let at = words.length - 1;
  while (at >= 0 && pages.test(words[at]?.text ?? "")) at--;
  const before = words[at];
  if (before === undefined || at === words.length - 1) return false;
  return isLeader(before) || (before.text.length > 1 && before.text.endsWith(","));
}
