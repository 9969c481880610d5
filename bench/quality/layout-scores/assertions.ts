/**
 * Runs assertions on a page in the form of the olmOCR benchmark: a text is there, is not there, stands before another, or
 * a cell of a table has a certain neighbour or heading. A few letters may differ where the assertion allows it.
 */
import { normalText } from "./normal-words.ts";
import type { ScoredCell, ScoredTable } from "./table-adjacency.ts";

export type Assertion =
  | { type: "present" | "absent"; id: string; text: string; max_diffs?: number; first_n?: number; last_n?: number }
  | { type: "order"; id: string; before: string; after: string; max_diffs?: number }
  | ({ type: "table"; id: string; cell: string } & Partial<Record<Neighbour, string>>)
  | { type: "math"; id: string; math: string };

type Neighbour = "up" | "down" | "left" | "right" | "top_heading" | "left_heading";
const neighbours: readonly Neighbour[] = ["up", "down", "left", "right", "top_heading", "left_heading"];

/** Undefined where it cannot be told: formulas are not compared. */
export function holds(assertion: Assertion, markdown: string, tables: readonly ScoredTable[]): boolean | undefined {
  switch (assertion.type) {
    case "present":
      return placeOf(markdown, assertion.text, assertion.max_diffs ?? 0) >= 0;
    case "absent":
      return placeOf(partOf(markdown, assertion), assertion.text, assertion.max_diffs ?? 0) < 0;
    case "order": {
      const before = placeOf(markdown, assertion.before, assertion.max_diffs ?? 0);
      const after = placeOf(markdown, assertion.after, assertion.max_diffs ?? 0);
      return before >= 0 && after >= 0 && before < after;
    }
    case "table":
      return tables.some((table) => holdsInTable(assertion, table));
    case "math":
      return undefined;
  }
}

function partOf(markdown: string, { first_n, last_n }: { first_n?: number; last_n?: number }): string {
  if (last_n !== undefined) return markdown.trimEnd().slice(-last_n);
  return first_n === undefined ? markdown : markdown.slice(0, first_n);
}

/** Where a text stands in another, in words; -1 if it does not. */
function placeOf(text: string, wanted: string, mostDiffs: number): number {
  const hay = ` ${normalText(text)} `;
  const needle = ` ${normalText(wanted)} `;
  const exact = hay.indexOf(needle);
  if (exact >= 0 || mostDiffs === 0) return exact;
  return fuzzyPlace(hay, needle, mostDiffs);
}

/** Sellers' algorithm: the end of the first stretch that differs in no more than so many letters. */
function fuzzyPlace(hay: string, needle: string, mostDiffs: number): number {
  let column = Array.from({ length: needle.length + 1 }, (_, i) => i);
  for (let j = 0; j < hay.length; j++) {
    const next = [0];
    for (let i = 1; i <= needle.length; i++) {
      const same = needle[i - 1] === hay[j] ? 0 : 1;
      next.push(Math.min((column[i - 1] ?? 0) + same, (column[i] ?? 0) + 1, (next[i - 1] ?? 0) + 1));
    }
    column = next;
    if ((column[needle.length] ?? mostDiffs + 1) <= mostDiffs) return j;
  }
  return -1;
}

function holdsInTable(assertion: Extract<Assertion, { type: "table" }>, table: ScoredTable): boolean {
  const at = new Map<string, ScoredCell>();
  for (const cell of table) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      for (let column = cell.column; column < cell.column + cell.columnSpan; column++) {
        if (cell.text !== "") at.set(`${row} ${column}`, cell);
      }
    }
  }
  const cells = table.filter((cell) => isText(cell.text, assertion.cell));
  return cells.some((cell) =>
    neighbours.every((way) => {
      const wanted = assertion[way];
      return wanted === undefined || cellsTowards(way, cell, at).some((other) => isText(other.text, wanted));
    }),
  );
}

function isText(text: string, wanted: string): boolean {
  return normalText(text) === normalText(wanted);
}

function cellsTowards(way: Neighbour, from: ScoredCell, at: ReadonlyMap<string, ScoredCell>): ScoredCell[] {
  const found: ScoredCell[] = [];
  const dr = way === "up" || way === "top_heading" ? -1 : way === "down" ? 1 : 0;
  const dc = way === "left" || way === "left_heading" ? -1 : way === "right" ? 1 : 0;
  const lanes = dc === 0 ? from.columnSpan : from.rowSpan;
  for (let lane = 0; lane < lanes; lane++) {
    let row = dr === 0 ? from.row + lane : dr > 0 ? from.row + from.rowSpan : from.row - 1;
    let column = dc === 0 ? from.column + lane : dc > 0 ? from.column + from.columnSpan : from.column - 1;
    for (let steps = 0; steps < 500 && row >= 0 && column >= 0; steps++) {
      const cell = at.get(`${row} ${column}`);
      if (cell !== undefined) found.push(cell);
      if (cell !== undefined && !way.endsWith("heading")) break;
      row += dr;
      column += dc;
    }
  }
  return found;
}
