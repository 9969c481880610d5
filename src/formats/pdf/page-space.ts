/** From the coordinates a PDF page is written in (any origin, y upwards, unrotated) to the page as it is shown. */
import type { Box } from "../../layout/page.ts";
import type { Pdfium } from "./pdfium.ts";

export interface PageSpace {
  width: number;
  height: number;
  x(x: number, y: number): number;
  y(x: number, y: number): number;
  /** The box around what lies between two corners. */
  box(left: number, bottom: number, right: number, top: number): Box;
}

export function measurePage(pdfium: Pdfium, page: number): PageSpace {
  const { call, scratch } = pdfium;
  call.FPDF_GetPageBoundingBox(page, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.floats().subarray(scratch >> 2, (scratch >> 2) + 4);
  const turned = call.FPDFPage_GetRotation(page);
  const [x, y] = turn(turned, left, bottom, right, top);
  return {
    width: call.FPDF_GetPageWidthF(page),
    height: call.FPDF_GetPageHeightF(page),
    x,
    y,
    box(x1, y1, x2, y2) {
      const fromX = x(x1, y1);
      const toX = x(x2, y2);
      const fromY = y(x1, y1);
      const toY = y(x2, y2);
      return {
        x: Math.min(fromX, toX),
        y: Math.min(fromY, toY),
        width: Math.abs(toX - fromX),
        height: Math.abs(toY - fromY),
      };
    },
  };
}

type Coordinate = (x: number, y: number) => number;

function turn(turned: number, left: number, bottom: number, right: number, top: number): [Coordinate, Coordinate] {
  switch (turned) {
    case 1:
      return [(_x, y) => y - bottom, (x) => x - left];
    case 2:
      return [(x) => right - x, (_x, y) => y - bottom];
    case 3:
      return [(_x, y) => top - y, (x) => right - x];
    default:
      return [(x) => x - left, (_x, y) => top - y];
  }
}
