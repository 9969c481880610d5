/**
 * Compares tables as the ICDAR 2013 competition did: a table is the set of its neighbourhoods (this cell has that one to
 * its right, or below it), blank cells skipped. Precision and recall count the neighbourhoods that two tables share.
 */
export interface ScoredCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  text: string;
}

export type ScoredTable = ScoredCell[];

export interface AdjacencyScore {
  shared: number;
  found: number;
  expected: number;
  f1: number;
}

export function scoreTables(found: readonly ScoredTable[], expected: readonly ScoredTable[]): AdjacencyScore {
  const foundPairs = found.map(neighbourhoods);
  const expectedPairs = expected.map(neighbourhoods);
  const pairings: { f: number; e: number; shared: number }[] = [];
  foundPairs.forEach((a, f) => {
    expectedPairs.forEach((b, e) => {
      const shared = sharedOf(a, b);
      if (shared > 0) pairings.push({ f, e, shared });
    });
  });
  pairings.sort((a, b) => b.shared - a.shared);
  const takenFound = new Set<number>();
  const takenExpected = new Set<number>();
  let shared = 0;
  let foundTotal = 0;
  for (const pairing of pairings) {
    if (takenFound.has(pairing.f) || takenExpected.has(pairing.e)) continue;
    takenFound.add(pairing.f);
    takenExpected.add(pairing.e);
    shared += pairing.shared;
    foundTotal += totalOf(foundPairs[pairing.f]);
  }
  for (const [f, pairs] of foundPairs.entries()) if (!takenFound.has(f)) foundTotal += totalOf(pairs);
  const expectedTotal = expectedPairs.reduce((sum, pairs) => sum + totalOf(pairs), 0);
  const f1 = foundTotal + expectedTotal === 0 ? 1 : (2 * shared) / (foundTotal + expectedTotal);
  return { shared, found: foundTotal, expected: expectedTotal, f1 };
}

function totalOf(pairs: ReadonlyMap<string, number> | undefined): number {
  let total = 0;
  for (const count of pairs?.values() ?? []) total += count;
  return total;
}

function sharedOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0);
  return shared;
}

function neighbourhoods(table: ScoredTable): Map<string, number> {
  const pairs = new Map<string, number>();
  const cells = table.map((cell) => ({ ...cell, text: bare(cell.text) })).filter((cell) => cell.text !== "");
  const at = new Map<string, ScoredCell>();
  let rows = 0;
  let columns = 0;
  for (const cell of cells) {
    rows = Math.max(rows, cell.row + cell.rowSpan);
    columns = Math.max(columns, cell.column + cell.columnSpan);
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++) {
      for (let c = cell.column; c < cell.column + cell.columnSpan; c++) at.set(`${r} ${c}`, cell);
    }
  }
  const seen = new Set<string>();
  const add = (a: ScoredCell, b: ScoredCell, way: string): void => {
    const key = `${a.row} ${a.column} ${b.row} ${b.column} ${way}`;
    if (seen.has(key)) return;
    seen.add(key);
    const pair = `${way}\u0000${a.text}\u0000${b.text}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  };
  for (const cell of cells) {
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++) {
      for (let c = cell.column + cell.columnSpan; c < columns; c++) {
        const next = at.get(`${r} ${c}`);
        if (next === undefined) continue;
        add(cell, next, "right");
        break;
      }
    }
    for (let c = cell.column; c < cell.column + cell.columnSpan; c++) {
      for (let r = cell.row + cell.rowSpan; r < rows; r++) {
        const next = at.get(`${r} ${c}`);
        if (next === undefined) continue;
        add(cell, next, "below");
        break;
      }
    }
  }
  return pairs;
}

/** White space and signs that look alike do not count. */
function bare(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\\(?=[^\p{L}\p{N}])/gu, "")
    .replace(/[\s]+/gu, "")
    .replace(/[‐-―−]/g, "-");
}
