/** Lines of a table of contents, of an index or of a price list: a title, dots that lead to the right, and a number. */
import { isLeader } from "./gather-leaders.ts";
import type { Line } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";
import { isEntry } from "./read-entry.ts";

const longDots = /[.·…_]{4,}/;
const pageNumber = /^(\d{1,4}|[ivxlc]{1,7}|[A-Z]-\d{1,3})$/;

export function hasLeaders(line: Line): boolean {
  return line.words.some(leads);
}

function leads(word: PlacedWord): boolean {
  return isLeader(word) || longDots.test(word.text);
}

/** A row of a table has dots behind several cells, or several figures behind its dots. */
function leadsToOne(line: Line): boolean {
  const at = line.words.findIndex(leads);
  if (at < 1 || at !== line.words.findLastIndex(leads)) return false;
  for (let i = at + 2; i < line.words.length; i++) {
    const [before, word] = [line.words[i - 1], line.words[i]];
    if (before !== undefined && word !== undefined && word.x1 - before.x2 > word.size * 1.2) return false;
  }
  return true;
}

/** For each line whether it is one; beside lines with leaders, also those of chapters, which often have none. */
export function findContentsLines(lines: readonly Line[]): boolean[] {
  const found = lines.map((line) => !(line.mono && line.words.every((word) => word.mono)) && leadsToOne(line));
  markIndex(lines, found);
  const leading = found.filter(Boolean).length;
  if (leading < 2) return found.fill(false);
  if (leading < 3) return found;
  const spread = (at: number): void => {
    const line = lines[at];
    if (line !== undefined && !found[at] && isNear(found, at) && endsWithPage(line)) found[at] = true;
  };
  for (let at = 0; at < lines.length; at++) spread(at);
  for (let at = lines.length - 1; at >= 0; at--) spread(at);
  return found;
}

/** Fewer may be anything; in an index most lines are entries, the others the rest of long ones. */
const fewestEntries = 6;

function markIndex(lines: readonly Line[], found: boolean[]): void {
  const entries = lines.map((line) => isEntry(line.words));
  const count = entries.filter(Boolean).length;
  if (count < fewestEntries || count < lines.length * 0.6) return;
  entries.forEach((entry, at) => {
    if (entry) found[at] = true;
  });
}

function isNear(found: readonly boolean[], at: number): boolean {
  return found.slice(Math.max(0, at - 2), at + 3).includes(true);
}

function endsWithPage(line: Line): boolean {
  const last = line.words.at(-1);
  const before = line.words.at(-2);
  return last !== undefined && before !== undefined && pageNumber.test(last.text) && last.x1 - before.x2 > last.size;
}

/** The words with one sign for all the dots that are part of a word. */
export function shortenLeaders(words: readonly PlacedWord[]): PlacedWord[] {
  return words.map((word) => {
    const text = word.text.replace(/[.·…_]{4,}/g, " … ").trim();
    return text === word.text ? word : { ...word, text };
  });
}
