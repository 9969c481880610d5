/** "Try it with samples": what the project makes of its own is worked on like anything that people bring, and comes out well. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSamples } from "../../scripts/make-samples.ts";
import { makeHeatSheets } from "../../scripts/samples/make-heat-sheets.ts";
import { pages as bookPages } from "../../scripts/samples/textbook-pages.ts";
import { invoiceTotals } from "../../scripts/samples/write-invoice.ts";
import type { BatchDetail, BatchResults } from "../../src/contract/batches.ts";
import type { Connection, DocumentDetail, SearchAnswer } from "../../src/contract/documents.ts";
import { StartedSamples } from "../../src/contract/system.ts";
import { sql } from "../../src/db/sql.ts";
import { type BookClient, openBookClient } from "../support/book-client.ts";
import { type DocumentClient, openDocumentClient } from "../support/document-place.ts";
import { openSamplePlace, type SamplePlace } from "../support/sample-place.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

describe("the files", () => {
  it("are the same every time, and few", async () => {
    const folder = await makeTemporaryFolder();
    const [one, other] = [join(folder, "one"), join(folder, "other")];
    await makeSamples(one);
    await makeSamples(other);
    const files = (await readdir(one, { recursive: true })).sort();
    expect((await readdir(other, { recursive: true })).sort()).toEqual(files);
    let bytes = 0;
    for (const file of files) {
      if ((await stat(join(one, file))).isDirectory()) continue;
      const content = await readFile(join(one, file));
      bytes += content.length;
      expect(content.equals(await readFile(join(other, file))), file).toBe(true);
    }
    expect(bytes).toBeLessThan(3_000_000);
    await removeTemporaryFolder(folder);
  });
});

describe("POST /api/samples", () => {
  let place: SamplePlace;
  let client: DocumentClient;
  let books: BookClient;
  let started: StartedSamples;
  let documents: Map<string, DocumentDetail>;

  beforeAll(async () => {
    place = await openSamplePlace();
    client = openDocumentClient(place.url);
    books = openBookClient(place.url);
    await place.startWorker();
    const { status, body } = await client.post("/api/samples");
    expect(status).toBe(200);
    started = StartedSamples.parse(body);
    await until(async () => {
      const active = await place.db.query(sql`select from jobs where status in ('pending', 'running') limit 1`);
      return active.length === 0;
    });
    const read = await Promise.all(started.documentIds.map((id) => client.read(id)));
    documents = new Map(read.map((document) => [document.filename, document]));
  });
  afterAll(() => place?.close());

  const idOf = (filename: string) => documents.get(filename)?.id as string;
  const itemsOf = async <Item>(path: string) => (await client.ask(path)).body.items as Item[];

  it("is described in the API", async () => {
    const { body } = await client.ask("/openapi.json");
    expect(body.paths["/api/samples"].post.responses["200"]).toBeDefined();
  });

  it("makes every document ready, of several formats", () => {
    const formats = [...documents.values()].map(({ status, format, title }) => [status, format, title !== null]);
    expect(formats).toEqual(["pdf", "pdf", "epub", "docx", "png"].map((format) => ["Ready", format, true]));
  });

  it("finds the invoice's fields and items", async () => {
    const fields = await itemsOf<{ key: string; value: string }>(`/api/documents/${idOf("invoice.pdf")}/fields`);
    const values = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    expect(values).toMatchObject({
      invoice_number: "TP-2031-0187",
      seller: "Tarnside Pumps Ltd",
      buyer: "Elderwick Town Waterworks",
      total: `${invoiceTotals.total} EUR`,
      tax: `${invoiceTotals.tax} EUR`,
    });
    const tables = await itemsOf<{ rows: { text: string }[][] }>(`/api/documents/${idOf("invoice.pdf")}/tables`);
    const shapes = tables.map(({ rows }) => [rows.length, rows[0]?.length]);
    expect(shapes).toContainEqual([6, 5]);
  });

  it("reads the report in order: headings, lists, tables, columns", async () => {
    const { body } = await client.ask(`/api/documents/${idOf("water-report.pdf")}/markdown`);
    expect(body).toContain("\n1. Screens at the outlet tower hold back leaves, branches and fish.\n2. A small dose");
    expect(body).toContain("\n- 900 metres of new pipe in Cooper's Lane and Tanner Street\n- sensors");
    expect(body).toContain("| Lost by leaks | 139 | 121 | 107 |");
    expect(body).toMatch(/where water is being lost\. Leaks in the pipes of the old town have decreased/);
    const headings = await itemsOf<{ title: string }>(`/api/documents/${idOf("water-report.pdf")}/outline`);
    expect(headings.map(({ title }) => title)).toEqual([
      "Elderwick Water Supply",
      "Report for the year 2030",
      "Summary",
      "1. Where the water comes from",
      "2. How the water is treated",
      "3. How much water the town uses",
      "4. Pipes and leaks",
      "5. Brown water",
      "6. Quality of the water",
      "7. Plans for 2031",
      "8. What you can do",
    ]);
  });

  it("reads the scanned letter", async () => {
    const { body } = await client.ask(`/api/documents/${idOf("letter-scan.png")}/markdown`);
    expect(body).toContain("The water from the fountain in Cooper's Lane is not safe to drink, they say.");
    expect(documents.get("letter-scan.png")?.tableCount).toBe(0);
  });

  it("connects documents that speak of the same, and those that contradict", async () => {
    const connections = await itemsOf<Connection>(`/api/documents/${idOf("water-report.pdf")}/connections`);
    const others = (type: Connection["type"]) =>
      new Set(
        connections
          .filter((connection) => connection.type === type)
          .flatMap(({ source, target }) => [source.documentId, target.documentId]),
      );
    expect(others("semantic_similarity")).toContain(idOf("minutes.docx"));
    expect(others("semantic_similarity")).toContain(idOf("pocket-guide.epub"));
    expect(others("contradiction_detection")).toContain(idOf("minutes.docx"));
  });

  it.each([
    ["who sold the pumps", "invoice.pdf"],
    ["is the fountain safe to drink", "letter-scan.png"],
    ["where does the kingfisher nest", "pocket-guide.epub"],
    ["how is the water filtered", "water-report.pdf"],
  ])("answers %j from %s", async (query, filename) => {
    const { body } = await client.ask(`/api/search?${new URLSearchParams({ q: query })}`);
    const hits = (body as SearchAnswer).items.slice(0, 3);
    expect(hits.map(({ document }) => document.id)).toContain(idOf(filename));
  });

  it("finds exactly the swimmer's events", async () => {
    const { swims, swimmer, files } = makeHeatSheets();
    const { batch } = (await client.ask(`/api/batch/${started.batchId}`)).body as BatchDetail;
    expect(batch).toMatchObject({ status: "completed", swimmerName: swimmer, totalJobs: files.length, failedJobs: 0 });
    const { body } = await client.ask(`/api/batch/${started.batchId}/results`);
    const { events } = body as BatchResults;
    const found = events.map(({ eventNumber, eventName, heatNumber, lane, seedTime, relay }) => {
      return { eventNumber, eventName, heatNumber, lane, seedTime, leg: relay?.leg ?? null };
    });
    const byNumber = (a: { eventNumber: number }, b: { eventNumber: number }) => a.eventNumber - b.eventNumber;
    expect(found.toSorted(byNumber)).toEqual(swims.toSorted(byNumber));
    expect(new Set(events.map(({ sessionDate }) => sessionDate))).toEqual(new Set(["2031-06-14", "2031-06-15"]));
    expect(events.every(({ heatStartTime }) => heatStartTime !== undefined)).toBe(true);
    expect(new Set(events.map(({ estimated }) => estimated ?? false))).toEqual(new Set([true, false]));
  });

  it("reads every page of the book, and rules make guidelines of its sections", async () => {
    const { bookId } = started;
    const { pages, latest_jobs, title, grade } = await books.show(bookId);
    expect({ title, grade }).toEqual({ title: "Work Made Easy", grade: "5" });
    expect(latest_jobs.ocr_batch).toMatchObject({ status: "completed", failed_items: 0 });
    expect(pages.map(({ ocr_status }) => ocr_status)).toEqual(Array(bookPages.length + 2).fill("completed"));
    expect((await books.post(`/admin/books/${bookId}/pages/approve-all`)).status).toBe(200);
    for (const start of [books.generate, books.finalize]) {
      const { job_id } = await start(bookId);
      expect(await books.ended(bookId, job_id as string)).toMatchObject({ status: "completed", failed_items: 0 });
    }
    const { topics } = await books.guidelines(bookId);
    const found = topics.map(({ topic_title, subtopics }) => [
      topic_title,
      subtopics.map(({ subtopic_title, pages: covered, status }) => [subtopic_title, covered, status]),
    ]);
    expect(found).toEqual([
      [
        "Levers and wheels",
        [
          ["Levers", [3, 4], "final"],
          ["Wheels and axles", [5, 6], "final"],
        ],
      ],
      [
        "Slopes",
        [
          ["Ramps", [7, 8], "final"],
          ["Wedges and screws", [9, 10], "final"],
        ],
      ],
    ]);
    const [levers] = topics[0]?.subtopics ?? [];
    expect(levers?.guidelines).toContain("**fulcrum**: The fixed point is called the fulcrum. (p. 3)");
    expect(levers?.guidelines).toMatch(
      /## Worked examples\n\n- Example 1: ?A stone of 60 newtons .* 20 newtons\. \(p\. 4\)/,
    );
  });

  it("starts them again when it is asked again", async () => {
    const again = StartedSamples.parse((await client.post("/api/samples")).body);
    const ids = [...started.documentIds, ...again.documentIds, started.bookId, again.bookId];
    expect(new Set(ids).size).toBe(ids.length);
    expect(again.batchId).not.toBe(started.batchId);
  });
});

describe("samples that cannot be started", () => {
  let place: SamplePlace;
  let client: DocumentClient;

  beforeAll(async () => {
    place = await openSamplePlace();
    client = openDocumentClient(place.url);
  });
  afterAll(() => place?.close());

  it("are refused with the next step where the folder is not there, or not whole", async () => {
    const missing = { error: "SAMPLES_MISSING", message: expect.stringContaining("npm run build") };
    const away = `${place.samples}-away`;
    await rename(place.samples, away);
    expect(await client.post("/api/samples")).toMatchObject({ status: 503, body: missing });
    await mkdir(place.samples);
    await writeFile(join(place.samples, "manifest.json"), "{");
    expect(await client.post("/api/samples")).toMatchObject({ status: 503, body: missing });
    await rm(place.samples, { recursive: true });
    await rename(away, place.samples);
    const page = join(place.samples, "book", "page_3.jpg");
    await rename(page, `${page}.away`);
    expect(await client.post("/api/samples")).toMatchObject({ status: 503, body: missing });
    await rename(`${page}.away`, page);
    expect(await leftovers()).toEqual({ documents: 0, books: 0, batches: [], files: [] });
  });

  it("leave nothing behind where a file is refused", async () => {
    const sheet = join(place.samples, "heat-sheets", "3-sunday-morning.pdf");
    const whole = await readFile(sheet);
    await writeFile(sheet, "no PDF\n");
    expect(await client.post("/api/samples")).toMatchObject({ status: 400, body: { error: "INVALID_PDF" } });
    expect(await leftovers()).toEqual({ documents: 0, books: 0, batches: [], files: [] });
    await writeFile(sheet, whole);
  });

  it("are taken back as far as they had come where the last step fails", async () => {
    await place.db.query(sql`
      create function refuse_page() returns trigger language plpgsql as 'begin raise exception ''no room for pages''; end'`);
    await place.db.query(
      sql`create trigger refuse_page before insert on book_pages for each row execute function refuse_page()`,
    );
    expect(await client.post("/api/samples")).toMatchObject({ status: 500, body: { error: "INTERNAL" } });
    const { batches, files, ...others } = await leftovers();
    expect(others).toEqual({ documents: 0, books: 0 });
    // A batch cannot be unmade: it is cancelled, and keeps its files so that it could be tried again.
    expect(batches).toEqual(["cancelled"]);
    expect(files.filter((key) => !key.startsWith("batches/"))).toEqual([]);
  });

  async function leftovers() {
    const [counts] = await place.db.query<{ documents: number; books: number }>(sql`
      select (select count(*)::integer from documents) as documents, (select count(*)::integer from books) as books`);
    const batches = await place.db.query<{ status: string }>(sql`select status from batches`);
    const files: string[] = [];
    for await (const { key } of place.runtime.documents.services.blobs.list("")) files.push(key);
    return { ...counts, batches: batches.map(({ status }) => status), files };
  }
});
