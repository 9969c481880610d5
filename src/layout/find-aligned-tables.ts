/**
 * Finds tables that have no grid: runs of lines whose words leave the same upright strips of paper free. Horizontal rules
 * above and below, where there are some, say how far such a table reaches. Lists, tables of contents and columns of
 * running text are not taken for tables.
 */

import { hasLeaders } from "./contents-lines.ts";
import type { Stroke } from "./find-grids.ts";
import { findStrips } from "./find-strips.ts";
import { isOnlyAligned } from "./judge-table.ts";
import type { Line } from "./line.ts";
import { middleOf } from "./placed-word.ts";
import { readMarker } from "./read-marker.ts";
import { type Cell, cellsOf } from "./split-cells.ts";

export interface AlignedTable {
  /** Of the given lines, `to` excluded. */
  from: number;
  to: number;
  /** Where the columns are parted: one fewer than columns. */
  strips: number[];
  /** Rules within it, from top to bottom. */
  bars: number[];
}

interface Candidate {
  from: number;
  to: number;
  bars: number[];
}

/** `apart` tells which lines are no rows for certain. */
export function findAlignedTables(
  lines: readonly Line[],
  apart: readonly boolean[],
  horizontals: readonly Stroke[],
): AlignedTable[] {
  if (lines.length < 2) return [];
  const cells = lines.map((line) => (line.upright ? [] : cellsOf(line)));
  const several = lines.map((line, i) => !apart[i] && isSeveral(line, cells[i] ?? []));
  if (several.filter(Boolean).length < 2) return [];
  const tables: AlignedTable[] = [];
  let at = 0;
  const barred = barredStretches(lines, horizontals);
  for (const candidate of [...barred, ...openStretches(lines, cells, several, apart)].sort(byStart)) {
    if (candidate.from < at) continue;
    const table = tableOf(candidate, lines, several);
    if (table === undefined) continue;
    tables.push(table);
    at = table.to;
  }
  return tables;
}

function byStart(a: Candidate, b: Candidate): number {
  return b.bars.length > 0 !== a.bars.length > 0 && overlaps(a, b) ? b.bars.length - a.bars.length : a.from - b.from;
}

function overlaps(a: Candidate, b: Candidate): boolean {
  return a.from < b.to && b.from < a.to;
}

/** More than one cell, and not just a marker with its text or a title with its page. */
function isSeveral(line: Line, cells: readonly Cell[]): boolean {
  if (cells.length < 2 || line.mono) return false;
  if (cells.length === 2 && hasLeaders(line)) return false;
  return !(cells.length === 2 && cells[0]?.words.length === 1 && readMarker(line.words) !== undefined);
}

/** Stretches between the first and the last of several rules that are equally wide. */
function barredStretches(lines: readonly Line[], horizontals: readonly Stroke[]): Candidate[] {
  const found: Candidate[] = [];
  const left = lines.reduce((least, line) => Math.min(least, line.x1), Number.POSITIVE_INFINITY);
  const right = lines.reduce((most, line) => Math.max(most, line.x2), Number.NEGATIVE_INFINITY);
  const wide = horizontals.filter(
    (bar) => bar.end - bar.start > (right - left) * 0.3 && bar.start < right && bar.end > left && bar.start > left - 30,
  );
  const used = new Set<Stroke>();
  for (const bar of wide) {
    if (used.has(bar)) continue;
    const same = wide.filter((other) => Math.abs(other.start - bar.start) < 4 && Math.abs(other.end - bar.end) < 4);
    for (const other of same) used.add(other);
    const top = same[0]?.at ?? 0;
    const bottom = same.at(-1)?.at ?? 0;
    if (same.length < 2 || bottom - top < 15) continue;
    const from = lines.findIndex((line) => (line.y1 + line.y2) / 2 > top);
    let to = from;
    while (to < lines.length && from >= 0 && middleY(lines[to]) < bottom) to++;
    if (from >= 0 && to - from >= 2) found.push({ from, to, bars: same.map((one) => one.at) });
  }
  return found;
}

function middleY(line: Line | undefined): number {
  return line === undefined ? 0 : (line.y1 + line.y2) / 2;
}

