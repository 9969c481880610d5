/** Every kind of file through the whole pipeline: from its bytes to passages that are found. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentDetail, PageWords } from "../../src/contract/documents.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { makeDocx, makeEpub } from "../support/sample-books.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { drawScan, scanLines } from "../support/sample-scans.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let folder: string;
let database: TestDatabase;
let server: DocmillProcess;
let url: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, DOCMILL_DATA_DIR: folder, DOCMILL_POLL_MS: "200" };
  ({ server, url } = await startServe(["--port", "0"], { env }));
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await database.drop();
  await removeTemporaryFolder(folder);
});

async function get<Answer>(path: string): Promise<Answer> {
  return (await (await fetch(url + path)).json()) as Answer;
}

async function read(name: string, bytes: Uint8Array, options = {}): Promise<DocumentDetail> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  form.append("options", JSON.stringify(options));
  const response = await fetch(`${url}/api/documents`, { method: "POST", body: form });
  const { id } = (await response.json()) as { id: string };
  return until(async () => {
    const document = await get<DocumentDetail>(`/api/documents/${id}`);
    if (document.status === "Failed") throw new Error(`${document.errorCode}: ${document.errorMessage}`);
    return document.status === "Ready" && document;
  });
}

async function markdownOf({ id }: DocumentDetail): Promise<string> {
  return (await fetch(`${url}/api/documents/${id}/markdown`)).text();
}

const wordsOf = ({ id }: DocumentDetail, page = 1) => get<PageWords>(`/api/documents/${id}/pages/${page}/words`);

/** The drawn page as an image file. */
async function scanAs(format: "png" | "jpeg" | "webp" | "tiff"): Promise<Buffer> {
  const { data, width, height, dpi } = await drawScan();
  const image = sharp(Buffer.from(data), { raw: { width, height, channels: 1 } });
  return image.toFormat(format).withMetadata({ density: dpi }).toBuffer();
}

describe("what flows", () => {
  it.each([
    ["DOCX", "quay.docx", () => makeDocx({ paragraphs: docxParagraphs }), "docx"],
    ["EPUB", "quay.epub", () => makeEpub({ chapters: [{ body: "<h1>Quay</h1><p>Barges moor at dusk.</p>" }] }), "epub"],
    ["HTML", "quay.html", () => Buffer.from(htmlPage), "html"],
    ["markdown", "quay.md", () => Buffer.from("# Quay\n\nBarges moor at dusk.\n"), "markdown"],
    ["text", "quay.txt", () => Buffer.from("Quay\n\nBarges moor at dusk.\n"), "text"],
  ])("%s becomes markdown and passages", async (_kind, name, bytes, format) => {
    const document = await read(name, bytes());
    expect(document).toMatchObject({ format, pageCount: null, chunkCount: 1, embeddedChunks: 1 });
    expect(await markdownOf(document)).toContain("Barges moor at dusk.");
    if (format !== "text") expect(await markdownOf(document)).toMatch(/^# Quay$/m);
  });
});

const htmlPage = "<!doctype html><title>Quay</title><body><h1>Quay</h1><p>Barges moor at dusk.</p></body>";
const docxParagraphs = [{ text: "Quay", style: "Heading1" as const }, { text: "Barges moor at dusk." }];

describe("what has to be recognised", () => {
  const [line = ""] = scanLines;

  it.each(["png", "jpeg", "webp", "tiff"] as const)("a %s is read by OCR, with boxes", async (format) => {
    const document = await read(`scan.${format}`, await scanAs(format));
    expect(document).toMatchObject({ format, pageCount: 1 });
    const { source, words, width } = await wordsOf(document);
    expect(source).toBe("ocr");
    expect(words.map(({ text }) => text).join(" ")).toContain(line);
    for (const { box } of words) expect(box.x + box.width).toBeLessThanOrEqual(width + 1);
  });

  it("in a PDF, only the pages without text are", async () => {
    const png = await scanAs("png");
    const pdf = await drawPdf((page) => {
      page.text("This page has a text layer, which says all there is to say about it.");
      page.addPage({ size: [360, 216], margin: 0 }).image(png, 0, 0, { width: 360, height: 216 });
    });
    const document = await read("mixed.pdf", pdf);
    expect((await wordsOf(document, 1)).source).toBe("text");
    const scanned = await wordsOf(document, 2);
    expect(scanned.source).toBe("ocr");
    expect(scanned.words.map(({ text }) => text).join(" ")).toContain(line);
    expect(await markdownOf(document)).toContain(line);
  });

  it("goes by what was asked for: always, or never", async () => {
    const pdf = await drawPdf((page) => void page.fontSize(14).text("A page with a text layer of its own."));
    expect((await wordsOf(await read("always.pdf", pdf, { ocr: "always" }))).source).toBe("ocr");
    const never = await read("never.png", await scanAs("png"), { ocr: "never" });
    expect(never).toMatchObject({ pageCount: 1, chunkCount: 0 });
  });
});
