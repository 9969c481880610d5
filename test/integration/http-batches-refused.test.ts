/** A request for a batch that is refused, breaks off or comes twice: the answer says why, and nothing of it is left. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { closeGate } from "../support/database-gate.ts";
import { type DocumentPlace, openDocumentPlace, type SampleFile } from "../support/document-place.ts";
import { type BatchForm, type HeatClient, listFiles, listLeftovers, openHeatClient } from "../support/heat-client.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";
import { until } from "../support/until.ts";

let place: DocumentPlace;
let heats: HeatClient;
let before: object;
beforeAll(async () => {
  place = await openDocumentPlace({ settings: { DOCMILL_MAX_PDF_MB: "1" } });
  heats = openHeatClient(place.url);
});
afterAll(() => place.close());

const leftovers = () => listLeftovers(place.db, place.runtime.heats.services.blobs);
const url = "https://example.org/heats.pdf";
const text = (name: string, content: string): SampleFile => ({ name, bytes: Buffer.from(content) });
const large: SampleFile = { name: "large.pdf", bytes: Buffer.concat([makeProgram("x").bytes, Buffer.alloc(2 ** 20)]) };
const many = (count: number) => Array.from({ length: count }, (_, index) => makeProgram(`${index}.pdf`));
const urlsOf = (count: number) => Array.from({ length: count }, (_, index) => `${url}?${index}`);

describe("a refused request leaves nothing behind", () => {
  beforeEach(async () => {
    before = await leftovers();
  });
  afterEach(async () => {
    expect(await leftovers()).toEqual(before);
  });

  const refusals: [string, BatchForm, number, string, string | RegExp][] = [
    ["no swimmer", { swimmer: null, files: many(1) }, 400, "MISSING_SWIMMER", "Swimmer name is required."],
    ["spaces for a swimmer", { swimmer: " \t ", urls: [url] }, 400, "MISSING_SWIMMER", "Swimmer name is required."],
    ["no sheets", {}, 400, "NO_PDFS", "At least one PDF file or URL is required."],
    ["an empty list of urls", { urls: [] }, 400, "NO_PDFS", "At least one PDF file or URL is required."],
    ["20 files", { files: many(20) }, 400, "BATCH_TOO_LARGE", "Maximum 15 PDFs per batch. You submitted 20."],
    ["20 urls", { urls: urlsOf(20) }, 400, "BATCH_TOO_LARGE", "Maximum 15 PDFs per batch. You submitted 20."],
    [
      "files and urls together",
      { files: many(10), urls: urlsOf(6) },
      400,
      "BATCH_TOO_LARGE",
      "Maximum 15 PDFs per batch. You submitted 16.",
    ],
    ["urls that are no JSON", { files: many(1), urls: url }, 400, "INVALID_URLS", /JSON array/],
    ["urls that are no array", { urls: `{"0":"${url}"}` }, 400, "INVALID_URLS", /JSON array/],
    ["a url that is a number", { urls: [url, 7] }, 400, "INVALID_URLS", /JSON array/],
    ["a url that is none", { urls: [url, "heats.pdf"] }, 400, "INVALID_URLS", /http/],
    ["a url of a file", { urls: ["file:///etc/passwd"] }, 400, "INVALID_URLS", /http/],
    ["a page instead of a PDF", { files: [...many(2), text("page.pdf", "<html>")] }, 400, "INVALID_PDF", /page\.pdf/],
    ["an empty file", { files: [text("empty.pdf", ""), ...many(1)] }, 400, "INVALID_PDF", "empty.pdf is empty."],
    ["a picture", { files: [text("photo.png", "\x89PNG\r\n\x1a\n")] }, 400, "INVALID_PDF", /photo\.png/],
    ["a PDF that is too large", { files: [...many(1), large] }, 413, "PDF_TOO_LARGE", /large\.pdf is larger than 1 MB/],
    ["an address that is none", { files: many(1), notifyEmail: "parent at home" }, 400, "INVALID_EMAIL", /address/],
    ["a name that cannot be stored", { swimmer: "Zo\0e", files: many(1) }, 422, "NOT_STORABLE", /./],
    ["a name without end", { swimmer: "Z".repeat(500), files: many(1) }, 422, "INVALID_REQUEST", /200/],
    ["an unknown extractor", { files: many(1), query: "?extractor=magic" }, 400, "INVALID_PARAMETER", /extractor/],
    [
      "a key without end",
      { files: many(1), headers: { "idempotency-key": "k".repeat(256) } },
      400,
      "INVALID_PARAMETER",
      /idempotency-key/,
    ],
  ];
  it.each(refusals)("%s", async (_what, form, status, error, message) => {
    const answer = await heats.extract(form);
    expect(answer).toMatchObject({ status, body: { success: false, error } });
    if (typeof message === "string") expect(answer.body.message).toBe(message);
    else expect(answer.body.message).toMatch(message);
  });

  it("a body that is no form", async () => {
    const answer = await heats.post("/api/batch/extract", { swimmer, urls: [url] });
    expect(answer).toMatchObject({ status: 415, body: { success: false, error: "UNSUPPORTED_MEDIA_TYPE" } });
  });

  it("an upload that breaks off in its second file", async () => {
    const { hostname, port } = new URL(place.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const part = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="pdfs"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n`;
    socket.write(
      "POST /api/batch/extract HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999\r\n\r\n",
    );
    socket.write(`--b\r\nContent-Disposition: form-data; name="swimmer"\r\n\r\n${swimmer}\r\n`);
    socket.write(Buffer.concat([Buffer.from(part("one.pdf")), makeProgram("one").bytes, Buffer.from("\r\n")]));
    socket.write(Buffer.concat([Buffer.from(part("two.pdf")), makeProgram("two").bytes.subarray(0, 2_000)]));
    const { blobs } = place.runtime.heats.services;
    await until(async () => (await listFiles(blobs, "batches/")).length > 0);
    socket.resetAndDestroy();
    await until(async () => (await listFiles(blobs, "batches/")).length === 0);
  });

  it("a batch that the database does not take", async () => {
    await using gate = await closeGate(place.databaseUrl, "lock table heat_sources in access exclusive mode");
    const answer = heats.extract({ files: many(2) });
    await gate.waiting();
    await gate.run("alter table heat_sources add constraint refused check (filename is null)");
    await gate.open();
    expect(await answer).toMatchObject({ status: 500, body: { success: false, error: "INTERNAL" } });
    await place.db.query(sql`alter table heat_sources drop constraint refused`);
  });
});

describe("the same Idempotency-Key", () => {
  const key = (name: string) => ({ "idempotency-key": name });
  const files = () => [makeProgram("same.pdf"), makeProgram("also.pdf")];

  it("leads to the same batch, also from many at once, and the files are kept once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => heats.extract({ files: files(), urls: [url], headers: key("once") })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.batchId)).size).toBe(1);
    expect(answers[5]?.body).toMatchObject({ success: true, totalJobs: 3 });
    const { batchId } = answers[0]?.body ?? {};
    const kept = await listFiles(place.runtime.heats.services.blobs, "batches/");
    expect(kept).toEqual([`batches/${batchId}/upload-0`, `batches/${batchId}/upload-1`]);
    expect(await place.db.query(sql`select from heat_sources`)).toHaveLength(3);
  });

  it.each<[string, BatchForm]>([
    ["another swimmer", { swimmer: "Runa Birchley", files: files(), urls: [url] }],
    ["another file", { files: [makeProgram("same.pdf"), makeProgram("other.pdf")], urls: [url] }],
    ["another url", { files: files(), urls: [`${url}?2`] }],
    ["another extractor", { files: files(), urls: [url], query: "?extractor=ai" }],
    ["an address", { files: files(), urls: [url], notifyEmail: "parent@example.org" }],
  ])("with %s is refused, and nothing of it is left", async (_what, form) => {
    before = await leftovers();
    const answer = await heats.extract({ ...form, headers: key("once") });
    expect(answer).toMatchObject({ status: 422, body: { success: false, error: "IDEMPOTENCY_KEY_REUSED" } });
    expect(await leftovers()).toEqual(before);
  });

  it("without one, the same request twice is two batches", async () => {
    const [one, two] = [await heats.start({ files: files() }), await heats.start({ files: files() })];
    expect(one.batchId).not.toBe(two.batchId);
  });
});
