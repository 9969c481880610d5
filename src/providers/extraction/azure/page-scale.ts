/** Brings Azure's polygons into points. PDFs are measured in inches, images in pixels. */
import type { Box } from "../../../layout/page.ts";
import type { AnalyzedPage, Passage } from "./analyze-result.ts";

export interface PageScale {
  /** Points for one of the page's units. */
  points: number;
}

const pointsPerInch = 72;
const usualDpi = [72, 96, 150, 200, 300, 400, 600];
/** The longer side of A4 and Letter lies around it. */
const usualLongSideInches = 11.4;

/** `dpi` is that of an image, where it is known; else the one that makes the page most like a sheet of paper. */
export function scaleOf(page: AnalyzedPage, dpi?: number): PageScale {
  if (page.unit !== "pixel") return { points: pointsPerInch };
  const fitting = Math.max(page.width, page.height) / usualLongSideInches;
  const guess = usualDpi.reduce((best, one) => (distance(one, fitting) < distance(best, fitting) ? one : best));
  return { points: pointsPerInch / (dpi ?? guess) };
}

/** Sizes are told apart by their ratio. */
function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / Math.max(other, 1)));
}

export function toBox(polygon: readonly number[], { points }: PageScale): Box {
  const xs = polygon.filter((_, index) => index % 2 === 0);
  const ys = polygon.filter((_, index) => index % 2 === 1);
  if (xs.length === 0 || ys.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return {
    x: round(x * points),
    y: round(y * points),
    width: round((Math.max(...xs) - x) * points),
    height: round((Math.max(...ys) - y) * points),
  };
}

/** Where a passage begins: its first region, and the page of it. */
export function firstRegion({ boundingRegions }: Pick<Passage, "boundingRegions">) {
  return boundingRegions[0];
}

/** A hundredth of a point is finer than anything printed, and keeps what is stored small. */
export function round(points: number): number {
  return Math.round(points * 100) / 100;
}
