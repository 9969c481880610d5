/** Boxes on a page: in points as the server gives them, in percent as they are drawn, so that they scale with the picture. */
import type { PageWords } from "../../../../../src/contract/documents.ts";

export type Box = PageWords["words"][number]["box"];
export type PageSize = Pick<PageWords, "width" | "height">;

export interface Placement {
  left: string;
  top: string;
  width: string;
  height: string;
}

/** Boxes are given some air, and never reach beyond the page. */
export function placeBox({ x, y, width, height }: Box, page: PageSize, air = 0): Placement {
  const left = clamp(x - air, 0, page.width);
  const top = clamp(y - air, 0, page.height);
  const right = clamp(x + width + air, left, page.width);
  const bottom = clamp(y + height + air, top, page.height);
  return {
    left: percent(left, page.width),
    top: percent(top, page.height),
    width: percent(right - left, page.width),
    height: percent(bottom - top, page.height),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function percent(part: number, whole: number): string {
  return `${whole > 0 ? Math.round((part / whole) * 1e5) / 1e3 : 0}%`;
}

/** Boxes of words that follow each other on a line become one. */
export function joinLines(boxes: readonly Box[]): Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const line = lines.at(-1);
    if (line && isBeside(line, box)) lines[lines.length - 1] = union(line, box);
    else lines.push(box);
  }
  return lines;
}

function isBeside(line: Box, next: Box): boolean {
  const shared = Math.min(line.y + line.height, next.y + next.height) - Math.max(line.y, next.y);
  const lower = Math.min(line.height, next.height);
  const gap = next.x - (line.x + line.width);
  return shared > lower / 2 && gap > -lower && gap < lower * 2;
}

function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
