/**
 * Finds grids in the ruling lines of a page: rules that cross or touch make a table, and where a piece of rule is missing
 * between two cells they are one. Rules that touch nothing are left to others.
 */
import type { Rule } from "./page.ts";
import type { Edges } from "./placed-word.ts";

export interface GridCell extends Edges {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
}

export interface Grid extends Edges {
  rows: number;
  columns: number;
  cells: GridCell[];
  /** Where the columns and rows are parted, edges included. */
  xs: number[];
  ys: number[];
  /** Whether it is closed on the left or on the right over its whole height. */
  framed: boolean;
}

/** A rule along one axis: `at` across it, from `start` to `end` along it. */
export interface Stroke {
  at: number;
  start: number;
  end: number;
}

const near = 2.5;
const shortest = 6;
/** A drawing, not a table. */
const mostStrokes = 4_000;
const mostLines = 400;

/** Rules along one axis; edges of thin boxes and pieces that touch are one. */
export function strokesOf(rules: readonly Rule[], axis: "horizontal" | "vertical"): Stroke[] {
  const strokes: Stroke[] = [];
  for (const rule of rules) {
    const values = [rule.x1, rule.y1, rule.x2, rule.y2];
    if (!values.every((value) => Number.isFinite(value) && Math.abs(value) < 20_000)) continue;
    const across = axis === "horizontal" ? Math.abs(rule.y2 - rule.y1) : Math.abs(rule.x2 - rule.x1);
    const [a, b] = axis === "horizontal" ? [rule.x1, rule.x2] : [rule.y1, rule.y2];
    if (across > 1.5 || Math.abs(b - a) < 1) continue;
    const at = axis === "horizontal" ? (rule.y1 + rule.y2) / 2 : (rule.x1 + rule.x2) / 2;
    strokes.push({ at, start: Math.min(a, b), end: Math.max(a, b) });
  }
  return mergeStrokes(strokes).filter((stroke) => stroke.end - stroke.start >= shortest);
}

function mergeStrokes(strokes: Stroke[]): Stroke[] {
  strokes.sort((a, b) => a.at - b.at);
  const merged: Stroke[] = [];
  for (let i = 0; i < strokes.length; ) {
    const first = strokes[i];
    if (first === undefined) break;
    let end = i + 1;
    while (end < strokes.length && (strokes[end]?.at ?? 0) - first.at < near) end++;
    const together = strokes.slice(i, end).sort((a, b) => a.start - b.start);
    let open: Stroke | undefined;
    for (const stroke of together) {
      if (open !== undefined && stroke.start <= open.end + 3) open.end = Math.max(open.end, stroke.end);
      else {
        open = { ...stroke };
        merged.push(open);
      }
    }
    i = end;
  }
  return merged;
}

export function findGrids(rules: readonly Rule[]): Grid[] {
  const horizontals = strokesOf(rules, "horizontal");
  const verticals = strokesOf(rules, "vertical");
  if (horizontals.length < 2 || verticals.length < 1 || horizontals.length + verticals.length > mostStrokes) return [];
  const grids: Grid[] = [];
  for (const component of stack(connect(horizontals, verticals), horizontals)) {
    const grid = gridOf(component.horizontals, component.verticals);
    if (grid !== undefined) grids.push(grid);
  }
  return grids.toSorted((a, b) => a.y1 - b.y1 || a.x1 - b.x1);
}

interface Component {
  horizontals: Stroke[];
  verticals: Stroke[];
}

