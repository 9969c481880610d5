import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawPdf, writePdf } from "../../test/support/sample-pdfs.ts";
import { packPage } from "../layout/packed-page.ts";
import type { DocumentReader, FileToRead } from "./document-reader.ts";
import type { Format } from "./format.ts";
import { openDocumentReader } from "./open-document-reader.ts";

const { signal } = new AbortController();
const picture = { width: 20, height: 20, channels: 3, background: "white" } as const;
let folder: string;
let reader: DocumentReader;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-reader-"));
  reader = openDocumentReader({ threads: 2, memoryMb: 256, partDeadlineMs: 60_000, maxPages: 20 });
});

afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

async function save(content: Buffer | string, format: Format): Promise<FileToRead> {
  const path = join(folder, `${++files}.${format}`);
  await writeFile(path, content);
  return { path, format };
}

test("the pages of a PDF are read in parallel, in blocks and with fields", async () => {
  const pdf = await drawPdf((document) => {
    for (let number = 1; number <= 12; number++) {
      if (number > 1) document.addPage();
      document.fontSize(20).text(`Chapter ${number}`);
      document.fontSize(11).text("A paragraph of a few words, long enough to be taken for what it is: running text.");
      document.text(`Invoice number: INV-${number}`);
    }
  });
  const file = await save(pdf, "pdf");
  const { parts } = await reader.open(file, signal);
  expect(parts).toBe(12);
  const pages = await Promise.all(
    Array.from({ length: parts }, (_, index) => reader.readPart(file, index + 1, signal)),
  );
  pages.forEach((page, index) => {
    expect(page).toMatchObject({ kind: "page", needsOcr: false, text: { page: index + 1, source: "text" } });
    if (page.kind !== "page") return;
    expect(page.text.words.map((word) => word.text).slice(0, 2)).toEqual(["Chapter", String(index + 1)]);
    expect(JSON.stringify(page.blocks)).toContain(`Chapter ${index + 1}`);
    expect(page.fields).toContainEqual(expect.objectContaining({ value: `INV-${index + 1}` }));
  });
});

test("a page that needs no OCR comes packed when asked for so, and one that does comes as it was read", async () => {
  const text = await save(await drawPdf((document) => void document.text("Words enough for a page of text.")), "pdf");
  const read = await reader.readPart(text, 1, signal);
  if (read.kind !== "page") throw new Error(`It is a ${read.kind}.`);
  expect(await reader.readPacked(text, 1, signal)).toEqual({ kind: "packed", ...packPage(read) });
  const scan = await save(await sharp({ create: picture }).png().toBuffer(), "png");
  expect(await reader.readPacked(scan, 1, signal)).toMatchObject({ kind: "page", needsOcr: true });
  const flowing = await save("# A title", "markdown");
  expect(await reader.readPacked(flowing, 1, signal)).toEqual(await reader.readPart(flowing, 1, signal));
});

test("a page is drawn in grey and as PNG", async () => {
  const file = await save(writePdf([{ content: "0 g 0 0 72 72 re f", mediaBox: "[0 0 144 72]" }]), "pdf");
  const grey = await reader.renderGrey(file, 1, 100, signal);
  expect(grey).toMatchObject({ width: 200, height: 100, dpi: 100 });
  expect([grey.data[50], grey.data[150]]).toEqual([0, 255]);
  const png = await reader.renderPng(file, 1, 50, signal);
  expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: 100, height: 50, channels: 3 });
});

test("an image is a page that needs OCR", async () => {
  const image = sharp({ create: { width: 850, height: 1100, channels: 3, background: "white" } });
  const file = await save(await image.withMetadata({ density: 100 }).png().toBuffer(), "png");
  expect(await reader.open(file, signal)).toEqual({ parts: 1, outline: [] });
  expect(await reader.readPart(file, 1, signal)).toMatchObject({
    kind: "page",
    needsOcr: true,
    text: { width: 612, height: 792, words: [] },
  });
  expect(await reader.renderGrey(file, 1, 300, signal)).toMatchObject({ width: 850, height: 1100, dpi: 100 });
  expect(await sharp(await reader.renderPng(file, 1, 50, signal)).metadata()).toMatchObject({ width: 425 });
});

