/**
 * Files that mean harm, or were harmed: each ends in a result or in an error with a code, while the server goes on
 * answering and other documents are read.
 */

import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DocumentDetail } from "../../src/contract/documents.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { makeEpub, makeZip } from "../support/sample-books.ts";
import { drawPdf, stream, writePdf } from "../support/sample-pdfs.ts";
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
  const env = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: folder,
    DOCMILL_POLL_MS: "200",
    DOCMILL_PAGE_TIMEOUT_MS: "8000",
    DOCMILL_THREAD_MEMORY_MB: "256",
    DOCMILL_MAX_PAGES: "500",
  };
  ({ server, url } = await startServe(["--port", "0"], { env }));
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await database.drop();
  await removeTemporaryFolder(folder);
});

/** How a file ends: with the code of its refusal or of its job's error, or Ready. */
async function fateOf(name: string, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${url}/api/documents`, { method: "POST", body: form });
  const body = (await response.json()) as { id: string; error: string };
  if (!response.ok) return body.error;
  return until(async () => {
    const document = (await (await fetch(`${url}/api/documents/${body.id}`)).json()) as DocumentDetail;
    return document.status === "Failed" ? document.errorCode : document.status === "Ready" && "Ready";
  });
}

const text = (pdf: { text(text: string): unknown }) => void pdf.text("A page like any other.");
const wholePdf = drawPdf(text);
const manyPages = (count: number) => writePdf(Array.from({ length: count }, () => ({ content: "" })));
const nested = (depth: number) => `${"<div>".repeat(depth)}deep inside${"</div>".repeat(depth)}`;
const chapters = [{ body: "<p>Short.</p>" }];

const hostile: [what: string, name: string, bytes: () => Uint8Array | Promise<Uint8Array>, fates: string[]][] = [
  ["an encrypted PDF", "locked.pdf", () => drawPdf(text, { userPassword: "secret" }), ["ENCRYPTED_PDF"]],
  ["a truncated PDF", "cut.pdf", async () => (await wholePdf).subarray(0, 300), ["CORRUPT_PDF"]],
  [
    "the first line of a PDF and noise",
    "noise.pdf",
    () => Buffer.from(`%PDF-1.7\n${"\x80\xff".repeat(5_000)}`, "latin1"),
    ["CORRUPT_PDF"],
  ],
  ["a PDF of more pages than are allowed", "long.pdf", () => manyPages(501), ["TOO_MANY_PAGES"]],
  ["a page tree that contains itself", "cycle.pdf", cyclicPdf, ["CORRUPT_PDF", "Ready"]],
  ["a form that draws itself", "mirror.pdf", selfDrawingPdf, ["Ready", "MEMORY_LIMIT", "TIME_LIMIT", "CORRUPT_PDF"]],
  [
    "an EPUB that unpacks to a thousand times its size",
    "bomb.epub",
    epubBomb,
    ["SUSPICIOUS_ARCHIVE", "ARCHIVE_TOO_LARGE"],
  ],
  [
    "an EPUB cut in the middle",
    "cut.epub",
    () => makeEpub({ chapters }).subarray(0, 700),
    ["CORRUPT_FILE", "UNSUPPORTED_TYPE"],
  ],
  [
    "an EPUB whose chapters are outside of it",
    "out.epub",
    () => makeEpub({ chapters: [{ href: "../../../../etc/passwd", body: "<p>x</p>" }] }),
    ["Ready", "CORRUPT_FILE"],
  ],
  ["a ZIP that is no document", "files.zip", () => makeZip({ "a.txt": "text" }), ["UNSUPPORTED_TYPE"]],
  ["a deep tree of elements", "deep.html", () => Buffer.from(`<!doctype html>${nested(50_000)}`), ["Ready"]],
  [
    "entities that multiply",
    "laughs.html",
    () => Buffer.from(`<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><p>&b;</p>`),
    ["Ready"],
  ],
  ["a picture of far too many pixels", "giant.png", () => hugePng(60_000), ["IMAGE_TOO_LARGE"]],
  ["half a picture", "half.png", halfPng, ["CORRUPT_IMAGE", "Ready"]],
  [
    "text with every control character",
    "control.txt",
    () => Buffer.from(Array.from({ length: 32 }, (_, code) => `line ${code} ${String.fromCharCode(code)}`).join("\n")),
    ["Ready", "UNSUPPORTED_TYPE"],
  ],
  [
    "half characters",
    "halves.md",
    () => Buffer.from([0x23, 0x20, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x0a, 0x41, 0x42, 0x43]),
    ["Ready", "UNSUPPORTED_TYPE"],
  ],
];

it.each(hostile)("%s ends in a code or a result", async (_what, name, bytes, fates) => {
  const [fate, honest] = await Promise.all([
    fateOf(name, await bytes()),
    fateOf("honest.txt", Buffer.from(`Beside ${name} an honest text is read.`)),
  ]);
  expect(fates).toContain(fate);
  expect(honest).toBe("Ready");
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

function cyclicPdf(): Buffer {
  const pdf = manyPages(1).toString("latin1");
  return Buffer.from(pdf.replace("/Kids [3 0 R]", "/Kids [2 0 R]"), "latin1");
}

function selfDrawingPdf(): Buffer {
  const form = stream(
    "/Again Do /Again Do",
    "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Again 5 0 R >> >>",
  );
  return writePdf([{ content: "/Again Do", resources: "/XObject << /Again 5 0 R >>" }], { more: [form] });
}

function epubBomb(): Uint8Array {
  const zeros = new Uint8Array(64 * 2 ** 20).fill(0x20);
  return makeEpub({
    chapters: [{ body: "<p>Short.</p>", href: "large.xhtml" }],
    files: { "OEBPS/large.xhtml": zeros },
  });
}

/** Only its header is that large: nobody has to send the pixels to have them asked for. */
async function hugePng(side: number): Promise<Uint8Array> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  const { crc32 } = await import("node:zlib");
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

async function halfPng(): Promise<Uint8Array> {
  const noise = Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, index) => (index * 7919) % 251));
  const png = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
    .png()
    .toBuffer();
  return png.subarray(0, png.length / 2);
}
