/** Pages as a scanner gives them: small printed ones with text to recognise, and large files that are quick to look at. */
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import PDFDocument from "pdfkit";
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import sharp from "sharp";
import { renderPdfPage } from "../../src/formats/pdf/render-pdf-page.ts";
import { withPdf } from "../../src/formats/pdf/with-pdf.ts";
import { textbookPages } from "../../test/support/sample-textbook.ts";

const dpi = 200;
/** Of a small school book, in points. */
const paper: [number, number] = [396, 504];
const distinctPages = 20;
const endOfImage = Buffer.from([0xff, 0xd9]);

/** Names of files: 20 different pages again and again, each with a footer of its own. */
export async function makePrintedPages(folder: string, count: number): Promise<string[]> {
  const texts = textbookPages.filter((page) => page !== "").slice(0, distinctPages);
  const path = join(folder, "printed.pdf");
  await draw(path, (document) => {
    for (let page = 1; page <= count; page++) {
      document.addPage({ size: paper, margin: 0 }).font("Times-Roman").fontSize(11);
      document.text(texts[(page - 1) % texts.length] as string, 30, 30, { width: paper[0] - 60 });
      document.text(`Sheet ${page} of the whole book`, 30, paper[1] - 36, { lineBreak: false });
    }
  });
  const files: string[] = [];
  const options = { dpi, maxPixels: 24_000_000, colour: false };
  for (let page = 1; page <= count; page++) {
    const drawn = await withPdf(path, (pdfium, pdf) => renderPdfPage(pdfium, pdf, page, options));
    const { data, width, height } = drawn;
    const file = join(folder, `page_${page}.png`);
    const image = sharp(data, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
    await image.withMetadata({ density: dpi }).png().toFile(file);
    files.push(file);
  }
  return files;
}

/** The same scans as one document, for those who read nothing else. */
export async function bindScans(scans: readonly string[], path: string): Promise<void> {
  await draw(path, (document) => {
    for (const scan of scans) {
      document.addPage({ size: paper, margin: 0 }).image(scan, 0, 0, { width: paper[0], height: paper[1] });
    }
  });
}

async function draw(path: string, paint: (document: InstanceType<typeof PDFDocument>) => void): Promise<void> {
  const document = new PDFDocument({ autoFirstPage: false });
  const file = createWriteStream(path);
  document.pipe(file);
  paint(document);
  document.end();
  await finished(file);
}

/** Real images of so many bytes: behind the end of the picture come bytes that no two of them share and nothing packs. */
export async function makeLargeScans(folder: string, count: number, bytes: number): Promise<string[]> {
  const picture = await drawPicture();
  const files: string[] = [];
  for (let page = 1; page <= count; page++) {
    const file = join(folder, `page_${page}.jpg`);
    await writeFile(file, Buffer.concat([picture, randomBytes(bytes - picture.length)]));
    files.push(file);
  }
  return files;
}

/** Images of nothing, for pages whose text comes from elsewhere. */
export async function makeEmptyScans(folder: string, count: number): Promise<string[]> {
  const picture = await drawPicture();
  const files = Array.from({ length: count }, (_, page) => join(folder, `empty_${page + 1}.jpg`));
  for (const file of files) await writeFile(file, picture);
  return files;
}

async function drawPicture(): Promise<Buffer> {
  const grey = { width: 64, height: 64, channels: 3, background: "#dddddd" } as const;
  const jpeg = await sharp({ create: grey }).jpeg().toBuffer();
  if (!jpeg.subarray(-2).equals(endOfImage)) throw new Error("the picture does not end as a JPEG does");
  return jpeg;
}