function connect(horizontals: Stroke[], verticals: Stroke[]): Component[] {
  const parent = Array.from({ length: horizontals.length + verticals.length }, (_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while ((parent[root] ?? root) !== root) root = parent[root] ?? root;
    parent[i] = root;
    return root;
  };
  verticals.forEach((vertical, v) => {
    horizontals.forEach((horizontal, h) => {
      if (horizontal.at < vertical.start - near || horizontal.at > vertical.end + near) return;
      if (vertical.at < horizontal.start - near || vertical.at > horizontal.end + near) return;
      parent[rootOf(h)] = rootOf(horizontals.length + v);
    });
  });
  const components = new Map<number, Component>();
  const of = (i: number): Component => {
    const root = rootOf(i);
    const found = components.get(root) ?? { horizontals: [], verticals: [] };
    components.set(root, found);
    return found;
  };
  horizontals.forEach((stroke, i) => {
    of(i).horizontals.push(stroke);
  });
  verticals.forEach((stroke, i) => {
    of(horizontals.length + i).verticals.push(stroke);
  });
  return [...components.values()].filter((one) => one.horizontals.length >= 2 && one.verticals.length >= 1);
}

/**
 * Shaded rows give a grid each, with bare rows between them: grids of the same width right below each other are one, with
 * the rules of that width around them.
 */
function stack(components: Component[], horizontals: readonly Stroke[]): Component[] {
  const stacked: (Component & Edges)[] = [];
  const sorted = components.map((one) => ({ ...one, ...extentOf(one) })).sort((a, b) => a.y1 - b.y1);
  for (const one of sorted) {
    const above = stacked.findLast((other) => Math.abs(other.x1 - one.x1) < 4 && Math.abs(other.x2 - one.x2) < 4);
    const gap = above === undefined ? 0 : one.y1 - above.y2;
    if (above === undefined || gap > 22 || gap < -near) stacked.push(one);
    else {
      above.horizontals.push(...one.horizontals);
      above.verticals.push(...one.verticals);
      above.y2 = Math.max(above.y2, one.y2);
    }
  }
  const taken = new Set(components.flatMap((one) => one.horizontals));
  const free = horizontals.filter((stroke) => !taken.has(stroke));
  for (const one of stacked) one.horizontals.push(...rulesAround(one, free));
  return stacked;
}

function rulesAround(component: Component & Edges, free: readonly Stroke[]): Stroke[] {
  return free.filter(
    (stroke) =>
      Math.abs(stroke.start - component.x1) < 4 &&
      Math.abs(stroke.end - component.x2) < 4 &&
      stroke.at > component.y1 - 48 &&
      stroke.at < component.y2 + 30,
  );
}

function extentOf({ horizontals, verticals }: Component): Edges {
  const edges = { x1: Number.POSITIVE_INFINITY, y1: Number.POSITIVE_INFINITY, x2: 0, y2: 0 };
  for (const stroke of horizontals) {
    edges.x1 = Math.min(edges.x1, stroke.start);
    edges.x2 = Math.max(edges.x2, stroke.end);
    edges.y1 = Math.min(edges.y1, stroke.at);
    edges.y2 = Math.max(edges.y2, stroke.at);
  }
  for (const stroke of verticals) {
    edges.y1 = Math.min(edges.y1, stroke.start);
    edges.y2 = Math.max(edges.y2, stroke.end);
  }
  return edges;
}

/** Thinner columns are padding or double rules. */
const thinnest = 9;

/** A rule that keeps off the cell's edges on both sides is the edge of a background behind a line of its text. */
function isTextBackground(y: number, horizontals: readonly Stroke[], xs: readonly number[]): boolean {
  const here = horizontals.filter((stroke) => Math.abs(stroke.at - y) <= near * 1.3);
  return here.every((stroke) => {
    const start = xs.findIndex((x) => Math.abs(x - stroke.start) <= near);
    const end = xs.findIndex((x) => Math.abs(x - stroke.end) <= near);
    const before = (xs[start] ?? 0) - (xs[start - 1] ?? Number.NEGATIVE_INFINITY);
    const behind = (xs[end + 1] ?? Number.POSITIVE_INFINITY) - (xs[end] ?? 0);
    return start > 0 && end > 0 && before < thinnest && behind < thinnest;
  });
}

function placesOf(values: number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const places: number[] = [];
  for (const value of sorted) {
    const last = places.at(-1);
    if (last === undefined || value - last > near * 1.2) places.push(value);
  }
  return places;
}

function gridOf(horizontals: Stroke[], verticals: Stroke[]): Grid | undefined {
  const leftmost = Math.min(...horizontals.map((stroke) => stroke.start));
  const rightmost = Math.max(...horizontals.map((stroke) => stroke.end));
  const xs = placesOf(verticals.map((stroke) => stroke.at));
  // Tables without side rules are as wide as their horizontal ones.
  if ((xs[0] ?? leftmost) - leftmost > 8) xs.unshift(leftmost);
  if (rightmost - (xs.at(-1) ?? rightmost) > 8) xs.push(rightmost);
  const ys = placesOf(horizontals.map((stroke) => stroke.at)).filter((y) => !isTextBackground(y, horizontals, xs));
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  if (columns < 1 || rows < 1 || columns * rows < 2 || columns > mostLines || rows > mostLines) return undefined;
  const cells = cellsOf(xs, ys, horizontals, verticals);
  const [x1 = 0, y1 = 0] = [xs[0], ys[0]];
  const [x2, y2] = [xs.at(-1) ?? x1, ys.at(-1) ?? y1];
  const isClosed = (x: number): boolean => {
    const sides = verticals.filter((stroke) => Math.abs(stroke.at - x) <= near);
    return sides.reduce((sum, stroke) => sum + stroke.end - stroke.start, 0) > (y2 - y1) * 0.9;
  };
  return { x1, y1, x2, y2, rows, columns, cells, xs, ys, framed: isClosed(x1) || isClosed(x2) };
}

/** Whether strokes at a place cover most of a stretch. */
function coverage(
  strokes: readonly Stroke[],
  places: readonly number[],
): (place: number, start: number, end: number) => boolean {
  const byPlace = new Map<number, Stroke[]>();
  for (const stroke of strokes) {
    const place = places.findIndex((value) => Math.abs(value - stroke.at) <= near * 1.3);
    if (place >= 0) byPlace.set(place, [...(byPlace.get(place) ?? []), stroke]);
  }
  return (place, start, end) => {
    let covered = 0;
    for (const stroke of byPlace.get(place) ?? []) {
      covered += Math.max(0, Math.min(end, stroke.end) - Math.max(start, stroke.start));
    }
    return covered > (end - start) * 0.6;
  };
}

function cellsOf(xs: number[], ys: number[], horizontals: Stroke[], verticals: Stroke[]): GridCell[] {
  const rows = ys.length - 1;
  const columns = xs.length - 1;
  const hasHorizontal = coverage(horizontals, ys);
  const hasVertical = coverage(verticals, xs);
  const taken = new Uint8Array(rows * columns);
  const cells: GridCell[] = [];
  const x = (i: number): number => xs[i] ?? 0;
  const y = (i: number): number => ys[i] ?? 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column] === 1) continue;
      let columnSpan = 1;
      while (
        column + columnSpan < columns &&
        taken[row * columns + column + columnSpan] === 0 &&
        !hasVertical(column + columnSpan, y(row), y(row + 1))
      ) {
        columnSpan++;
      }
      let rowSpan = 1;
      const openBelow = (): boolean => {
        for (let c = column; c < column + columnSpan; c++) {
          if (hasHorizontal(row + rowSpan, x(c), x(c + 1)) || taken[(row + rowSpan) * columns + c] === 1) return false;
          if (c > column && hasVertical(c, y(row + rowSpan), y(row + rowSpan + 1))) return false;
        }
        return true;
      };
      while (row + rowSpan < rows && openBelow()) rowSpan++;
      for (let r = row; r < row + rowSpan; r++) taken.fill(1, r * columns + column, r * columns + column + columnSpan);
      cells.push({
        row,
        column,
        rowSpan,
        columnSpan,
        x1: x(column),
        y1: y(row),
        x2: x(column + columnSpan),
        y2: y(row + rowSpan),
      });
    }
  }
  return cells;
}
