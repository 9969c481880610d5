/** Pages as a scanner or a telephone would give them: a printed page, drawn, and what can happen to it on the way. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { renderPdfPage } from "../../src/formats/pdf/render-pdf-page.ts";
import { withPdf } from "../../src/formats/pdf/with-pdf.ts";
import type { PageImage } from "../../src/providers/ocr/ocr-engine.ts";
import { drawPdf } from "./sample-pdfs.ts";

/** What the printed page says, line by line. */
export const scanLines = [
  "The ferry to Little Hallow leaves at seven every",
  "morning, and nobody has ever seen it return empty.",
  "Its pilot keeps a heavy logbook of green leather,",
  "in which the weather, the cargo and the number of",
  "geese on deck are written down before each journey.",
  "On market days the crossing takes twenty minutes;",
  "in fog it takes as long as the fog pleases, though",
  "passengers are given barley soup and may play cards.",
];

/** The printed page in grey: 5 by 3 inches. */
export async function drawScan(dpi = 200): Promise<PageImage> {
  const pdf = await drawPdf(
    (document) => {
      document.font("Times-Roman").fontSize(14);
      for (const [line, text] of scanLines.entries()) document.text(text, 24, 24 + line * 22, { lineBreak: false });
    },
    { size: [360, 216], margin: 0 },
  );
  const folder = await mkdtemp(join(tmpdir(), "docmill-scan-"));
  try {
    const path = join(folder, "page.pdf");
    await writeFile(path, pdf);
    const options = { dpi, maxPixels: 50_000_000, colour: false };
    const drawn = await withPdf(path, (pdfium, document) => renderPdfPage(pdfium, document, 1, options));
    return { ...drawn, format: "grey" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page after something was done to its image, as a PNG. */
export async function editScan(scan: PageImage, edit: (image: Sharp) => Sharp): Promise<PageImage> {
  const { data, width, height, dpi } = scan;
  const edited = edit(sharp(data, { raw: { width, height, channels: 1 } }));
  const { data: png, info } = await edited.toColourspace("b-w").png().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(png), format: "encoded", width: info.width, height: info.height, dpi };
}

/** Nothing but paper, its grain and some specks of dust. */
export function drawNoise(dpi = 200): PageImage {
  const width = 5 * dpi;
  const height = 3 * dpi;
  const data = new Uint8Array(width * height);
  let seed = 7;
  for (let index = 0; index < data.length; index++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const chance = seed >>> 8;
    data[index] = chance % 500 === 0 ? 60 : 238 + (chance % 14);
  }
  return { data, format: "grey", width, height, dpi };
}
