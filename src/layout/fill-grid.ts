/**
 * Puts words into the cells of a ruled grid. A grid that turns out to be a frame, a drawing or a chart is none; rows that
 * a rule does not part although every column says they are several are parted by their lines.
 */
import type { TableBlock, TableCell } from "./blocks.ts";
import { edgesToBox } from "./edges-to-box.ts";
import type { Grid } from "./find-grids.ts";
import { joinLines } from "./join-lines.ts";
import { joinRows } from "./join-rows.ts";
import { boundsOf } from "./line.ts";
import { type FilledCell, openCells } from "./open-cells.ts";
import type { PlacedWord } from "./placed-word.ts";
import { countHeaderRows } from "./table-header.ts";
import { writeInline } from "./write-inline.ts";

/** The table and the words in it; undefined if the grid is no table. */
export function fillGrid(grid: Grid, words: readonly PlacedWord[]): TableBlock | undefined {
  const cells = dropSlivers(grid, openCells(grid, fillCells(grid, words)));
  if (!isTable(cells)) return undefined;
  const parted = partRows(cells);
  const rowCount = Math.max(...parted.map((cell) => cell.row + cell.rowSpan));
  const columnCount = Math.max(...parted.map((cell) => cell.column + cell.columnSpan));
  const rows: TableCell[][] = Array.from({ length: rowCount }, () =>
    Array.from({ length: columnCount }, () => ({ text: "" })),
  );
  const bold: boolean[][] = rows.map(() => []);
  for (const cell of parted) {
    const row = rows[cell.row];
    if (row === undefined) continue;
    row[cell.column] = {
      text: writeInline(
        cell.lines.map((line) => line.words),
        { emphasis: false },
      ),
      box: edgesToBox(cell),
      ...(cell.rowSpan > 1 && { rowSpan: cell.rowSpan }),
      ...(cell.columnSpan > 1 && { columnSpan: cell.columnSpan }),
    };
    if (cell.lines.length > 0) bold[cell.row]?.push(cell.lines.every((line) => line.bold));
  }
  return { kind: "table", box: edgesToBox(boundsOf(parted)), rows, headerRows: countHeaderRows(rows, bold) };
}

function fillCells(grid: Grid, words: readonly PlacedWord[]): FilledCell[] {
  const at = new Map<number, PlacedWord[]>();
  const cellAt = new Int32Array(grid.rows * grid.columns).fill(-1);
  grid.cells.forEach((cell, i) => {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      cellAt.fill(i, row * grid.columns + cell.column, row * grid.columns + cell.column + cell.columnSpan);
    }
  });
  for (const word of words) {
    const row = slotOf(grid.ys, (word.y1 + word.y2) / 2);
    const column = slotOf(grid.xs, (word.x1 + word.x2) / 2);
    const cell = cellAt[row * grid.columns + column] ?? 0;
    const inCell = at.get(cell);
    if (inCell === undefined) at.set(cell, [word]);
    else inCell.push(word);
  }
  return grid.cells.map((cell, i) => ({ ...cell, lines: joinRows(joinLines(at.get(i) ?? [])) }));
}

function slotOf(places: readonly number[], value: number): number {
  let slot = 0;
  while (slot < places.length - 2 && value >= (places[slot + 1] ?? 0)) slot++;
  return slot;
}

/** Double rules, the padding of cells and spaces between groups of columns leave rows and columns in which no text begins. */
function dropSlivers(grid: Grid, cells: FilledCell[]): FilledCell[] {
  const rowUsed = new Uint8Array(grid.rows);
  const columnUsed = new Uint8Array(grid.columns);
  const thinRow = (i: number): boolean => (grid.ys[i + 1] ?? 0) - (grid.ys[i] ?? 0) < 5;
  const thinColumn = (i: number): boolean => (grid.xs[i + 1] ?? 0) - (grid.xs[i] ?? 0) < 9;
  const use = (used: Uint8Array, isThin: (i: number) => boolean, start: number, span: number): void => {
    let first = start;
    while (first < start + span && isThin(first)) first++;
    used[first < start + span ? first : start] = 1;
  };
  for (const cell of cells) {
    if (cell.lines.length === 0) continue;
    use(rowUsed, thinRow, cell.row, cell.rowSpan);
    use(columnUsed, thinColumn, cell.column, cell.columnSpan);
  }
  const newRow = renumber(rowUsed);
  const newColumn = renumber(columnUsed);
  const kept: FilledCell[] = [];
  for (const cell of cells) {
    const rowSpan = (newRow[cell.row + cell.rowSpan] ?? 0) - (newRow[cell.row] ?? 0);
    const columnSpan = (newColumn[cell.column + cell.columnSpan] ?? 0) - (newColumn[cell.column] ?? 0);
    if (rowSpan < 1 || columnSpan < 1) continue;
    kept.push({ ...cell, row: newRow[cell.row] ?? 0, column: newColumn[cell.column] ?? 0, rowSpan, columnSpan });
  }
  return kept;
}

