/**
 * What is drawn on a page beside its text: ruling lines for the tables, and how much of it is image or outline, by which
 * a scan is told from a page with text. Looks at so many objects and no more: maps and plots have hundreds of thousands.
 */
import type { Rule } from "../../layout/page.ts";
import { joinRules } from "./join-rules.ts";
import type { PageSpace } from "./page-space.ts";
import type { Pdfium } from "./pdfium.ts";

export interface PageSurvey {
  rules: Rule[];
  /** Share of the page under its images: 0 to 1. */
  imageCover: number;
  /** The finest resolution, in pixels per inch, of an image that fills much of the page. */
  imageDpi?: number;
  /** All text lies under pictures: it is what OCR read from them, like text that is not drawn at all. */
  textCovered: boolean;
  /** Curved pieces of paths: letters drawn as outlines have many. */
  curves: number;
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const mostObjects = 20_000;
const mostSegments = 50_000;
const mostRules = 4_000;
const deepestForm = 6;

// Kinds of page objects and of path segments.
const text = 1;
const path = 2;
const image = 3;
const form = 5;
const lineTo = 0;
const curveTo = 1;
const moveTo = 2;

/** An image that fills so much of the page is what was scanned. */
const scanShare = 0.4;
/** Thinner than this, a filled rectangle is a line. */
const lineWidth = 4;
/** How far a line may deviate from the upright, in points. */
const slope = 0.8;

export function surveyPage(pdfium: Pdfium, page: number, space: PageSpace): PageSurvey {
  const { call, scratch } = pdfium;
  const rules: Rule[] = [];
  const covered = new CoverGrid(space.width, space.height);
  let objects = 0;
  let segments = 0;
  let curves = 0;
  let lastTextAt = 0;
  let lastImageAt = 0;
  let imageDpi: number | undefined;

  visit(call.FPDFPage_CountObjects(page), (index) => call.FPDFPage_GetObject(page, index), identity, 0);
  const textCovered = lastTextAt < lastImageAt;
  return { rules: joinRules(rules), imageCover: covered.share(), imageDpi, textCovered, curves };

  function visit(count: number, get: (index: number) => number, around: Matrix, depth: number): void {
    for (let index = 0; index < count && objects < mostObjects; index++) {
      const object = get(index);
      objects++;
      switch (call.FPDFPageObj_GetType(object)) {
        case text:
          lastTextAt = objects;
          break;
        case path:
          if (segments < mostSegments && rules.length < mostRules) readPath(object, multiply(matrixOf(object), around));
          break;
        case image:
          readImage(object, boundsOf(object, around));
          lastImageAt = objects;
          break;
        case form:
          if (depth < deepestForm) {
            const inner = multiply(matrixOf(object), around);
            visit(
              call.FPDFFormObj_CountObjects(object),
              (at) => call.FPDFFormObj_GetObject(object, at),
              inner,
              depth + 1,
            );
          }
          break;
      }
    }
  }

  function readImage(object: number, bounds: Rule): void {
    covered.add(bounds);
    const area = (bounds.x2 - bounds.x1) * (bounds.y2 - bounds.y1);
    if (area < scanShare * space.width * space.height) return;
    if (call.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4) === 0) return;
    const [width = 0, height = 0] = pdfium.ints().subarray(scratch >> 2, (scratch >> 2) + 2);
    imageDpi = Math.max(imageDpi ?? 0, 72 * Math.sqrt((width * height) / area));
  }

  function readPath(object: number, matrix: Matrix): void {
    call.FPDFPath_GetDrawMode(object, scratch, scratch + 4);
    const [fill = 0, stroke = 0] = pdfium.ints().subarray(scratch >> 2, (scratch >> 2) + 2);
    if (fill === 0 && stroke === 0) return;
    const outline = readOutline(object, matrix);
    if (stroke !== 0) for (const rule of outline) addLine(rule);
    else if (isPainted(object)) addFilled(outline);
  }

  /** The straight lines of a path on the page as shown. */
  function readOutline(object: number, matrix: Matrix): Rule[] {
    const count = Math.min(call.FPDFPath_CountSegments(object), mostSegments - segments);
    segments += count;
    const lines: Rule[] = [];
    let startX = 0;
    let startY = 0;
    let fromX = 0;
    let fromY = 0;
    for (let index = 0; index < count; index++) {
      const segment = call.FPDFPath_GetPathSegment(object, index);
      const kind = call.FPDFPathSegment_GetType(segment);
      call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
      const numbers = pdfium.floats();
      const rawX = numbers[scratch >> 2] as number;
      const rawY = numbers[(scratch >> 2) + 1] as number;
      const userX = matrix[0] * rawX + matrix[2] * rawY + matrix[4];
      const userY = matrix[1] * rawX + matrix[3] * rawY + matrix[5];
      const x = space.x(userX, userY);
      const y = space.y(userX, userY);
      if (kind === moveTo) [startX, startY] = [x, y];
      else if (kind === lineTo) lines.push({ x1: fromX, y1: fromY, x2: x, y2: y });
      else if (kind === curveTo) curves++;
      if (call.FPDFPathSegment_GetClose(segment) !== 0) {
        lines.push({ x1: x, y1: y, x2: startX, y2: startY });
        [fromX, fromY] = [startX, startY];
      } else [fromX, fromY] = [x, y];
    }
    return lines;
  }

