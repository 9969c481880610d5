/** A scanned document made of pictures of the corpus: one page each, nothing but the picture, as a scanner writes it. */
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import PDFDocument from "pdfkit";
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import sharp from "sharp";

const scannedDpi = 200;
const pointsPerInch = 72;

/** Upright pages of printed text. */
const pictures = [
  "textbook_science4_01_p01.jpg",
  "textbook_science4_01_p03.jpg",
  "textbook_science4_01_p04.jpg",
  "textbook_science4_01_p06.jpg",
  "textbook_science4_02_p02.jpg",
  "textbook_science4_02_p04.jpg",
  "textbook_science4_02_p05.jpg",
  "textbook_science4_03_p04.jpg",
  "textbook_science4_04_p06.jpg",
  "textbook_physicslab_p12.jpg",
  "textbook_physicslab_p24.jpg",
  "textbook_physicslab_p35.jpg",
  "textbook_physicslab_p48.jpg",
  "textbook_induction_p03.jpg",
  "textbook_induction_p08.jpg",
  "textbook_induction_p15.jpg",
];

export interface ScannedPage {
  picture: string;
  /** What it says. */
  truth: string;
}

/** Answers what is in it, in order; some pages come twice where there are not enough. */
export async function makeScan(options: { corpus: string; pages: number; path: string }): Promise<ScannedPage[]> {
  const chosen = Array.from({ length: options.pages }, (_, page) =>
    join(options.corpus, "scans", pictures[page % pictures.length] as string),
  );
  const document = new PDFDocument({ autoFirstPage: false });
  const file = createWriteStream(options.path);
  document.pipe(file);
  for (const picture of chosen) {
    const { width = 0, height = 0 } = await sharp(picture).metadata();
    const size: [number, number] = [(width / scannedDpi) * pointsPerInch, (height / scannedDpi) * pointsPerInch];
    document.addPage({ size, margin: 0 }).image(picture, 0, 0, { width: size[0], height: size[1] });
  }
  document.end();
  await finished(file);
  return Promise.all(
    chosen.map(async (picture) => {
      return { picture, truth: await readFile(picture.replace(/\.jpg$/, ".txt"), "utf8") };
    }),
  );
}
