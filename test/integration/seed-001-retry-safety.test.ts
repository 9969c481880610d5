/**
 * Seed 001: the accident that lost 20 of 61 chunks and 100 of 106 connections, played again with real processes, and
 * the tests and scenarios that were to keep it from happening. Whoever is declared dead while it embeds is only slow.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { closeGate } from "../support/database-gate.ts";
import type { DocmillProcess } from "../support/docmill-process.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { type FakeDocumentIntelligence, startFakeDocumentIntelligence } from "../support/fake-document-intelligence.ts";
import { readWholeDocument } from "../support/read-document.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { makeTopicBook, numberedTopics } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

const topics = numberedTopics("matter", 61);

/** Nobody may write what the table is for; everyone may read it. */
const holdVectors = "lock table chunk_vectors in exclusive mode";
const holdConnections = "lock table connections in exclusive mode";

async function chunkIds(place: DocumentPlace, id: string): Promise<string[]> {
  const rows = await place.db.query<{ id: string }>(
    sql`select id from chunks where document_id = ${id} order by index`,
  );
  return rows.map((row) => row.id);
}

/** Every connection there is, as the two chapters it joins. */
async function connectedChapters(place: DocumentPlace): Promise<string[]> {
  const rows = await place.db.query<{ pair: string[] }>(sql`
    select array[s.heading_path[1], t.heading_path[1]] as pair from connections k
    join chunks s on s.id = k.source_chunk_id join chunks t on t.id = k.target_chunk_id`);
  return rows.map(({ pair }) => pair.sort().join(" ~ ")).sort();
}

async function expectNoTrouble(place: DocumentPlace, processes: readonly DocmillProcess[]): Promise<void> {
  const errors = await place.db.query<{ code: string; message: string }>(sql`select code, message from job_errors`);
  expect(errors.filter(({ code }) => code !== "LEASE_LOST")).toEqual([]);
  for (const { stdout, stderr } of processes) expect(stdout + stderr).not.toMatch(/foreign key|23503/);
  const calls = place.openAi.calls();
  expect(calls.filter(({ requests, paid }) => requests !== 1 || paid !== 1)).toEqual([]);
}

describe("the accident: a book of 61 chunks, declared lost while it is embedded", () => {
  let place: DocumentPlace;
  let slow: DocmillProcess;
  let other: DocmillProcess;
  let book: string;
  let ids: string[];

  beforeAll(async () => {
    place = await openDocumentPlace({
      settings: { DOCMILL_LEASE_MS: "1500", DOCMILL_HEARTBEAT_MS: "300" },
    });
  });

  afterAll(() => place.close());

  it("is taken over while connections are detected, and keeps its chunks and every connection", async () => {
    slow = await place.startDocmillWorker();
    await place.upload(makeTopicBook("first-half", topics.slice(0, 30)));
    await place.atRest();

    // Its vectors are paid for and on their way into the database when the worker stops answering.
    await using vectors = await closeGate(place.databaseUrl, holdVectors);
    book = (await place.upload(makeTopicBook("long-book", topics))).id;
    await vectors.waiting();
    slow.kill("SIGSTOP");
    await vectors.open();
    ids = await chunkIds(place, book);
    expect(ids).toHaveLength(61);

    // Another one detects the connections of a third book, and half-way takes the lost book over.
    await using connections = await closeGate(place.databaseUrl, holdConnections);
    other = await place.startDocmillWorker();
    await place.upload(makeTopicBook("second-half", topics.slice(30)));
    await connections.waiting(2);
    await place.reaches(book, ({ status }) => status === "Ready");
    expect((await place.jobs(book)).at(-1)).toMatchObject({
      status: "COMPLETED",
      attempts: 2,
      error_log: [{ attempt: 1, code: "LEASE_LOST" }],
    });
    await connections.open();
    await place.atRest();
    expect(await chunkIds(place, book)).toEqual(ids);
    expect(await connectedChapters(place)).toEqual(topics.map((topic) => `On ${topic} ~ On ${topic}`).sort());
    await expectNoTrouble(place, [slow, other]);
  });

  it("is not touched by the one that comes back", async () => {
    const whole = await readWholeDocument(place.db, book);
    slow.kill("SIGCONT");
    await until(async () => {
      const alive = await place.db.query(sql`select from workers where pid = ${slow.pid} and lost_at is null`);
      return alive.length === 1 && slow.stderr.includes("lease lost");
    });
    // It is a worker like any other again.
    other.kill("SIGTERM");
    await other.ended;
    const small = await place.upload(makeTopicBook("small-book", ["something else"]));
    await place.reaches(small.id, ({ status }) => status === "Ready");
    await place.atRest();
    expect(await readWholeDocument(place.db, book)).toEqual(whole);
    expect(whole.vectors).toHaveLength(61);
    expect(whole.connections).toHaveLength(61);
    await expectNoTrouble(place, [slow, other]);
  });

  it("is reprocessed while its own connections are detected, and they are all saved", async () => {
    const calls = place.openAi.calls();
    await using connections = await closeGate(place.databaseUrl, holdConnections);
    expect((await place.post(`/api/documents/${book}/reprocess`)).status).toBe(200);
    await connections.waiting(1);
    // Detection holds the chunks it has found; the swap of the same chunks does not mind.
    expect((await place.post(`/api/documents/${book}/reprocess`)).status).toBe(200);
    await place.reaches(book, ({ status, generation }) => status === "Ready" && generation === 3);
    await connections.open();
    await place.atRest();
    expect((await place.jobs(book)).map(({ status }) => status)).toEqual(Array(6).fill("COMPLETED"));
    expect(await chunkIds(place, book)).toEqual(ids);
    expect(await connectedChapters(place)).toEqual(topics.map((topic) => `On ${topic} ~ On ${topic}`).sort());
    expect(place.openAi.calls()).toEqual(calls);
    await expectNoTrouble(place, [slow, other]);
  });
});

