/** Documents over HTTP, on a real server with workers: taken at once, read in the background, looked at from all sides. */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentDetail, DocumentSummary } from "../../src/contract/documents.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { makeEpub } from "../support/sample-books.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let folder: string;
let database: TestDatabase;
let server: DocmillProcess;
let url: string;
let library: Server;
let report: DocumentDetail;
let reportPdf: Buffer;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  database = await createTestDatabase();
  library = createServer((request, response) => {
    if (request.url !== "/tide.epub") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(tideBook);
  });
  await new Promise<void>((resolve) => library.listen(0, "127.0.0.1", resolve));
  const env = {
    DATABASE_URL: database.url,
    DOCMILL_DATA_DIR: folder,
    DOCMILL_POLL_MS: "200",
    DOCMILL_FETCH_ALLOW: `127.0.0.1:${(library.address() as AddressInfo).port}`,
  };
  ({ server, url } = await startServe(["--port", "0"], { env }));
  reportPdf = await drawReport();
  report = await add("harbour report.pdf", reportPdf);
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  library.close();
  await database.drop();
  await removeTemporaryFolder(folder);
});

const tideBook = makeEpub({
  title: "The Tide Tables",
  chapters: [
    { body: "<h1>Spring tides</h1><p>The harbour floods when the spring tide meets a westerly gale.</p>" },
    { body: "<h1>Neap tides</h1><p>At neap tide the ferry cannot reach the inner quay.</p>" },
  ],
});

function drawReport(): Promise<Buffer> {
  return drawPdf(
    (pdf) => {
      pdf.fontSize(24).text("Harbour Report").moveDown();
      pdf.fontSize(11).text("Invoice No: HR-2031").text("Date: 2024-03-05").moveDown();
      pdf.text("The harbour master measured the depth of the inner quay every morning.");
      pdf.addPage().fontSize(16).text("Flooding").moveDown();
      pdf.fontSize(11).text("The harbour floods when a spring tide meets a westerly gale. The quay is closed then.");
    },
    { info: { Title: "Harbour Report", Author: "Ines Calder" } },
  );
}

async function upload(name: string, bytes: Uint8Array, more: Record<string, string> = {}, headers = {}) {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  for (const [field, value] of Object.entries(more)) form.append(field, value);
  const response = await fetch(`${url}/api/documents`, { method: "POST", body: form, headers });
  return { status: response.status, body: await readJson(response) };
}

