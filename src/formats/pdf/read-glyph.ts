/** Where a character stands on the page as shown: its ends along the line, and the line's height across. */
import type { PageSpace } from "./page-space.ts";
import type { Pdfium } from "./pdfium.ts";
import type { Run } from "./read-runs.ts";

export interface Glyph {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Its place on the base line. */
  baseX: number;
  baseY: number;
}

export function readGlyph(pdfium: Pdfium, textPage: number, index: number, space: PageSpace, run: Run): Glyph {
  const { call, scratch } = pdfium;
  // Doubles: left, right, bottom, top of the ink; x, y of the origin.
  call.FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24);
  call.FPDFText_GetCharOrigin(textPage, index, scratch + 32, scratch + 40);
  const at = scratch >> 3;
  const results = pdfium.doubles();
  const x1 = results[at] as number;
  const x2 = results[at + 1] as number;
  const y1 = results[at + 2] as number;
  const y2 = results[at + 3] as number;
  const originX = results[at + 4] as number;
  const originY = results[at + 5] as number;
  const cornerX = space.x(x1, y1);
  const cornerY = space.y(x1, y1);
  const farX = space.x(x2, y2);
  const farY = space.y(x2, y2);
  const glyph = {
    left: Math.min(cornerX, farX),
    top: Math.min(cornerY, farY),
    right: Math.max(cornerX, farX),
    bottom: Math.max(cornerY, farY),
    baseX: space.x(originX, originY),
    baseY: space.y(originX, originY),
  };
  reachAcross(glyph, run);
  return glyph;
}

/** Ink is as high as its letter is; for lines and rows words of one font must be equally high. */
function reachAcross(glyph: Glyph, { direction, ascent, descent }: Run): void {
  const { baseX, baseY } = glyph;
  switch (direction) {
    case 0:
      glyph.top = baseY - ascent;
      glyph.bottom = baseY - descent;
      break;
    case 1:
      glyph.left = baseX + descent;
      glyph.right = baseX + ascent;
      break;
    case 2:
      glyph.top = baseY + descent;
      glyph.bottom = baseY + ascent;
      break;
    case 3:
      glyph.left = baseX - ascent;
      glyph.right = baseX - descent;
      break;
    case undefined:
      break;
  }
}
