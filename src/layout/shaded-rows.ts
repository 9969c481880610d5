/**
 * Tells grids that are only the shaded rows of a table: such a grid has no frame, and lines with cells like its own stand
 * right above or below it. Its table is found by alignment instead.
 */
import type { Grid } from "./find-grids.ts";
import { lineOf } from "./line.ts";
import type { PlacedWord } from "./placed-word.ts";
import { cellsOf } from "./split-cells.ts";

export function goesOnOutside(grid: Grid, outside: readonly PlacedWord[]): boolean {
  if (grid.framed) return false;
  const height = (grid.y2 - grid.y1) / grid.rows;
  return (
    hasCells(grid, outside, grid.y2, grid.y2 + height * 1.2) || hasCells(grid, outside, grid.y1 - height * 1.2, grid.y1)
  );
}

/** A line with at least three cells, each within a column of the grid. */
function hasCells(grid: Grid, words: readonly PlacedWord[], top: number, bottom: number): boolean {
  const beside = words.filter((word) => {
    const middle = (word.y1 + word.y2) / 2;
    return middle > top && middle < bottom && word.x1 >= grid.x1 - 2 && word.x2 <= grid.x2 + 2 && !word.upright;
  });
  if (beside.length < 3) return false;
  const cells = cellsOf(lineOf(beside.sort((a, b) => a.x1 - b.x1)));
  if (cells.length < 3) return false;
  return cells.every((cell) => grid.xs.every((x) => !cell.words.some((word) => word.x1 < x - 1 && word.x2 > x + 1)));
}
