/**
 * Words as the layout works with them: edges instead of width and height, every number finite, every word with a type
 * size. Whatever geometry a page comes with, each word with text in it goes in once.
 */
import type { PageText, Word } from "./page.ts";

export interface Edges {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface PlacedWord extends Edges {
  text: string;
  /** Of the type, in points; guessed from the box where the page does not tell. */
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** Set from bottom to top or top to bottom. */
  upright: boolean;
}

/** No page is larger: what lies further out is broken, and would only make every later sum huge. */
const furthest = 20_000;

function finite(value: number): number {
  return Number.isFinite(value) ? Math.min(furthest, Math.max(-furthest, value)) : 0;
}

export function middleOf(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] ?? 0;
}

function textOf(word: Word): string {
  const text = word.text.trim();
  return /\s/.test(text) ? text.replace(/\s+/g, " ") : text;
}

/** Higher than wide for its letters: set along the edge, or turned in a table's header. */
function isUpright(text: string, width: number, height: number, size: number | undefined): boolean {
  if (text.length < 3) return false;
  if (size === undefined || !(size > 0.5)) return height > width * 2.2 && height > 12;
  return (
    width <= size * 1.5 && height > Math.max(1.45, text.length * 0.4) * size && text.length * size * 0.5 > width * 1.3
  );
}

export function placeWords(page: PageText): PlacedWord[] {
  const placed: PlacedWord[] = [];
  const heights: number[] = [];
  for (const word of page.words) {
    const text = textOf(word);
    if (text === "") continue;
    const left = finite(word.box.x);
    const top = finite(word.box.y);
    const right = finite(left + finite(word.box.width));
    const bottom = finite(top + finite(word.box.height));
    const width = Math.abs(right - left);
    const height = Math.abs(bottom - top);
    const upright = isUpright(text, width, height, word.fontSize);
    const known = word.fontSize !== undefined && Number.isFinite(word.fontSize) && word.fontSize > 0.5;
    if (!known && !upright && height > 0) heights.push(height);
    placed.push({
      text,
      x1: Math.min(left, right),
      y1: Math.min(top, bottom),
      x2: Math.max(left, right),
      y2: Math.max(top, bottom),
      size: known ? Math.min(word.fontSize ?? 0, 400) : 0,
      bold: word.bold === true,
      italic: word.italic === true,
      mono: word.mono === true,
      upright,
    });
  }
  guessSizes(placed, middleOf(heights));
  return placed;
}

/**
 * A recognised word's box ends with its ink: "acne" is half as high as "Apply" in the same type. No word is therefore
 * taken to be smaller than the page's usual one, unless it is much smaller.
 */
function guessSizes(words: PlacedWord[], usual: number): void {
  for (const word of words) {
    if (word.size > 0) continue;
    const height = word.upright ? word.x2 - word.x1 : word.y2 - word.y1;
    if (height <= 0) word.size = usual > 0 ? usual : 10;
    else word.size = height > usual * 0.55 && height < usual ? usual : Math.min(height, 400);
  }
}