test("what flows comes in sections, and has no pages to draw", async () => {
  const file = await save("# Title\n\nSome words.\n", "markdown");
  expect(await reader.open(file, signal)).toMatchObject({ parts: 1 });
  expect(await reader.readPart(file, 1, signal)).toMatchObject({
    kind: "section",
    markdown: expect.stringContaining("Some words."),
  });
  await expect(reader.renderGrey(file, 1, 100, signal)).rejects.toMatchObject({ code: "NO_PAGES" });
});

test("words from elsewhere are arranged", async () => {
  const words = ["Words", "from", "elsewhere"].map((text, index) => ({
    text,
    box: { x: 72 + index * 60, y: 100, width: 50, height: 12 },
    confidence: 0.9,
  }));
  const { blocks } = await reader.arrange(
    { page: 1, width: 612, height: 792, source: "ocr", words, rules: [] },
    signal,
  );
  expect(blocks).toMatchObject([{ text: "Words from elsewhere" }]);
});

test("a file with more pages than are read is refused, as is one that is broken or gone", async () => {
  const long = await save(writePdf(Array.from({ length: 21 }, () => ({ content: "" }))), "pdf");
  await expect(reader.open(long, signal)).rejects.toMatchObject({
    code: "TOO_MANY_PAGES",
    retryable: false,
    details: { pages: 21, maxPages: 20 },
  });
  await expect(reader.open(await save("%PDF-1.7 and no more", "pdf"), signal)).rejects.toMatchObject({
    code: "CORRUPT_PDF",
  });
  const gone: FileToRead = { path: join(folder, "gone.pdf"), format: "pdf" };
  await expect(reader.open(gone, signal)).rejects.toMatchObject({ code: "FILE_UNREADABLE", retryable: true });
});

test("an abort ends the work, and others go on", async () => {
  const file = await save(writePdf([{ content: "BT /F1 12 Tf 100 700 Td (Hello) Tj ET" }]), "pdf");
  const controller = new AbortController();
  const aborted = reader.readPart(file, 1, controller.signal);
  const other = reader.readPart(file, 1, signal);
  controller.abort(new Error("cancelled"));
  await expect(aborted).rejects.toThrow("cancelled");
  expect(await other).toMatchObject({ text: { words: [{ text: "Hello" }] } });
});

test("a page that cannot be drawn in time costs its thread, and nobody else's", async () => {
  const hasty = openDocumentReader({ threads: 1, memoryMb: 256, partDeadlineMs: 1_500, maxPages: 20 });
  try {
    // Forms that use each other twice, forty deep: drawing it would take for ever.
    const deep = Array.from({ length: 40 }, (_, index) => {
      const next = 6 + index;
      const content = index === 39 ? "0 0 1 1 re f" : "/Fm Do 1 0 0 1 1 1 cm /Fm Do";
      const resources = index === 39 ? "" : `/Resources << /XObject << /Fm ${next} 0 R >> >>`;
      return `<< /Type /XObject /Subtype /Form /BBox [0 0 500 500] ${resources} /Length ${content.length} >>\nstream\n${content}\nendstream`;
    });
    const bomb = await save(
      writePdf([{ content: "/Fm Do", resources: "/XObject << /Fm 5 0 R >>" }], { more: deep }),
      "pdf",
    );
    const outcome = await hasty.renderGrey(bomb, 1, 72, signal).then(
      () => "drawn",
      (error) => error.code,
    );
    expect(["TIME_LIMIT", "MEMORY_LIMIT", "PARSER_CRASHED", "drawn"]).toContain(outcome);
    const sound = await save(writePdf([{ content: "BT /F1 12 Tf 100 700 Td (Hello) Tj ET" }]), "pdf");
    await expect
      .poll(
        () =>
          hasty.readPart(sound, 1, signal).then(
            (part) => part.kind,
            () => "not yet",
          ),
        { timeout: 50_000 },
      )
      .toBe("page");
  } finally {
    await hasty.close();
  }
});
