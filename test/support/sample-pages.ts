/** Page scans for tests: a few words in large type, drawn small, so that real OCR reads one in a fraction of a second. */
import sharp from "sharp";
import type { SampleFile } from "./document-place.ts";

interface PageSize {
  width: number;
  height: number;
}

const usual: PageSize = { width: 700, height: 500 };
/** Unlike any other page: what a fake service may know it by. */
const wide: PageSize = { width: 1_000, height: 300 };

/** An upright page in grey. */
export function drawPage(lines: readonly string[], size = usual): Promise<Buffer> {
  return sharp(paint(lines, size)).grayscale().png().toBuffer();
}

export async function wideSamplePage(name: string, ...lines: string[]): Promise<SampleFile> {
  return { name, bytes: await drawPage(lines, wide) };
}

/** Whether a PNG, as a data url, shows such a page. */
export function isWide(dataUrl: string): boolean {
  const png = Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
  return png.readUInt32BE(16) > 2 * png.readUInt32BE(20);
}

function paint(lines: readonly string[], { width, height } = usual): Buffer {
  const texts = lines.map((line, index) => `<text x="40" y="${90 + index * 62}">${line}</text>`);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<rect width="100%" height="100%" fill="white"/><g font-family="DejaVu Sans" font-size="34">${texts.join("")}</g></svg>`,
  );
}

/** As a telephone gives it: the pixels lie on their side, and EXIF says how to hold them. */
export function drawTurnedPage(lines: readonly string[]): Promise<Buffer> {
  return sharp(paint(lines)).rotate(-90).jpeg().withMetadata({ orientation: 6 }).toBuffer();
}

/** A TIFF with a page for each list of lines. */
export async function drawTiff(pages: readonly (readonly string[])[]): Promise<Buffer> {
  const drawn = await Promise.all(pages.map((lines) => drawPage(lines)));
  return sharp(drawn, { join: { animated: true } })
    .tiff({ compression: "deflate" })
    .toBuffer();
}

/** Begins like a PNG; the rest is missing. */
export async function drawCutPage(lines: readonly string[] = ["Cut in two"]): Promise<Buffer> {
  const whole = await drawPage(lines);
  return whole.subarray(0, Math.floor(whole.length / 3));
}

/** Paper and nothing on it. */
export function drawBlankPage(): Promise<Buffer> {
  return drawPage([]);
}

export async function samplePage(name: string, ...lines: string[]): Promise<SampleFile> {
  return { name, bytes: await drawPage(lines) };
}

/** `count` pages named in the order of their numbers, each with a word of its own. */
export function samplePages(count: number): Promise<SampleFile[]> {
  const words = ["apples", "bridges", "candles", "drums", "engines", "forests", "gardens", "harbours"];
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      samplePage(`page_${index + 1}.png`, `Leaf ${index + 1}`, `About ${words[index % words.length]}`),
    ),
  );
}

/** The text of a small schoolbook: two chapters, three subtopics, five pages. */
export const schoolbook: readonly string[] = [
  "Chapter 1: Fractions\n\n1.1 Halves and Quarters\n\nA fraction is a part of a whole. A half is one of two equal parts.\nExample 1: Cut a cake into two equal parts. Each part is one half.\n",
  "A quarter is one of four equal parts. Two quarters make a half.\nExercise 1: Colour one quarter of the square.\n",
  "1.2 Adding Fractions\n\nTo add fractions with the same denominator, add the numerators.\nExample 2: One quarter and two quarters make three quarters.\n",
  "The denominator stays the same when fractions are added. The numerators are counted together.\nExercise 2: Add one fifth and two fifths.\n",
  "Chapter 2: Magnets\n\n2.1 Poles of a Magnet\n\nA magnet is a body that attracts iron. Every magnet has a north pole and a south pole.\nActivity: Hold two magnets together and turn one of them.\n",
];