/** For each old place the number it gets, and one more for the end. */
function renumber(used: Uint8Array): number[] {
  const numbers = [0];
  for (const keep of used) numbers.push((numbers.at(-1) ?? 0) + keep);
  return numbers;
}

function isTable(cells: readonly FilledCell[]): boolean {
  const filled = cells.filter((cell) => cell.lines.length > 0);
  const rows = new Set(filled.map((cell) => cell.row)).size;
  const columns = new Set(filled.map((cell) => cell.column)).size;
  return filled.length >= 3 && columns >= 2 && rows >= 2 && filled.length >= cells.length * 0.2;
}

/**
 * A row that holds several lines in nearly every column, each beside one of the first, is as many rows: such tables are
 * ruled between columns only.
 */
function partRows(cells: FilledCell[]): FilledCell[] {
  const byRow = Map.groupBy(cells, (cell) => cell.row);
  const out: FilledCell[] = [];
  let added = 0;
  for (const [, inRow] of [...byRow].sort(([a], [b]) => a - b)) {
    const tops = inRow.every((cell) => cell.rowSpan === 1) ? sharedLines(inRow) : undefined;
    for (const cell of inRow) {
      if (tops === undefined) out.push({ ...cell, row: cell.row + added });
      else out.push(...partCell(cell, tops, added));
    }
    if (tops !== undefined) added += tops.length - 1;
  }
  return out;
}

/** Where the lines of a row are, if all columns agree. */
function sharedLines(cells: readonly FilledCell[]): number[] | undefined {
  const filled = cells.filter((cell) => cell.lines.length > 0);
  if (filled.length < 2) return undefined;
  const most = filled.reduce((a, b) => (b.lines.length > a.lines.length ? b : a));
  if (most.lines.length < 3) return undefined;
  const middles = most.lines.map((line) => (line.y1 + line.y2) / 2);
  // The first column names the rows: where it is wrapped text or empty, there is but one.
  const first = cells.find((cell) => cell.column === 0);
  if ((first?.lines.length ?? 0) < most.lines.length * 0.8) return undefined;
  const full = filled.filter((cell) => cell.lines.length >= most.lines.length * 0.8);
  if (full.length < Math.max(2, filled.length * 0.6)) return undefined;
  const lines = filled.flatMap((cell) => cell.lines);
  const astray = lines.filter((line) => {
    const middle = (line.y1 + line.y2) / 2;
    return !middles.some((value) => Math.abs(value - middle) < line.size * 0.35);
  });
  // Raised and lowered parts of formulas stand beside no line.
  return astray.length <= lines.length * 0.05 ? middles : undefined;
}

function partCell(cell: FilledCell, middles: readonly number[], added: number): FilledCell[] {
  const height = (cell.y2 - cell.y1) / middles.length;
  return middles.map((middle, i) => {
    const lines = cell.lines.filter((line) => nearestOf(middles, (line.y1 + line.y2) / 2) === i);
    const y1 = lines[0]?.y1 ?? middle - height / 2;
    return { ...cell, row: cell.row + added + i, y1, y2: lines.at(-1)?.y2 ?? y1 + height, lines };
  });
}

function nearestOf(values: readonly number[], value: number): number {
  let best = 0;
  values.forEach((candidate, i) => {
    if (Math.abs(candidate - value) < Math.abs((values[best] ?? 0) - value)) best = i;
  });
  return best;
}
