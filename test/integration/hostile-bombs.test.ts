/**
 * Small files that become giants, sent all at once: each ends in a result or in an error with a code, within the limits.
 * Meanwhile honest documents are read by the same threads, and the server answers.
 */
import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentDetail, DocumentList } from "../../src/contract/documents.ts";
import { archiveBombs } from "../support/archive-bombs.ts";
import { openBookClient } from "../support/book-client.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { openHeatClient } from "../support/heat-client.ts";
import { doublingForms, imageBombs, pdfBombs, textBombs } from "../support/page-bombs.ts";
import { drawPdf, writePdf } from "../support/sample-pdfs.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

/** Files of other people, where they are at hand. */
const corpus = join(import.meta.dirname, "../../../shared/corpus/hostile");

let folder: string;
let tempFolder: string;
let database: TestDatabase;
let openAi: FakeService;
let server: DocmillProcess;
let url: string;

beforeAll(async () => {
  [folder, tempFolder] = await Promise.all([makeTemporaryFolder(), makeTemporaryFolder()]);
  database = await createTestDatabase();
  openAi = await startFakeOpenAi();
  const env = {
    // Vectors of nonsense take longer than all that is tried here.
    DOCMILL_EMBEDDINGS: "openai",
    DOCMILL_EMBEDDINGS_URL: `${openAi.url}/v1`,
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: folder,
    TEMP_FILE_DIR: tempFolder,
    DOCMILL_POLL_MS: "200",
    DOCMILL_CONCURRENCY: "4",
    DOCMILL_THREADS: "2",
    DOCMILL_PAGE_TIMEOUT_MS: "30000",
    DOCMILL_THREAD_MEMORY_MB: "256",
    DOCMILL_MAX_PAGES: "500",
  };
  ({ server, url } = await startServe(["--port", "0"], { env }));
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  await openAi.close();
  await database.drop();
  await Promise.all([folder, tempFolder].map(removeTemporaryFolder));
});

async function upload(name: string, bytes: Uint8Array): Promise<{ id?: string; error?: string }> {
  const form = new FormData();
  form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  return (await (await fetch(`${url}/api/documents`, { method: "POST", body: form })).json()) as { id?: string };
}

function ended(id: string): Promise<DocumentDetail> {
  return until(async () => {
    const document = (await (await fetch(`${url}/api/documents/${id}`)).json()) as DocumentDetail;
    return (document.status === "Failed" || document.status === "Ready") && document;
  });
}

/** How a file ends: with the code of its refusal or of its job's error, or Ready. */
async function fateOf(name: string, bytes: Uint8Array): Promise<string> {
  const { id, error } = await upload(name, bytes);
  if (id === undefined) return error ?? "no answer";
  const { status, errorCode } = await ended(id);
  return status === "Failed" ? (errorCode ?? "no code") : status;
}

