/** Lines of a table of contents: a title, dots that lead to the right, and a page number. */
import type { Line } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";

const dots = /^[.·…_]+$/;
const longDots = /[.·…_]{4,}/;
const pageNumber = /^(\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3})$/;

function hasLeaders(line: Line): boolean {
  let run = 0;
  for (const { text } of line.words) {
    if (longDots.test(text)) return true;
    run = dots.test(text) ? run + 1 : 0;
    if (run >= 4) return true;
  }
  return false;
}

/** For each line whether it is one; beside lines with leaders, also those of chapters, which often have none. */
export function findContentsLines(lines: readonly Line[]): boolean[] {
  const leading = lines.map((line) => !line.mono && hasLeaders(line));
  if (leading.filter(Boolean).length < 3) return leading.fill(false);
  return lines.map((line, at) => leading[at] === true || (isNear(leading, at) && endsWithPage(line)));
}

function isNear(leading: readonly boolean[], at: number): boolean {
  return leading.slice(Math.max(0, at - 2), at + 3).includes(true);
}

function endsWithPage(line: Line): boolean {
  const last = line.words.at(-1);
  const before = line.words.at(-2);
  return last !== undefined && before !== undefined && pageNumber.test(last.text) && last.x1 - before.x2 > last.size;
}

/** The words with one sign for all the dots. */
export function shortenLeaders(words: readonly PlacedWord[]): PlacedWord[] {
  const out: PlacedWord[] = [];
  for (const word of words) {
    const last = out.at(-1);
    if (dots.test(word.text) && last?.text === "…") continue;
    const text = dots.test(word.text) ? "…" : word.text.replace(/[.·…_]{4,}/g, " … ").trim();
    out.push(text === word.text ? word : { ...word, text });
  }
  return out;
}