async function add(name: string, bytes: Uint8Array, more: Record<string, string> = {}): Promise<DocumentDetail> {
  const { status, body } = await upload(name, bytes, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return ready(body.id);
}

function ready(id: string): Promise<DocumentDetail> {
  return until(async () => {
    const document = (await get(`/api/documents/${id}`)) as DocumentDetail;
    if (document.status === "Failed") throw new Error(document.errorMessage ?? "failed");
    return document.status === "Ready" ? document : undefined;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
async function readJson(response: Response): Promise<any> {
  return response.json();
}

async function get(path: string, init?: RequestInit) {
  return readJson(await fetch(url + path, init));
}

async function statusOf(path: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url + path, init);
  await response.body?.cancel();
  return response.status;
}

describe("POST /api/documents", () => {
  it("answers at once with the document's metadata", async () => {
    const bytes = Buffer.from("A note on eel traps.\n\nThey are checked at dawn.");
    const { status, body } = await upload("eel traps.txt", bytes, { title: "Eel traps" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: "eel traps.txt",
      title: "Eel traps",
      contentType: "text/plain",
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      status: "Processing",
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/Z$/),
    });
    await ready(body.id);
  });

  it("takes many at once, answers with a list, and is there under /documents too", async () => {
    const form = new FormData();
    for (const name of ["one.md", "two.md"]) form.append("file", new Blob([`# ${name}\n\nText.`]), name);
    const response = await fetch(`${url}/documents`, { method: "POST", body: form });
    const documents = (await response.json()) as DocumentSummary[];
    expect(documents.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ["one.md", "text/markdown"],
      ["two.md", "text/markdown"],
    ]);
    await Promise.all(documents.map(({ id }) => ready(id)));
  });

  it("goes by the file's bytes, not by its name", async () => {
    const { body } = await upload("picture.png", reportPdf);
    expect(body).toMatchObject({ contentType: "application/pdf", filename: "picture.png" });
    await ready(body.id);
  });

  it("takes a name as data, never as a path", async () => {
    const { body } = await upload("../../etc/pass\u0000wd.txt", Buffer.from("text"));
    expect(body.filename).not.toContain("/");
    await ready(body.id);
  });

  it("answers the same document to the same Idempotency-Key, and refuses other content under it", async () => {
    const headers = { "idempotency-key": "once-only" };
    const first = await upload("a.txt", Buffer.from("The same text."), {}, headers);
    const second = await upload("a.txt", Buffer.from("The same text."), {}, headers);
    expect(second.body.id).toBe(first.body.id);
    const other = await upload("a.txt", Buffer.from("Another text."), {}, headers);
    expect(other).toMatchObject({ status: 422, body: { error: "IDEMPOTENCY_KEY_REUSED" } });
    await ready(first.body.id);
  });

  it.each([
    ["an empty file", "empty.pdf", Buffer.alloc(0), 400, "EMPTY_FILE"],
    ["a program", "run.pdf", Buffer.from("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", "latin1"), 415, "UNSUPPORTED_TYPE"],
  ])("refuses %s and keeps nothing of it", async (_what, name, bytes, status, error) => {
    const before = await get("/api/documents?limit=1");
    expect(await upload(name, bytes)).toMatchObject({ status, body: { error, message: expect.any(String) } });
    expect((await get("/api/documents?limit=1")).items[0].id).toBe(before.items[0].id);
  });

  it("refuses a request of which one file is wrong as a whole", async () => {
    const before = (await get("/api/documents?limit=500")).items.length;
    const form = new FormData();
    form.append("file", new Blob(["good text"]), "good.txt");
    form.append("file", new Blob([new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])]), "bad.txt");
    const response = await fetch(`${url}/api/documents`, { method: "POST", body: form });
    expect(response.status).toBe(415);
    expect((await get("/api/documents?limit=500")).items.length).toBe(before);
  });

  it.each([
    ["no form", { body: "{}", headers: { "content-type": "application/json" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "a form without a boundary",
      { body: "x", headers: { "content-type": "multipart/form-data" } },
      400,
      "INVALID_FORM",
    ],
    ["a form without a file", { body: formOf({ title: "x" }) }, 400, "NO_FILE"],
    ["options that are no JSON", { body: formOf({ options: "{", file: "text" }) }, 422, "INVALID_REQUEST"],
    ["unknown options", { body: formOf({ options: '{"ocr":"maybe"}', file: "text" }) }, 422, "INVALID_REQUEST"],
  ])("refuses %s", async (_what, init: RequestInit, status, error) => {
    const response = await fetch(`${url}/api/documents`, { method: "POST", ...init });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });
});

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === "file") form.append("file", new Blob([value]), "file.txt");
    else form.append(name, value);
  }
  return form;
}

