/**
 * Joins words to pieces of lines: neighbours on one baseline that are no further apart than words of a sentence. It goes
 * from left to right and compares with the last word only, so that a slightly turned scan keeps its lines, and raised or
 * lowered marks stay where they belong. The time grows with the words, not with their square.
 */
import { besideness, type Line, lineOf } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";

interface Open {
  words: PlacedWord[];
  last: PlacedWord;
}

/** Pieces looked at for a word; more share a place only on broken pages. */
const mostLookedAt = 24;
/** In type sizes: wider gaps part columns and cells. */
const widestGap = 0.95;

export function joinLines(words: readonly PlacedWord[]): Line[] {
  turnShortWords(words);
  const level = words.filter((word) => !word.upright);
  const upright = words.filter((word) => word.upright);
  return [...joinLevel(level), ...joinUpright(upright)];
}

/** One or two letters do not show that they are turned: those between turned words are. */
function turnShortWords(words: readonly PlacedWord[]): void {
  const turned = words.filter((word) => word.upright);
  if (turned.length < 2 || turned.length > 500) return;
  for (const word of words) {
    if (word.upright || word.text.length > 4) continue;
    const isBetween = (direction: 1 | -1): boolean =>
      turned.some((other) => {
        const gap = direction === 1 ? other.y1 - word.y2 : word.y1 - other.y2;
        return gap > -1 && gap < word.size * 2.5 && Math.abs(other.x1 + other.x2 - word.x1 - word.x2) < word.size * 0.6;
      });
    if (isBetween(1) || isBetween(-1)) word.upright = true;
  }
}

function joinLevel(words: PlacedWord[]): Line[] {
  const sorted = words.toSorted((a, b) => a.x1 - b.x1 || a.y1 - b.y1);
  let highest = 0;
  for (const word of words) highest = Math.max(highest, word.size);
  const shelf = Math.max(6, Math.min(highest, 40));
  const shelves = new Map<number, Open[]>();
  const all: Open[] = [];
  for (const word of sorted) {
    const at = Math.floor((word.y1 + word.y2) / 2 / shelf);
    let best: Open | undefined;
    let bestFit = 0.45;
    for (let y = at - 1; y <= at + 1; y++) {
      const opens = shelves.get(y);
      if (opens === undefined) continue;
      for (let i = opens.length - 1, seen = 0; i >= 0 && seen < mostLookedAt; i--, seen++) {
        const open = opens[i];
        if (open === undefined) continue;
        const fit = fitOf(open, word);
        if (fit === "past") opens.splice(i, 1);
        else if (fit > bestFit) {
          best = open;
          bestFit = fit;
        }
      }
    }
    if (best === undefined) {
      best = { words: [word], last: word };
      all.push(best);
    } else {
      best.words.push(word);
      best.last = lastOf(best.last, word);
    }
    putOnShelf(shelves, best, shelf);
  }
  return all.map((open) => lineOf(open.words));
}

/** A raised mark must not draw the line up: the next word is compared with the larger neighbour before it. */
function lastOf(last: PlacedWord, word: PlacedWord): PlacedWord {
  if (word.size >= last.size * 0.8) return word;
  return { ...last, x2: Math.max(last.x2, word.x2) };
}

function putOnShelf(shelves: Map<number, Open[]>, open: Open, shelf: number): void {
  const at = Math.floor((open.last.y1 + open.last.y2) / 2 / shelf);
  const opens = shelves.get(at);
  if (opens === undefined) shelves.set(at, [open]);
  else if (opens.at(-1) !== open && !opens.slice(-mostLookedAt).includes(open)) opens.push(open);
}

function fitOf(open: Open, word: PlacedWord): number | "past" {
  const gap = word.x1 - open.last.x2;
  const size = Math.max(Math.min(open.last.size, word.size), 3);
  const larger = Math.max(open.last.size, word.size);
  if (gap > larger * 1.6) return "past";
  if (gap > size * widestGap) return 0;
  if (gap < -Math.max(size * 0.6, (word.x2 - word.x1) * 0.5)) return 0;
  if (larger > size * 2.2) return 0;
  return besideness(open.last, word) - Math.max(0, gap) / (size * 100);
}

/** Text along the edge: words over each other are one line, which reads from the bottom up as a rule. */
function joinUpright(words: PlacedWord[]): Line[] {
  const sorted = words.toSorted((a, b) => a.x1 - b.x1 || b.y1 - a.y1);
  const lines: PlacedWord[][] = [];
  for (const word of sorted) {
    const last = lines.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && Math.abs(before.x1 - word.x1) < before.size * 0.7)
      last.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => {
    const sortedUp = line.toSorted((a, b) => b.y1 - a.y1);
    return lineOf(sortedUp);
  });
}
