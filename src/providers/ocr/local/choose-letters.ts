/** Which of a page's shapes are letters by their size and form, as opposed to specks, lines, frames and pictures. */
import type { Shapes } from "./find-shapes.ts";

export interface Letters {
  count: number;
  left: Float64Array;
  top: Float64Array;
  right: Float64Array;
  bottom: Float64Array;
  /** The middle of their heights (the shorter side's and the longer side's alike when the page lies on its side). */
  size: number;
}

const leastSide = 5;
/** A sample is as good for what they are used for, and a page of small print has four times as many. */
const mostLetters = 3_000;

export function chooseLetters(shapes: Shapes, pageSide: number): Letters {
  const chosen: number[] = [];
  const sizes: number[] = [];
  for (let shape = 0; shape < shapes.count; shape++) {
    const { wide, high } = sides(shapes, shape);
    const long = Math.max(wide, high);
    const short = Math.min(wide, high);
    const filled = (shapes.areas[shape] as number) / (wide * high);
    if (long < leastSide || long > pageSide / 8 || short < 2 || long > short * 8 || filled < 0.12) continue;
    chosen.push(shape);
    sizes.push(long);
  }
  const size = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
  const alike = chosen.filter((_, index) => {
    const own = sizes[index] as number;
    return own > size * 0.55 && own < size * 2.2;
  });
  const every = Math.ceil(alike.length / mostLetters);
  const kept = every > 1 ? alike.filter((_, index) => index % every === 0) : alike;
  const edge = (offset: number) => Float64Array.from(kept, (shape) => shapes.boxes[shape * 4 + offset] as number);
  return { count: alike.length, left: edge(0), top: edge(1), right: edge(2), bottom: edge(3), size };
}

function sides({ boxes }: Shapes, shape: number): { wide: number; high: number } {
  const at = shape * 4;
  return {
    wide: (boxes[at + 2] as number) - (boxes[at] as number),
    high: (boxes[at + 3] as number) - (boxes[at + 1] as number),
  };
}
