/**
 * Opens cells of a grid that were taken for one because rules are missing between them: where words on the same line
 * stand clearly on both sides of a column's edge, or every row of a cell has its own line, they are several.
 */
import type { Grid, GridCell } from "./find-grids.ts";
import { type Line, lineOf } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";

export interface FilledCell extends GridCell {
  lines: Line[];
}

export function openCells(grid: Grid, cells: readonly FilledCell[]): FilledCell[] {
  return cells.flatMap((cell) => {
    if (cell.lines.length === 0 || (cell.rowSpan === 1 && cell.columnSpan === 1)) return [cell];
    return openRows(grid, cell).flatMap((row) => openColumns(grid, row));
  });
}

/** As many lines as rows, each in the middle of its own. */
function openRows(grid: Grid, cell: FilledCell): FilledCell[] {
  const { row, rowSpan, lines } = cell;
  if (rowSpan === 1 || lines.length !== rowSpan) return [cell];
  const edge = (i: number): number => grid.ys[i] ?? 0;
  const ownRows = lines.every((line, i) => {
    const middle = (line.y1 + line.y2) / 2;
    const height = edge(row + i + 1) - edge(row + i);
    return Math.abs(middle - (edge(row + i) + edge(row + i + 1)) / 2) < height * 0.2;
  });
  if (!ownRows) return [cell];
  return lines.map((line, i) => ({
    ...cell,
    row: row + i,
    rowSpan: 1,
    y1: edge(row + i),
    y2: edge(row + i + 1),
    lines: [line],
  }));
}

function openColumns(grid: Grid, cell: FilledCell): FilledCell[] {
  const { column, columnSpan } = cell;
  if (columnSpan === 1) return [cell];
  const edge = (i: number): number => grid.xs[i] ?? 0;
  const starts = [column];
  for (let i = column + 1; i < column + columnSpan; i++) {
    if (isParted(cell.lines, edge(i))) starts.push(i);
  }
  if (starts.length === 1) return [cell];
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? column + columnSpan;
    const [x1, x2] = [edge(start), edge(end)];
    const from = i === 0 ? Number.NEGATIVE_INFINITY : x1;
    const to = i === starts.length - 1 ? Number.POSITIVE_INFINITY : x2;
    const lines = cell.lines.flatMap((line) => {
      const words = line.words.filter((word) => middleOf(word) >= from && middleOf(word) < to);
      return words.length === 0 ? [] : [lineOf(words)];
    });
    return { ...cell, column: start, columnSpan: end - start, x1, x2, lines };
  });
}

function middleOf(word: PlacedWord): number {
  return (word.x1 + word.x2) / 2;
}

/** No word stands over the edge, and on some line there is a clear gap at it. */
function isParted(lines: readonly Line[], x: number): boolean {
  let gap = false;
  for (const { words } of lines) {
    let left: PlacedWord | undefined;
    let right: PlacedWord | undefined;
    for (const word of words) {
      if (word.x1 < x - 1 && word.x2 > x + 1) return false;
      if (middleOf(word) < x) left = word;
      else right ??= word;
    }
    if (left !== undefined && right !== undefined && right.x1 - left.x2 > right.size * 0.5) gap = true;
  }
  return gap;
}
