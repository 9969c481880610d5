/** Takes aside what stands in the margin of the text: numbers of lines, and text set along the edge. */
import type { Line } from "./line.ts";
import { lineOf } from "./line.ts";
import type { PageText } from "./page.ts";

export function takeMargins(lines: Line[], page: PageText): { lines: Line[]; margins: Line[] } {
  const upright = lines.filter((line) => line.upright);
  const level = upright.length > 0 ? lines.filter((line) => !line.upright) : lines;
  const numbers = lineNumbers(level, page);
  if (numbers.size === 0) return { lines: level, margins: upright };
  const numbered = [...numbers].sort((a, b) => a.y1 - b.y1).flatMap((line) => line.words);
  return { lines: level.filter((line) => !numbers.has(line)), margins: [...upright, lineOf(numbered)] };
}

/** Numbers one below the other that count up by one (or by five) left of the text or right of it. */
function lineNumbers(lines: readonly Line[], page: PageText): Set<Line> {
  const lone = lines.filter((line) => line.words.length === 1 && /^\d{1,3}$/.test(line.words[0]?.text ?? ""));
  if (lone.length < 5) return new Set();
  for (const side of ["left", "right"] as const) {
    const edge = side === "left" ? Math.min(...lone.map((line) => line.x2)) : Math.max(...lone.map((line) => line.x1));
    const inColumn = lone
      .filter((line) => Math.abs((side === "left" ? line.x2 : line.x1) - edge) < line.size * 1.5)
      .sort((a, b) => a.y1 - b.y1);
    const inside = side === "left" ? edge < page.width * 0.3 : edge > page.width * 0.7;
    if (!inside || !countsUp(inColumn) || !isBesideAll(inColumn, lines, edge, side)) continue;
    return new Set(inColumn);
  }
  return new Set();
}

function countsUp(lines: readonly Line[]): boolean {
  if (lines.length < 5) return false;
  const values = lines.map((line) => Number(line.words[0]?.text));
  const step = (values[1] ?? 0) - (values[0] ?? 0);
  if (step !== 1 && step !== 5) return false;
  let odd = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) - (values[i - 1] ?? 0) !== step) odd++;
  return odd <= Math.floor(values.length / 10);
}

/** Nothing else may stand on their side of the page. */
function isBesideAll(numbers: readonly Line[], lines: readonly Line[], edge: number, side: "left" | "right"): boolean {
  const own = new Set(numbers);
  let beyond = 0;
  for (const line of lines) {
    if (own.has(line)) continue;
    if (side === "left" ? line.x1 < edge : line.x2 > edge) beyond++;
  }
  return beyond <= Math.max(2, lines.length * 0.05) && longEnough(lines, own);
}

/** A table's first column counts up as well, but cells follow it, not lines of text. */
function longEnough(lines: readonly Line[], numbers: ReadonlySet<Line>): boolean {
  const others = lines.filter((line) => !numbers.has(line));
  const words = others.reduce((sum, line) => sum + line.words.length, 0);
  return words >= others.length * 2.5;
}
