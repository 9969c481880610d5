/** Puts rows below each other in columns and pages, as a report does: down a column, then the next, then the next page. */
import type { Mark } from "./draw-marks.ts";

export interface ColumnShape {
  columns: number;
  /** From one column to the next. */
  shift: number;
  top: number;
  bottom: number;
  pitch: number;
}

/** What a place is the beginning of, besides its row. */
export type PlaceStart = "page" | "column" | "row";

export class ColumnFlow {
  readonly pages: Mark[][] = [];
  readonly #shape: ColumnShape;
  readonly #furniture: (page: number) => Mark[];
  #column: number;
  #y = Number.POSITIVE_INFINITY;
  /** What the next row will be the first of. */
  start: PlaceStart = "page";

  constructor(shape: ColumnShape, furniture: (page: number) => Mark[]) {
    this.#shape = shape;
    this.#furniture = furniture;
    this.#column = shape.columns;
  }

  /** From 1. */
  get page(): number {
    return this.pages.length;
  }

  /** Goes on to the next column where fewer than so many rows are left. True when it did. */
  ensure(rows: number): boolean {
    const { pitch, bottom, top, columns } = this.#shape;
    if (this.#y + (rows - 1) * pitch <= bottom) return false;
    this.#column++;
    this.start = "column";
    if (this.#column >= columns) {
      this.#column = 0;
      this.start = "page";
      this.pages.push(this.#furniture(this.pages.length + 1));
    }
    this.#y = top;
    return true;
  }

  /** Marks whose x counts from the left edge of the first column; their y is set. */
  add(marks: readonly Omit<Mark, "y">[]): void {
    this.ensure(1);
    const { shift, pitch } = this.#shape;
    const page = this.pages.at(-1);
    page?.push(...marks.map((mark) => ({ ...mark, x: mark.x + this.#column * shift, y: this.#y })));
    this.#y += pitch;
    this.start = "row";
  }

  /** Space before a heading, which puts the rows of neighbouring columns out of step. */
  skip(points: number): void {
    if (this.start === "row") this.#y += points;
  }
}