  function addLine({ x1, y1, x2, y2 }: Rule): void {
    if (rules.length >= mostRules) return;
    const within = (position: number, most: number) => Math.min(Math.max(position, 0), most);
    const rule = {
      x1: within(Math.min(x1, x2), space.width),
      y1: within(Math.min(y1, y2), space.height),
      x2: within(Math.max(x1, x2), space.width),
      y2: within(Math.max(y1, y2), space.height),
    };
    const width = rule.x2 - rule.x1;
    const height = rule.y2 - rule.y1;
    if (height <= slope && width > height)
      rules.push({ ...rule, y1: (rule.y1 + rule.y2) / 2, y2: (rule.y1 + rule.y2) / 2 });
    else if (width <= slope && height > width)
      rules.push({ ...rule, x1: (rule.x1 + rule.x2) / 2, x2: (rule.x1 + rule.x2) / 2 });
  }

  /** A filled rectangle is a line when it is thin, and a box with four edges otherwise. */
  function addFilled(outline: readonly Rule[]): void {
    // Anything but rectangles, one or several in a path, is a drawing.
    if (outline.length < 3 || outline.length > 400) return;
    if (!outline.every((line) => Math.abs(line.x1 - line.x2) <= slope || Math.abs(line.y1 - line.y2) <= slope)) return;
    for (let from = 0; from < outline.length; ) {
      let to = from + 1;
      while (to < outline.length && follows(outline[to - 1] as Rule, outline[to] as Rule)) to++;
      addRectangle(outline.slice(from, to));
      from = to;
    }
  }

  function addRectangle(lines: readonly Rule[]): void {
    const x1 = Math.min(...lines.flatMap((line) => [line.x1, line.x2]));
    const x2 = Math.max(...lines.flatMap((line) => [line.x1, line.x2]));
    const y1 = Math.min(...lines.flatMap((line) => [line.y1, line.y2]));
    const y2 = Math.max(...lines.flatMap((line) => [line.y1, line.y2]));
    const width = x2 - x1;
    const height = y2 - y1;
    if (height <= lineWidth && width > height) addLine({ x1, y1: (y1 + y2) / 2, x2, y2: (y1 + y2) / 2 });
    else if (width <= lineWidth && height > width) addLine({ x1: (x1 + x2) / 2, y1, x2: (x1 + x2) / 2, y2 });
    // The page's background is no box.
    else if (width * height < 0.85 * space.width * space.height) {
      addLine({ x1, y1, x2, y2: y1 });
      addLine({ x1, y1: y2, x2, y2 });
      addLine({ x1, y1, x2: x1, y2 });
      addLine({ x1: x2, y1, x2, y2 });
    }
  }

  /** White on a white page is nothing to see. */
  function isPainted(object: number): boolean {
    if (call.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return true;
    const [red = 0, green = 0, blue = 0, opacity = 255] = pdfium.ints().subarray(scratch >> 2, (scratch >> 2) + 4);
    return opacity > 8 && Math.min(red, green, blue) < 250;
  }

  function matrixOf(object: number): Matrix {
    if (call.FPDFPageObj_GetMatrix(object, scratch) === 0) return identity;
    return [...pdfium.floats().subarray(scratch >> 2, (scratch >> 2) + 6)] as unknown as Matrix;
  }

  function boundsOf(object: number, around: Matrix): Rule {
    call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12);
    const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.floats().subarray(scratch >> 2, (scratch >> 2) + 4);
    const [x1, y1] = apply(around, left, bottom);
    const [x2, y2] = apply(around, right, top);
    const box = space.box(x1, y1, x2, y2);
    return { x1: box.x, y1: box.y, x2: box.x + box.width, y2: box.y + box.height };
  }
}

function follows(before: Rule, after: Rule): boolean {
  return before.x2 === after.x1 && before.y2 === after.y1;
}

function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [x, y] = apply(outer, e, f);
  return [
    a * outer[0] + b * outer[2],
    a * outer[1] + b * outer[3],
    c * outer[0] + d * outer[2],
    c * outer[1] + d * outer[3],
    x,
    y,
  ];
}

function apply(matrix: Matrix, x: number, y: number): [number, number] {
  return [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]];
}

/** Scans often come in strips, and pictures overlap: cover is counted on a grid. */
class CoverGrid {
  readonly #cells = new Uint8Array(32 * 32);
  readonly #width: number;
  readonly #height: number;
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  add({ x1, y1, x2, y2 }: Rule): void {
    const cell = (position: number, size: number) => Math.min(Math.max(Math.round((position / size) * 32), 0), 32);
    const toX = cell(x2, this.#width);
    const toY = cell(y2, this.#height);
    for (let row = cell(y1, this.#height); row < toY; row++) {
      this.#cells.fill(1, row * 32 + cell(x1, this.#width), row * 32 + toX);
    }
  }

  share(): number {
    return this.#cells.reduce((sum, cell) => sum + cell, 0) / this.#cells.length;
  }
}
