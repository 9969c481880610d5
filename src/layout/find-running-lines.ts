/**
 * Tells running heads and feet within a region: lines at the edge of the page, clear of what stands next to them, with
 * the page's number on one side and words on the other.
 */
import { hasLeaders } from "./contents-lines.ts";
import type { Line } from "./line.ts";
import { numbersAtEnds } from "./read-page-number.ts";
import { cellsOf } from "./split-cells.ts";

/** Of the page's height. */
const edgeShare = 0.14;
/** To the next line, in type sizes. */
const clear = 0.8;
const mostWords = 16;

export function findRunningLines(lines: readonly Line[], pageHeight: number): boolean[] {
  const found: boolean[] = new Array(lines.length).fill(false);
  const [first, second] = lines;
  const [beforeLast, last] = lines.slice(-2);
  if (first === undefined || second === undefined || beforeLast === undefined || last === undefined) return found;
  const isHead = first.y2 < pageHeight * edgeShare && second.y1 - first.y2 > first.size * clear;
  const isFoot = last.y1 > pageHeight * (1 - edgeShare) && last.y1 - beforeLast.y2 > last.size * clear;
  if (isHead && hasNumberBeside(first)) found[0] = true;
  if (isFoot && hasNumberBeside(last)) found[found.length - 1] = true;
  return found;
}

function hasNumberBeside(line: Line): boolean {
  if (line.upright || line.words.length > mostWords || hasLeaders(line)) return false;
  const cells = cellsOf(line).length;
  if (cells < 2 || cells > 3) return false;
  return numbersAtEnds(line.words.map((word) => word.text).join(" ")).length > 0;
}