describe("what was to keep it from happening", () => {
  let place: DocumentPlace;
  let reader: FakeDocumentIntelligence;

  beforeAll(async () => {
    reader = await startFakeDocumentIntelligence();
    place = await openDocumentPlace({
      settings: { DOCMILL_AZURE_DI_ENDPOINT: reader.url, DOCMILL_AZURE_DI_KEY: "invented-key" },
    });
  });

  afterAll(async () => {
    await place.close();
    await reader.close();
  });

  async function makePdf(pages: number, title: string) {
    const bytes = await drawPdf((document) => {
      for (let page = 1; page <= pages; page++) {
        if (page > 1) document.addPage();
        document.text(`${title}, page ${page}`);
      }
    });
    return { name: `${title}.pdf`, bytes };
  }

  it("a retry resumes from its checkpoint without asking the AI again", async () => {
    const { id } = await place.upload(await makePdf(2, "resumed"), { extraction: "azure" });
    const victim = await place.startFaultWorker({ endAt: { point: "commit.after", stage: "extract" } });
    await victim.exited;
    expect(reader.uploads()).toMatchObject([{ times: 1 }]);
    const requests = reader.requests.length;
    const worker = await place.startWorker();
    await place.reaches(id, ({ status }) => status === "Ready");
    expect(reader.requests).toHaveLength(requests);
    await place.atRest();
    await worker.stop(5_000);
  });

  it("chunks are not deleted during embeddings", async () => {
    const { id } = await place.upload(makeTopicBook("kept", numberedTopics("kept", 12)));
    const victim = await place.startFaultWorker({ endAt: { point: "commit.after", stage: "chunk" } });
    await victim.exited;
    const before = await chunkIds(place, id);
    expect(before).toHaveLength(12);
    const seen = new Set<string>();
    const worker = await place.startWorker();
    await until(async () => {
      seen.add((await chunkIds(place, id)).join());
      return (await place.read(id)).status === "Ready";
    });
    expect([...seen]).toEqual([before.join()]);
    await place.atRest();
    await worker.stop(5_000);
  });

  it("scenario 1: a small document goes through all phases without a retry", async () => {
    const worker = await place.startWorker();
    const { id } = await place.upload(await makePdf(3, "small"));
    await place.reaches(id, ({ status }) => status === "Ready");
    const [job] = (await place.jobs(id)).filter(({ kind }) => kind === "document");
    expect(job).toMatchObject({
      status: "COMPLETED",
      attempts: 1,
      error_log: [],
      processing_stage: "complete",
      completed_stages: ["extracted", "markdown_saved", "chunked", "embedded", "complete"],
    });
    const times = ["extracting", "extracted", "markdown_saved", "chunked", "embedded"].map((stage) =>
      Date.parse(job?.stage_timestamps[stage] ?? ""),
    );
    expect(times).toEqual([...times].sort((one, later) => one - later));
    await place.atRest();
    await worker.stop(5_000);
  });

  it("scenario 2: a large document outlasts its lease many times and is never taken for dead", async () => {
    const leaseMs = 1_000;
    const terms = { DOCMILL_LEASE_MS: String(leaseMs), DOCMILL_HEARTBEAT_MS: "200" };
    const worker = await place.startDocmillWorker(terms);
    const watchdog = await place.startDocmillWorker(terms);
    await using vectors = await closeGate(place.databaseUrl, holdVectors);
    const { id } = await place.upload(makeTopicBook("large", numberedTopics("large", 500)));
    await vectors.waiting();
    await until(async () => {
      const [job] = await place.jobs(id);
      return Date.parse(job?.heartbeat_at ?? "") - Date.parse(job?.started_at ?? "") > 3 * leaseMs;
    });
    await vectors.open();
    await place.reaches(id, ({ status }) => status === "Ready");
    expect(await chunkIds(place, id)).toHaveLength(500);
    expect((await place.jobs(id)).at(-1)).toMatchObject({ attempts: 1, error_log: [] });
    await place.atRest();
    for (const child of [worker, watchdog]) {
      child.kill("SIGTERM");
      expect(await child.ended).toMatchObject({ code: 0 });
      expect(child.stderr).not.toContain("taken back");
    }
  });

  it("scenario 3: killed during embeddings, the retry goes on from there", async () => {
    await using vectors = await closeGate(place.databaseUrl, holdVectors);
    const { id } = await place.upload(makeTopicBook("embedded", numberedTopics("embedded", 5)));
    const worker = await place.startDocmillWorker();
    await vectors.waiting();
    worker.kill("SIGKILL");
    await worker.ended;
    await vectors.open();
    const [before] = await place.jobs(id);
    expect(before).toMatchObject({ completed_stages: ["extracted", "markdown_saved", "chunked"] });
    const [ids, calls] = [await chunkIds(place, id), place.openAi.calls()];

    const next = await place.startWorker();
    await place.reaches(id, ({ status }) => status === "Ready");
    const after = (await place.jobs(id)).at(-1);
    expect(after?.stage_timestamps).toMatchObject(before?.stage_timestamps ?? {});
    expect(after).toMatchObject({ attempts: 2, error_log: [{ code: "LEASE_LOST" }] });
    expect(await chunkIds(place, id)).toEqual(ids);
    expect(place.openAi.calls()).toEqual(calls);
    await place.atRest();
    await next.stop(5_000);
  });

  it("scenario 4: killed during extraction, the retry asks only for what is missing", async () => {
    const answers = async () =>
      (await place.db.query(sql`select from ledger where provider = 'azure' and answered_at is not null`)).length;
    const before = await answers();
    // Ten pages a call, two calls at a time: two are answered and not committed, the third has not been made.
    const { id, sha256 } = await place.upload(await makePdf(25, "extracted"), { extraction: "azure" });
    const victim = await place.startFaultWorker({ holdAt: { point: "commit.before", stage: "extract", item: "any" } });
    await victim.reached;
    await until(async () => (await answers()) === before + 4);
    await victim.kill();
    const next = await place.startWorker();
    await place.reaches(id, ({ status }) => status === "Ready");
    const uploads = reader.uploads().filter((upload) => upload.sha256 === sha256);
    expect(uploads.map(({ pages: asked, times }) => [asked[0], asked.at(-1), times]).sort()).toEqual([
      [1, 10, 1],
      [11, 20, 1],
      [21, 25, 1],
    ]);
    expect((await readWholeDocument(place.db, id)).pages).toHaveLength(25);
    await place.atRest();
    await next.stop(5_000);
  });

  it("scenario 5: a document is ready while its connections are still looked for", async () => {
    await using connections = await closeGate(place.databaseUrl, holdConnections);
    const worker = await place.startWorker();
    await place.upload(makeTopicBook("near", ["nearness"]));
    const { id } = await place.upload(makeTopicBook("nearer", ["nearness"]));
    await place.reaches(id, ({ status }) => status === "Ready");
    await connections.waiting();
    expect((await place.jobs(id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      expect.stringMatching(/^detect_connections P(ENDING|ROCESSING)$/),
      "document COMPLETED",
    ]);
    await connections.open();
    await place.atRest();
    expect((await place.read(id)).connectionCount).toBe(1);
    await worker.stop(5_000);
  });
});
