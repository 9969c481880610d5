/** Joins a paragraph that a column or a page broke off with what goes on in the next. */
import type { TextBlock } from "./blocks.ts";
import { joinHyphen } from "./join-hyphens.ts";

const ended = /[.!?:;…。！？：；][*_`]*["”’»)\]]*[*_`]*$/u;
const lowerStart = /^[*_`(“"‘«]*\p{Ll}/u;
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const rightToLeft = /[\u0590-\u08ff]/;

/** Whether `next` is the rest of `before`. */
export function continuesParagraph(before: TextBlock, next: TextBlock): boolean {
  if (next.kind !== "paragraph" || (before.kind !== "paragraph" && before.kind !== "list_item")) return false;
  if (Math.abs(before.fontSize - next.fontSize) > 0.15 * before.fontSize || before.bold !== next.bold) return false;
  // Calls of a function, each on its own line.
  if (before.text.length < 25 || (before.text.startsWith("`") && next.text.startsWith("`"))) return false;
  if (/\p{L}[-\u00ad]$/u.test(before.text)) return true;
  if (ended.test(before.text)) return false;
  return lowerStart.test(next.text) || ideograph.test(next.text[0] ?? "") || rightToLeft.test(next.text[0] ?? "");
}

/** What is written after `before` to go on with `next`: what is to be cut off its end, and what is to be added. */
export function joinParagraph(before: string, next: string): { cut: number; added: string; nextAt: number } {
  const lastWord = /\S+$/.exec(before)?.[0] ?? "";
  const firstWord = /^\S+/.exec(next)?.[0] ?? "";
  const joined = joinHyphen(lastWord, firstWord);
  if (joined !== undefined) {
    const cut = lastWord.length + firstWord.length - joined.length;
    return { cut, added: next, nextAt: 0 };
  }
  if (ideograph.test(before.at(-1) ?? "") && ideograph.test(next[0] ?? "")) return { cut: 0, added: next, nextAt: 0 };
  return { cut: 0, added: ` ${next}`, nextAt: 1 };
}