/** Asks for the whole time of `work` whether the server is alive. */
async function staysAlive<Result>(work: Promise<Result>): Promise<Result> {
  let done = false;
  const asking = (async () => {
    for (let asked = 0; !done || asked === 0; asked++) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const result = await work.finally(() => {
    done = true;
  });
  await asking;
  return result;
}

const honest = (beside: string) => fateOf("honest.md", Buffer.from(`# Beside ${beside}\n\nAn honest text is read.`));

describe.each([
  ["archives", archiveBombs],
  ["PDFs", pdfBombs],
  ["images", imageBombs],
  ["texts", textBombs],
] as const)("%s", (kind, bombs) => {
  it("all end in a code or a result, and honest documents are read", { timeout: 180_000 }, async () => {
    const fates = Promise.all(
      bombs.map(async ([what, name, make, expected]) => ({ what, fate: await fateOf(name, await make()), expected })),
    );
    const beside = Promise.all([
      honest(kind),
      drawPdf((pdf) => void pdf.text(`Beside ${kind} an honest page is read.`)).then((pdf) =>
        fateOf("honest.pdf", pdf),
      ),
    ]);
    const [seen, others] = await staysAlive(Promise.all([fates, beside]));
    for (const { what, fate, expected } of seen) expect(fate, what).toMatch(expected);
    expect(others).toEqual(["Ready", "Ready"]);
  });
});

it("nothing of what was asked for reaches the text", async () => {
  const { items } = (await (await fetch(`${url}/api/documents?limit=200`)).json()) as DocumentList;
  const asking = items.filter(({ filename, status }) => /^asks\./.test(filename) && status === "Ready");
  expect(asking.length).toBeGreaterThan(0);
  for (const { id } of asking) {
    expect(await (await fetch(`${url}/api/documents/${id}/markdown`)).text()).not.toContain("root:");
  }
});

it("a page that has to be stopped is reported, and the others of its document are read", {
  timeout: 180_000,
}, async () => {
  const text = (words: string) => ({ content: `BT /F1 12 Tf 72 720 Td (${words}) Tj ET` });
  const bomb = { content: "/Next Do", resources: "/XObject << /Next 9 0 R >>" };
  const pdf = writePdf([text("The first page."), bomb, text("The last page.")], { more: doublingForms(9) });
  const { id = "" } = await upload("middle.pdf", pdf);
  expect(await ended(id)).toMatchObject({ status: "Ready", pageCount: 3 });
  const markdown = await (await fetch(`${url}/api/documents/${id}/markdown`)).text();
  expect(markdown).toContain("The first page.");
  expect(markdown).toContain("The last page.");
});

it("heat sheets and scans are read under the same limits", { timeout: 180_000 }, async () => {
  const heats = openHeatClient(url);
  const books = openBookClient(url);
  const sheets = await Promise.all(pdfBombs.slice(0, 3).map(async ([, name, make]) => ({ name, bytes: await make() })));
  const scans = await Promise.all(
    imageBombs.slice(0, 3).map(async ([, name, make]) => ({ name, bytes: await make() })),
  );
  const bookId = await books.create();
  const [batch, scanned] = await staysAlive(
    Promise.all([
      heats.start({ files: sheets }).then(({ batchId }) => heats.ended(batchId)),
      books.bring(bookId, scans).then(({ job_id }) => books.ended(bookId, job_id)),
      honest("sheets and scans"),
    ]),
  );
  expect(batch.jobs.map(({ status, errorCode }) => [status, errorCode])).toEqual(
    sheets.map(() => ["failed", "EXTRACTION_FAILED"]),
  );
  expect(scanned.status).toMatch(/^(completed|failed)$/);
  const pages = await books.pages(bookId);
  expect(pages.map(({ ocr_status }) => ocr_status)).toEqual(["failed", "failed", "failed"]);
});

describe.skipIf(!existsSync(corpus))("a collection of damaged and fuzzed files", () => {
  it("all end in a code or a result, and honest documents are read", { timeout: 300_000 }, async () => {
    const names = readdirSync(corpus).filter((name) => !name.endsWith(".md"));
    const fates = Promise.all(
      names.map(async (name) => ({ name, fate: await fateOf(name, await readFile(join(corpus, name))) })),
    );
    const [seen, beside] = await staysAlive(Promise.all([fates, honest("a collection")]));
    for (const { name, fate } of seen) expect(fate, name).toMatch(/^(Ready|(?!UNKNOWN|INTERNAL)[A-Z_]+)$/);
    expect(beside).toBe("Ready");
  });
});

it("nothing is left behind, and the process has stayed small", async () => {
  expect(await readdir(tempFolder)).toEqual([]);
  if (process.platform !== "linux") return;
  const status = await readFile(join("/proc", String(server.pid), "status"), "utf8");
  const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  // Two threads of each pool may have as much as they are allowed; what the bombs claim to be is hundreds of times more.
  expect(peakMb).toBeLessThan(3_000);
});
