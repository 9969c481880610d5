/** What can be a label at all, and where it ends. */
import type { Word } from "../page.ts";
import { remarkWords } from "./label-synonyms.ts";
import { normalizeLabel } from "./match-label.ts";

const colonWord = /^([^:]*\p{L}[^:]*|[)\]*.]?):(.*)$/u;
const wordsBeforeColon = 9;

export interface Colon {
  /** Of the word that has the colon. */
  index: number;
  /** The word's part of the label, and what follows the colon in the same word. */
  before: string;
  after: string;
}

/** The first colon that ends a label: not that of a time, a URL, a ratio or a namespace. */
export function findColon(words: readonly Word[]): Colon | undefined {
  for (const [index, { text }] of words.slice(0, wordsBeforeColon).entries()) {
    if (text === ":") return index === 0 ? undefined : { index, before: "", after: "" };
    if (!text.includes(":")) continue;
    const [whole, before = "", after = ""] = colonWord.exec(text) ?? [];
    if (whole === undefined || /^[/:]/.test(after) || (/\d$/.test(before) && /^\d/.test(after))) return undefined;
    return after === "" || /^[\d\p{Lu}#(+€$£]/u.test(after) ? { index, before, after } : undefined;
  }
  return undefined;
}

/** Whether an unknown text may be a label: a few words, mostly letters, begun with a capital, and no start of a remark. */
export function isPlausibleLabel(label: string): boolean {
  const words = label.split(/\s+/);
  const letters = label.replace(/[^\p{L}]/gu, "").length;
  if (words.length > 6 || label.length > 50) return false;
  if (/\d{4}/.test(label) || letters < 2 || letters < 0.5 * label.replace(/\s/g, "").length) return false;
  if (!/^[^\p{L}\d]*\p{Lu}/u.test(label) && !/^\p{Ll}{2,12}$/u.test(label)) return false;
  if (/[;!?{}<>=\\]|\.\s\p{Ll}/u.test(label) || label.split("(").length !== label.split(")").length) return false;
  return !remarkWords.has(normalizeLabel(words[0] ?? ""));
}
