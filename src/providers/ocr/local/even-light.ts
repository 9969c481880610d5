/**
 * Takes shadows and yellowed paper out of a page: every pixel is divided by how bright the paper is around it. Tesseract
 * splits ink from paper at one level for the whole page, which a photograph's shadow defeats. Pages with an even ground
 * stay as they are.
 */
import type { GreyImage } from "./grey-image.ts";

const tilesAcross = 32;
/** Paper that is everywhere at least this bright, and this even, needs nothing. */
const brightEnough = 200;
const evenEnough = 25;

/** In place. */
export function evenLight(image: GreyImage): void {
  const { data, width, height } = image;
  const side = Math.max(16, Math.ceil(Math.max(width, height) / tilesAcross));
  const columns = Math.ceil(width / side);
  const rows = Math.ceil(height / side);
  const paper = spread(measurePaper(image, side, columns, rows), columns, rows);
  const sorted = paper.toSorted();
  const dark = sorted[Math.floor(sorted.length * 0.05)] as number;
  const bright = sorted[Math.floor(sorted.length * 0.95)] as number;
  if (dark >= brightEnough && bright - dark <= evenEnough) return;

  const rowLight = new Float32Array(columns);
  for (let y = 0; y < height; y++) {
    const [above, below, down] = between((y + 0.5) / side - 0.5, rows);
    for (let column = 0; column < columns; column++) {
      const upper = paper[above * columns + column] as number;
      rowLight[column] = upper + ((paper[below * columns + column] as number) - upper) * down;
    }
    for (let column = -1; column < columns; column++) {
      const first = rowLight[Math.max(0, column)] as number;
      const last = rowLight[Math.min(columns - 1, column + 1)] as number;
      const start = Math.max(0, Math.round((column + 0.5) * side));
      const end = Math.min(width, Math.round((column + 1.5) * side));
      let light = first + ((last - first) * (start - (column + 0.5) * side)) / side;
      const step = (last - first) / side;
      for (let index = y * width + start; index < y * width + end; index++, light += step) {
        const value = ((data[index] as number) * 255) / light;
        data[index] = value > 255 ? 255 : value;
      }
    }
  }
}

/** Per tile the level that a tenth of its pixels exceed: paper, as long as some of it shows. */
function measurePaper({ data, width, height }: GreyImage, side: number, columns: number, rows: number): Uint8Array {
  const paper = new Uint8Array(columns * rows);
  const levels = new Uint16Array(256);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      levels.fill(0);
      let count = 0;
      const right = Math.min(width, (column + 1) * side);
      const bottom = Math.min(height, (row + 1) * side);
      for (let y = row * side; y < bottom; y += 2) {
        for (let x = column * side; x < right; x += 2) {
          const level = data[y * width + x] as number;
          levels[level] = (levels[level] as number) + 1;
          count += 1;
        }
      }
      let level = 255;
      for (let seen = levels[255] as number; seen * 10 < count; seen += levels[level] as number) level -= 1;
      paper[row * columns + column] = level;
    }
  }
  return paper;
}

/** A tile that a picture or a black bar fills takes its paper from around it. */
function spread(paper: Uint8Array, columns: number, rows: number): Uint8Array {
  return paper.map((own, index) => {
    const column = index % columns;
    const row = (index - column) / columns;
    let brightest = own;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        brightest = Math.max(brightest, paper[y * columns + x] as number);
      }
    }
    // Where all around is dark too, making it white would only show the grain.
    return Math.max(own, Math.min(brightest, own * 2), 40);
  });
}

function between(position: number, count: number): [before: number, after: number, share: number] {
  const before = Math.floor(position);
  return [Math.max(0, before), Math.min(count - 1, before + 1), position - before];
}
