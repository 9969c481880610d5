/**
 * Makes one word of the dots that lead from a title to its page or from a label to its amount, whether they were set as
 * one word or as many. It keeps their whole width, so that the line stays one; dots never part columns.
 */
import type { PlacedWord } from "./placed-word.ts";

const onlyDots = /^[.·…]+$/;
/** Three are an ellipsis, unless they stand further apart than words do. */
const fewestDots = 4;
const farApart = 1;
/** From dot to dot, in type sizes. */
const widestPitch = 1.8;

/** The words are in the order of the file: between the dots of one leader nothing else stands there. */
export function gatherLeaders(words: PlacedWord[]): PlacedWord[] {
  if (!words.some((word) => isDots(word))) return words;
  const out: PlacedWord[] = [];
  for (let i = 0; i < words.length; ) {
    const first = words[i];
    if (first === undefined) break;
    let end = i + 1;
    if (isDots(first)) while (isNextDot(words[end - 1], words[end])) end++;
    out.push(...gather(words.slice(i, end)));
    i = end;
  }
  return out;
}

export function isLeader(word: PlacedWord): boolean {
  return word.text === "…" && word.x2 - word.x1 > word.size * 1.6;
}

export function isDots({ text, upright }: PlacedWord): boolean {
  const code = text.charCodeAt(0);
  return (code === 0x2e || code === 0xb7 || code === 0x2026) && !upright && onlyDots.test(text);
}

function isNextDot(before: PlacedWord | undefined, word: PlacedWord | undefined): boolean {
  if (before === undefined || word === undefined || !isDots(word)) return false;
  const gap = word.x1 - before.x2;
  const level = Math.abs(before.y1 + before.y2 - word.y1 - word.y2) < word.size * 0.6;
  return level && gap > -word.size * 0.1 && gap < word.size * widestPitch;
}

function gather(run: PlacedWord[]): PlacedWord[] {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || !isDots(first)) return run;
  const pitch = run.length > 1 ? (last.x1 - first.x1) / (run.length - 1) : 0;
  const dots = run.reduce((sum, dot) => sum + dot.text.length, 0);
  if (dots < fewestDots && pitch < first.size * farApart) return run;
  // The pattern may have no room for a dot right beside the words.
  return [{ ...first, text: "…", x1: first.x1 - pitch * 0.7, x2: last.x2 + pitch * 0.7 }];
}