describe("a document that is ready", () => {
  it("shows its facts, counts and job", () => {
    expect(report).toMatchObject({
      title: "Harbour Report",
      author: "Ines Calder",
      format: "pdf",
      pageCount: 2,
      stage: "complete",
      status: "Ready",
      generation: 1,
      job: { kind: "document", status: "completed", attempts: 1 },
    });
    expect(report.chunkCount).toBeGreaterThan(0);
    expect(report.embeddedChunks).toBe(report.chunkCount);
  });

  it("has markdown with headings, as text and with page offsets", async () => {
    const response = await fetch(`${url}/api/documents/${report.id}/markdown`);
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    const text = await response.text();
    expect(text).toMatch(/^# Harbour Report$/m);
    expect(text).toMatch(/^#+ Flooding$/m);
    const headers = { accept: "application/json" };
    const { markdown, pages } = await get(`/api/documents/${report.id}/markdown`, { headers });
    expect(markdown).toBe(text);
    expect(pages.map(({ page }: { page: number }) => page)).toEqual([1, 2]);
    expect(markdown.slice(pages[1].offset)).toMatch(/^#+ Flooding/);
  });

  it("has chunks whose offsets are exact, with heading path and page", async () => {
    const text = await (await fetch(`${url}/api/documents/${report.id}/markdown`)).text();
    const { items, nextCursor } = await get(`/api/documents/${report.id}/chunks`);
    expect(nextCursor).toBeNull();
    for (const chunk of items) {
      expect(chunk.content).toBe(text.slice(chunk.start, chunk.end));
      expect(chunk).toMatchObject({ page: expect.any(Number), embedded: true, tokens: expect.any(Number) });
    }
    const first = await get(`/api/documents/${report.id}/chunks?limit=1`);
    expect(first.items).toEqual(items.slice(0, 1));
    if (items.length > 1) {
      const rest = await get(`/api/documents/${report.id}/chunks?cursor=${first.nextCursor}`);
      expect(rest.items).toEqual(items.slice(1));
    }
  });

  it("has fields with page, box and confidence", async () => {
    const { items } = await get(`/api/documents/${report.id}/fields`);
    const number = items.find(({ value }: { value: string }) => value === "HR-2031");
    expect(number).toMatchObject({ key: "Invoice No", page: 1, confidence: expect.any(Number) });
    expect(number.box).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
    expect(items).toContainEqual(expect.objectContaining({ kind: "date", normalized: "2024-03-05" }));
  });

  it("has an outline, words with boxes, and pages that can be drawn", async () => {
    const { items } = await get(`/api/documents/${report.id}/outline`);
    expect(items.map(({ title }: { title: string }) => title)).toEqual(["Harbour Report", "Flooding"]);
    const page = await get(`/api/documents/${report.id}/pages/1/words`);
    expect(page).toMatchObject({ page: 1, source: "text" });
    expect(page.words.map(({ text }: { text: string }) => text)).toContain("harbour");
    const image = await fetch(`${url}/api/documents/${report.id}/pages/2/image?dpi=50`);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    expect(await statusOf(`/api/documents/${report.id}/pages/3/words`)).toBe(404);
  });

  it("gives its file back, whole and in part, as an attachment", async () => {
    const path = `${url}/api/documents/${report.id}/file`;
    const whole = await fetch(path);
    expect(Buffer.from(await whole.arrayBuffer()).equals(reportPdf)).toBe(true);
    expect(whole.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''harbour%20report.pdf");
    const part = await fetch(path, { headers: { range: "bytes=5-9" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 5-9/${reportPdf.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(reportPdf.subarray(5, 10))).toBe(true);
    expect(await statusOf(`/api/documents/${report.id}/file`, { headers: { range: "bytes=999999999-" } })).toBe(416);
    const etag = whole.headers.get("etag") as string;
    expect(await statusOf(`/api/documents/${report.id}/file`, { headers: { "if-none-match": etag } })).toBe(304);
  });

  it("shows its history in the words of seed 001 and 002", async () => {
    const { items } = await get(`/api/documents/${report.id}/jobs`);
    const job = items.find(({ kind }: { kind: string }) => kind === "document");
    expect(job).toMatchObject({
      status: "COMPLETED",
      attempts: 1,
      max_attempts: 3,
      error_log: [],
      processing_stage: "complete",
      completed_stages: ["extracted", "markdown_saved", "chunked", "embedded", "complete"],
    });
    expect(Object.keys(job.stage_timestamps)).toEqual(expect.arrayContaining(["extracting", "extracted", "embedded"]));
    await until(async () =>
      (await get(`/api/documents/${report.id}/jobs`)).items.some(
        ({ kind, status }: { kind: string; status: string }) => kind === "detect_connections" && status === "COMPLETED",
      ),
    );
  });

  it("has a stream that replays everything and ends", async () => {
    const response = await fetch(`${url}/api/documents/${report.id}/stream`, { headers: { "last-event-id": "0" } });
    const text = await response.text();
    for (const type of ["job_started", "stage_completed", "job_completed"]) expect(text).toContain(`event: ${type}\n`);
  });

  it("can be filtered and sorted, page by page", async () => {
    const { items } = await get("/api/documents?q=harbour&status=Ready&format=pdf");
    expect(items.map(({ id }: { id: string }) => id)).toContain(report.id);
    expect((await get("/api/documents?q=no_such%25name")).items).toEqual([]);
    for (const sort of ["newest", "oldest", "name"]) {
      const all = (await get(`/api/documents?sort=${sort}&limit=500`)).items.map(({ id }: { id: string }) => id);
      const paged: string[] = [];
      for (let cursor = ""; ; ) {
        const page = await get(`/api/documents?sort=${sort}&limit=2${cursor}`);
        paged.push(...page.items.map(({ id }: { id: string }) => id));
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(paged).toEqual(all);
    }
    expect(await statusOf("/api/documents?cursor=nonsense")).toBe(400);
  });
});

describe("POST /api/documents/from-url", () => {
  const fromUrl = (address: string) =>
    fetch(`${url}/api/documents/from-url`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: address }),
    });

  it("has the worker fetch it, and finds what it says across documents", async () => {
    const { port } = library.address() as AddressInfo;
    const { id } = await readJson(await fromUrl(`http://127.0.0.1:${port}/tide.epub`));
    const book = await ready(id);
    expect(book).toMatchObject({ title: "The Tide Tables", format: "epub", filename: "tide.epub", pageCount: null });
    const hits = await get(`/api/search?q=${encodeURIComponent("spring tide flooding the harbour")}`);
    expect(hits.items.slice(0, 3).map(({ document }: { document: { id: string } }) => document.id)).toEqual(
      expect.arrayContaining([id, report.id]),
    );
    expect(hits.items[0].snippet).toContain("<mark>");
    const within = await get(`/api/search?q=harbour&documentId=${id}`);
    expect(new Set(within.items.map(({ document }: { document: { id: string } }) => document.id))).toEqual(
      new Set([id]),
    );
  });

  it("fails with a code where the guard or the other side refuses", async () => {
    const { port } = library.address() as AddressInfo;
    const codes = await Promise.all(
      ["http://127.0.0.1:1/private.pdf", `http://127.0.0.1:${port}/missing.pdf`].map(async (address) => {
        const { id } = await readJson(await fromUrl(address));
        return until(async () => {
          const { status, errorCode } = await get(`/api/documents/${id}`);
          return status === "Failed" && errorCode;
        });
      }),
    );
    expect(codes).toEqual(["URL_FORBIDDEN", "HTTP_404"]);
  });

  it("refuses what is no url", async () => {
    expect((await fromUrl("file:///etc/passwd")).status).toBe(422);
  });
});

it("creates documents' jobs only together with documents", async () => {
  const response = await fetch(`${url}/api/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ kind: "document", input: { documentId: report.id, generation: 9 } }),
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: "UNKNOWN_KIND",
    message: expect.stringContaining("POST /api/documents"),
  });
});

describe("people's decisions", () => {
  it("reads a document again and keeps its passages", async () => {
    const before = await get(`/api/documents/${report.id}/chunks`);
    expect(await statusOf(`/api/documents/${report.id}/reprocess`, { method: "POST" })).toBe(200);
    const again = await ready(report.id);
    expect(again.generation).toBe(2);
    expect(again.jobId).not.toBe(report.jobId);
    expect(await get(`/api/documents/${report.id}/chunks`)).toEqual(before);
    expect(again.carriedConnections).toEqual({ kept: 0, moved: 0, lost: [] });
    const streamed = async (lastEventId: string) => {
      const headers = { "last-event-id": lastEventId };
      return (await fetch(`${url}/api/documents/${report.id}/stream`, { headers })).text();
    };
    const ids = [...(await streamed("0")).matchAll(/^id: (.*)$/gm)].map(([, id]) => id as string);
    expect(ids[0]).toBe(`${again.jobId}:1`);
    expect(await streamed(ids[0] as string)).not.toContain("state_sync");
    // An event of the stream before this one: whoever saw it knows nothing of this one.
    expect(await streamed("3")).toContain("event: state_sync\n");
  });

  it("refuses to retry or cancel what has ended well", async () => {
    expect(await statusOf(`/api/documents/${report.id}/retry`, { method: "POST" })).toBe(409);
    expect(await statusOf(`/api/documents/${report.id}/cancel`, { method: "POST" })).toBe(409);
  });

  it("judges connections", async () => {
    const connection = await until(async () => (await get(`/api/connections?documentId=${report.id}`)).items[0]);
    expect(connection).toMatchObject({ type: "semantic_similarity", user_validated: null, user_starred: false });
    expect(connection.source.documentId).not.toBe(connection.target.documentId);
    const change = (body: unknown) =>
      fetch(`${url}/api/connections/${connection.id}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const changed = await readJson(await change({ user_validated: true, user_starred: true }));
    expect(changed).toMatchObject({ id: connection.id, user_validated: true, user_starred: true });
    expect((await change({})).status).toBe(422);
    const starred = await get(`/api/documents/${report.id}/connections?starred=true`);
    expect(starred.items.map(({ id }: { id: string }) => id)).toEqual([connection.id]);
  });

  it("says of a contradiction who says what, from whichever end it was found last", async () => {
    const claims = [
      "The new bridge over the river is safe for heavy trucks.",
      "The new bridge over the river is not safe for heavy trucks.",
    ];
    const bridges: DocumentDetail[] = [];
    for (const claim of claims)
      bridges.push(await add(`bridge ${bridges.length}.md`, Buffer.from(`# Bridge\n\n${claim}\n`)));
    const [first] = bridges as [DocumentDetail, DocumentDetail];
    const detected = () =>
      until(async () => {
        const all = await Promise.all(bridges.map(async ({ id }) => (await get(`/api/documents/${id}/jobs`)).items));
        return all.flat().every(({ status }: { status: string }) => status === "COMPLETED");
      });
    await detected();
    // The second found it; the first looks again and finds it from the other end.
    await fetch(`${url}/api/documents/${first.id}/reprocess`, { method: "POST" });
    await ready(first.id);
    await detected();
    const { items } = await get(`/api/connections?documentId=${first.id}&type=contradiction_detection`);
    expect(items).toHaveLength(1);
    const [{ source, target, details }] = items;
    expect(source.content).toContain(details.sourceSentence);
    expect(target.content).toContain(details.targetSentence);
  });

  it("deletes a document with everything that was made of it", async () => {
    const { id } = await add("gone.txt", Buffer.from("The harbour will forget this unmistakable wobblegong."));
    expect((await get("/api/search?q=wobblegong&mode=text")).items).toHaveLength(1);
    expect(await statusOf(`/api/documents/${id}`, { method: "DELETE" })).toBe(204);
    expect(await statusOf(`/api/documents/${id}`)).toBe(404);
    expect(await statusOf(`/api/documents/${id}/file`)).toBe(404);
    expect((await get("/api/search?q=wobblegong&mode=text")).items).toEqual([]);
    expect(await statusOf(`/api/documents/${id}`, { method: "DELETE" })).toBe(404);
  });
});

it("describes every route of documents", async () => {
  const { paths } = await get("/openapi.json");
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      "/api/documents",
      "/documents",
      "/api/documents/from-url",
      "/api/documents/{id}",
      "/api/documents/{id}/markdown",
      "/api/documents/{id}/stream",
      "/api/search",
      "/api/connections/{id}",
    ]),
  );
});