/** Runs of lines with several cells; short lines between them belong to the run. */
function openStretches(
  lines: readonly Line[],
  cells: readonly Cell[][],
  several: readonly boolean[],
  apart: readonly boolean[],
): Candidate[] {
  const found: Candidate[] = [];
  const width = middleOf(lines.map((line) => line.x2 - line.x1));
  for (let i = 0; i < lines.length; i++) {
    if (!several[i]) continue;
    let to = i + 1;
    let last = to;
    let short = 0;
    for (; to < lines.length; to++) {
      const above = lines[to - 1];
      const line = lines[to];
      if (above === undefined || line === undefined || line.y1 - above.y2 > line.size * 3 || apart[to]) break;
      if (several[to]) {
        last = to + 1;
        short = 0;
      } else {
        const fits = (cells[to]?.length ?? 0) === 1 && line.x2 - line.x1 < Math.max(width * 0.6, 60) && !line.mono;
        if (!fits || ++short > 2) break;
      }
    }
    if (last - i >= 2) found.push({ from: i, to: last, bars: [] });
    i = last - 1;
  }
  return found;
}

function tableOf(candidate: Candidate, lines: readonly Line[], several: readonly boolean[]): AlignedTable | undefined {
  const { bars } = candidate;
  const inside = lines.slice(candidate.from, candidate.to);
  const parted = inside.filter((_, i) => several[candidate.from + i]);
  if (parted.length < 2 || (bars.length > 0 && parted.length < inside.length * 0.3)) return undefined;
  const strips = dropSignColumns(findStrips(inside, parted), parted);
  if (strips.length === 0) return undefined;
  if (strips.length === 1 && bars.length < 3 && parted.length < 3) return undefined;
  if (bars.length === 0 && isOnlyAligned(inside, strips.length + 1)) return undefined;
  const { from, to } = fitEnds(candidate, lines, several, strips);
  return to - from < 2 ? undefined : { from, to, strips, bars };
}

/** A currency sign before an amount, or a per cent sign behind one, is set apart for alignment only. */
function dropSignColumns(strips: readonly number[], parted: readonly Line[]): number[] {
  const dropped = new Set<number>();
  for (let column = 0; column <= strips.length; column++) {
    const start = strips[column - 1] ?? Number.NEGATIVE_INFINITY;
    const end = strips[column] ?? Number.POSITIVE_INFINITY;
    const words = parted.flatMap((line) => line.words.filter((word) => word.x1 >= start - 1 && word.x2 <= end + 1));
    if (words.length === 0) continue;
    if (column < strips.length && words.every((word) => /^[$€£¥(]+$/.test(word.text))) dropped.add(end);
    else if (column > 0 && words.every((word) => /^[%)]+$/.test(word.text))) dropped.add(start);
  }
  return strips.filter((x) => !dropped.has(x));
}

/** Sentences below a table that a rule further down seemed to close in are none of its rows; headings above it are. */
function fitEnds(
  candidate: Candidate,
  lines: readonly Line[],
  several: readonly boolean[],
  strips: readonly number[],
): { from: number; to: number } {
  let { from, to } = candidate;
  const sentence = lines.findIndex(
    (line, i) => i > from && i < to && !several[i] && isSentence(line) && !several[i + 1],
  );
  if (sentence > from + 1 && lines.slice(sentence, to).filter((_, i) => several[sentence + i]).length === 0)
    to = sentence;
  while (to > from && !several[to - 1] && (crosses(lines[to - 1], strips) || isSentence(lines[to - 1]))) to--;
  while (to > from && !several[from] && crosses(lines[from], strips) && (lines[from]?.words.length ?? 0) > 7) from++;
  for (let above = lines[from - 1]; above !== undefined && from > 0; above = lines[from - 1]) {
    const below = lines[from];
    if (below === undefined || below.y2 - above.y2 > Math.max(above.size, below.size) * 2) break;
    const names = several[from - 1] ? !crosses(above, strips) : isOverColumns(above, strips);
    if (!names) break;
    from--;
  }
  return { from, to };
}

function isSentence(line: Line | undefined): boolean {
  return (line?.words.length ?? 0) >= 9;
}

function crosses(line: Line | undefined, strips: readonly number[]): boolean {
  return line?.words.some((word) => strips.some((x) => word.x1 < x - 1 && word.x2 > x + 1)) ?? false;
}

/** A few words right of the first column, over the others. */
function isOverColumns(line: Line, strips: readonly number[]): boolean {
  return line.words.length <= 6 && !line.upright && line.x1 > (strips[0] ?? 0) - line.size;
}
