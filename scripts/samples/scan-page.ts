/** A printed page as a scanner gives it: drawn by the product's own PDF reader, a little askew, on paper with grain and shade. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { renderPdfPage } from "../../src/formats/pdf/render-pdf-page.ts";
import { withPdf } from "../../src/formats/pdf/with-pdf.ts";
import { createRandom } from "../../test/support/sheets/random.ts";

export interface ScanOptions {
  dpi: number;
  /** How far each page has turned on the glass. */
  degrees: (page: number) => number;
  encode: (image: Sharp) => Sharp;
}

const paper = 244;
const maxPixels = 20_000_000;

/** Every page of the PDF, in order. */
export async function scanPages(pdf: Buffer, pages: number, { dpi, degrees, encode }: ScanOptions): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), "docmill-samples-"));
  try {
    const path = join(folder, "pages.pdf");
    await writeFile(path, pdf);
    const scans: Buffer[] = [];
    for (let page = 1; page <= pages; page++) {
      const options = { dpi, maxPixels, colour: false };
      const drawn = await withPdf(path, (pdfium, document) => renderPdfPage(pdfium, document, page, options));
      const raw = { width: drawn.width, height: drawn.height, channels: 1 } as const;
      const turned = await sharp(drawn.data, { raw })
        .linear((paper - 30) / 255, 30)
        .rotate(degrees(page), { background: { r: paper, g: paper, b: paper } })
        .toColourspace("b-w")
        .blur(0.45)
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height } = turned.info;
      const worn = wear(turned.data, width, page);
      const image = sharp(worn, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
      scans.push(await encode(image.withMetadata({ density: dpi })).toBuffer());
    }
    return scans;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Grain all over, and the shade of the fold on the side where the page was bound. */
function wear(pixels: Buffer, width: number, page: number): Buffer {
  const random = createRandom(page * 7_919);
  const grain = Int8Array.from({ length: 4_096 }, () => random.below(7) - 3);
  const bound = page % 2 === 1 ? 0 : width - 1;
  return Buffer.from(
    pixels.map((value, index) => {
      const away = Math.abs((index % width) - bound) / width;
      const shade = away < 0.06 ? (0.06 - away) * 500 : 0;
      // A step that shares no factor with the width keeps the grain from making a pattern.
      return Math.max(0, Math.min(255, value - shade + (grain[(index * 31 + (index >> 9)) & 4_095] ?? 0)));
    }),
  );
}
