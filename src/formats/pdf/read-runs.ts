/** Runs are PDFium's text objects: characters of one font, size and direction. What they share is looked up once. */

import { type FontStyle, readFontStyle } from "./font-style.ts";
import type { PageSpace } from "./page-space.ts";
import type { Pdfium } from "./pdfium.ts";

export interface Run {
  style: FontStyle;
  /** Height of the type in points. */
  size: number;
  /** How far the font reaches above and below the base line, in points; below is negative. */
  ascent: number;
  descent: number;
  /** Which way the text runs on the page as shown, in quarter turns clockwise; undefined when it runs aslant. */
  direction: 0 | 1 | 2 | 3 | undefined;
  /** Neither filled nor stroked: what OCR lays over a scan. */
  invisible: boolean;
}

interface Font {
  style: FontStyle;
  ascent: number;
  descent: number;
}

export interface RunTable {
  /** The run of the character at `index` of a page's text. */
  of(index: number): Run;
}

const invisibleModes = new Set([3, 7]);
/** Beyond about four degrees text is aslant. */
const straight = 0.07;

export function readRuns(pdfium: Pdfium, textPage: number, space: PageSpace): RunTable {
  const { call, scratch } = pdfium;
  const runs = new Map<number, Run>();
  const fonts = new Map<number, Font>();

  return {
    of(index) {
      const object = call.FPDFText_GetTextObject(textPage, index);
      let run = runs.get(object);
      if (!run) {
        run = describe(object, index);
        runs.set(object, run);
      }
      return run;
    },
  };

  function describe(object: number, index: number): Run {
    const handle = call.FPDFTextObj_GetFont(object);
    let font = fonts.get(handle);
    if (!font) {
      font = describeFont(handle);
      fonts.set(handle, font);
    }
    call.FPDFText_GetMatrix(textPage, index, scratch);
    const [a = 1, b = 0, c = 0, d = 1] = pdfium.floats().subarray(scratch >> 2, (scratch >> 2) + 4);
    const size = call.FPDFText_GetFontSize(textPage, index) * Math.hypot(c, d) || 1;
    const along = [space.x(a, b) - space.x(0, 0), space.y(a, b) - space.y(0, 0)] as const;
    return {
      style: font.style,
      size: Math.abs(size),
      ascent: font.ascent * Math.abs(size),
      descent: font.descent * Math.abs(size),
      direction: directionOf(along[0], along[1]),
      invisible: invisibleModes.has(call.FPDFTextObj_GetTextRenderMode(object)),
    };
  }

  function describeFont(font: number): Font {
    const name = pdfium.readText((buffer, bytes) => call.FPDFFont_GetBaseFontName(font, buffer, bytes), "utf8");
    call.FPDFFont_GetAscent(font, 1, scratch);
    call.FPDFFont_GetDescent(font, 1, scratch + 4);
    const [ascent = 0, descent = 0] = pdfium.floats().subarray(scratch >> 2, (scratch >> 2) + 2);
    return {
      style: readFontStyle(name, Math.max(call.FPDFFont_GetFlags(font), 0)),
      // Fonts are careless with these; a box must neither vanish nor reach into the next line.
      ascent: ascent > 0.5 && ascent < 1.05 ? ascent : 0.8,
      descent: descent < 0 && descent > -0.4 ? descent : -0.2,
    };
  }
}

function directionOf(x: number, y: number): Run["direction"] {
  const length = Math.hypot(x, y) || 1;
  if (Math.abs(y) <= straight * length) return x >= 0 ? 0 : 2;
  if (Math.abs(x) <= straight * length) return y >= 0 ? 1 : 3;
  return undefined;
}
