/**
 * Reading a document again while others look at it, connect it, cancel it or delete it: results are swapped at once or not
 * at all, what people said about connections is kept, moved or reported, and nothing of a deleted document comes back.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connection } from "../../src/contract/documents.ts";
import { sql } from "../../src/db/sql.ts";
import { sweepFiles } from "../../src/pipelines/documents/sweep-files.ts";
import { closeGate } from "../support/database-gate.ts";
import { type DocumentPlace, openDocumentPlace, type SampleFile } from "../support/document-place.ts";
import { startFakeDocumentIntelligence } from "../support/fake-document-intelligence.ts";
import { countTraces, readWholeDocument } from "../support/read-document.ts";
import { makeReport } from "../support/sample-reports.ts";
import { makeTopicBook } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

let place: DocumentPlace;

beforeEach(async () => {
  place = await openDocumentPlace();
});

afterEach(() => place.close());

async function bring(file: SampleFile): Promise<string> {
  const { id } = await place.upload(file);
  await place.atRest();
  expect(await place.read(id)).toMatchObject({ status: "Ready" });
  return id;
}

/** The file reads differently from now on, as it would with another reader. */
async function exchangeFile(id: string, { bytes }: SampleFile): Promise<void> {
  const [document] = await place.db.query<{ blobKey: string }>(sql`select blob_key from documents where id = ${id}`);
  async function* source() {
    yield bytes;
  }
  await place.runtime.documents.services.blobs.put(document?.blobKey ?? "", source());
}

async function reprocess(id: string): Promise<void> {
  expect((await place.post(`/api/documents/${id}/reprocess`)).status).toBe(200);
  await place.atRest();
  expect((await place.jobs(id)).map(({ status }) => status)).not.toContain("FAILED");
}

async function connectionsOf(id: string): Promise<Connection[]> {
  return (await place.ask(`/api/documents/${id}/connections?limit=500`)).body.items;
}

/** Says something about the connection of the chapter on a topic. */
async function judge(id: string, topic: string, judgement: object): Promise<void> {
  const found = (await connectionsOf(id)).filter(({ source }) => source.headingPath.includes(`On ${topic}`));
  expect(found).not.toEqual([]);
  for (const { id: connection } of found) {
    const change = {
      method: "PATCH",
      body: JSON.stringify(judgement),
      headers: { "content-type": "application/json" },
    };
    expect((await place.ask(`/api/connections/${connection}`, change)).status).toBe(200);
  }
}

describe("for those who read meanwhile", () => {
  it("a document is whole, the old one or the new one", async () => {
    await place.startWorker();
    const topics = (version: string, count: number) =>
      Array.from({ length: count }, (_, at) => `matter ${version}${at}`);
    const id = await bring(makeTopicBook("swapped", topics("old", 12)));
    const idsOf = async () => (await readWholeDocument(place.db, id)).chunks.map((chunk) => chunk.id).join();
    const wholes = [await idsOf()];
    await exchangeFile(id, makeTopicBook("swapped", topics("new", 15)));

    let done = false;
    const seen: { chunks: Set<string>; found: Set<string> } = { chunks: new Set(), found: new Set() };
    const readers = [
      async () => {
        const { body } = await place.ask(`/api/documents/${id}/chunks?limit=500`);
        seen.chunks.add(body.items.map((chunk: { id: string }) => chunk.id).join());
      },
      async () => {
        const { body } = await place.ask(`/api/search?q=matter&mode=text&limit=100&documentId=${id}`);
        seen.found.add(
          body.items
            .map((hit: { chunkId: string }) => hit.chunkId)
            .sort()
            .join(),
        );
      },
    ].map(async (read) => {
      while (!done) await read();
      await read();
    });
    await reprocess(id);
    done = true;
    await Promise.all(readers);
    wholes.push(await idsOf());
    expect(wholes[0]).not.toBe(wholes[1]);
    expect([...seen.chunks]).toEqual(wholes);
    expect([...seen.found]).toEqual(wholes.map((ids) => ids.split(",").sort().join()));
  });

  it("a search in the moment of the swap finds what is there after it", async () => {
    await place.startWorker();
    const id = await bring(makeTopicBook("sought", ["matter"]));
    // Passages have been found and are about to be described when the document they belong to is swapped.
    await using gate = await closeGate(place.databaseUrl, "lock table documents in access exclusive mode");
    const found = place.ask("/api/search?q=matter&mode=text");
    await gate.waiting();
    await gate.run("delete from chunks");
    await gate.run(`
      insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, tokens, search)
      select gen_random_uuid(), id, 0, 'matter', '', '{}', 0, 6, 1, to_tsvector('english', 'matter') from documents`);
    await gate.open();
    expect((await found).body.items).toMatchObject([{ document: { id }, start: 0, end: 6 }]);
  });

  it("fields are those of one run, also for whoever asks in the moment of the swap", async () => {
    await place.startWorker();
    const id = await bring(await makeReport({ name: "asked", pages: [["one"], ["two"]] }));
    const { fieldCount } = await place.read(id);
    await using gate = await closeGate(place.databaseUrl, "lock table document_fields in access exclusive mode");
    const asked = place.ask(`/api/documents/${id}/fields`);
    await gate.waiting();
    await gate.run("update document_fields set generation = 2");
    await gate.run("update documents set generation = 2");
    await gate.open();
    expect((await asked).body.items).toHaveLength(fieldCount);
  });
});

describe("the same file", () => {
  it("keeps its chunks and is not embedded again; while it is processed it cannot be reprocessed", async () => {
    const worker = await place.startWorker();
    const id = await bring(makeTopicBook("same", ["one", "two", "three"]));
    const [whole, calls] = [await readWholeDocument(place.db, id), place.openAi.calls()];
    await worker.stop(5_000);
    expect((await place.post(`/api/documents/${id}/reprocess`, { options: { ocr: "never" } })).status).toBe(200);
    const { status, body } = await place.post(`/api/documents/${id}/reprocess`);
    expect([status, body.error]).toEqual([409, "LOCK_HELD"]);
    await place.startWorker();
    await place.atRest();
    expect(await place.read(id)).toMatchObject({ status: "Ready", generation: 2, options: { ocr: "never" } });
    expect(await readWholeDocument(place.db, id)).toEqual(whole);
    expect(place.openAi.calls()).toEqual(calls);
  });
});

describe("connections that people have judged", () => {
  beforeEach(async () => {
    await place.startWorker();
  });

  it("stay, move with their text, or are reported as lost", async () => {
    await bring(makeTopicBook("partner", ["kept", "moved", "agreed", "gone", "unjudged"]));
    const id = await bring(makeTopicBook("judged", ["kept", "moved", "agreed", "gone", "unjudged"]));
    await judge(id, "kept", { user_validated: true });
    await judge(id, "moved", { user_starred: true });
    await judge(id, "agreed", { user_validated: false });
    await judge(id, "gone", { user_validated: true, user_starred: true });
    await exchangeFile(id, makeTopicBook("judged", ["kept", "new", "moved", "agreed"]));
    await reprocess(id);
    const { carriedConnections, chunkCount } = await place.read(id);
    expect(chunkCount).toBe(4);
    expect(carriedConnections).toMatchObject({
      kept: 1,
      moved: 2,
      lost: [{ type: "semantic_similarity", userValidated: true, userStarred: true }],
    });
    expect(carriedConnections?.lost[0]?.sourceText).toContain("On gone");
    const said = (await connectionsOf(id)).map(({ source, user_validated, user_starred }) => [
      source.headingPath[0],
      source.index,
      user_validated,
      user_starred,
    ]);
    expect(said.sort()).toEqual([
      ["On agreed", 3, false, false],
      ["On kept", 0, true, false],
      ["On moved", 2, null, true],
    ]);
  });

  it("do not stand in the way of a text that comes back to its old place", async () => {
    await bring(makeTopicBook("partner", ["again"]));
    const id = await bring(makeTopicBook("judged", ["first", "again"]));
    await judge(id, "again", { user_starred: true });
    await exchangeFile(id, makeTopicBook("judged", ["first", "between", "again"]));
    await reprocess(id);
    await exchangeFile(id, makeTopicBook("judged", ["first", "again", "again"]));
    await reprocess(id);
    const said = (await connectionsOf(id)).map(({ source, user_starred }) => [source.index, user_starred]);
    expect(said.sort()).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it("become one where two passages of the same words become one, whichever end they were found from", async () => {
    await bring(makeTopicBook("partner", ["twice"]));
    const id = await bring(makeTopicBook("judged", ["twice", "twice"]));
    await judge(id, "twice", { user_validated: true });
    await place.db.query(sql`
      update connections k set source_chunk_id = target_chunk_id, target_chunk_id = source_chunk_id,
        source_document_id = target_document_id, target_document_id = source_document_id
      from chunks c where c.id = k.source_chunk_id and c.index = 1`);
    await exchangeFile(id, makeTopicBook("judged", ["new", "newer", "twice"]));
    await reprocess(id);
    expect(await connectionsOf(id)).toMatchObject([{ user_validated: true }]);
    expect((await place.read(id)).carriedConnections).toMatchObject({ moved: 2, lost: [] });
  });
});

describe("passages that vanish while their connections are written", () => {
  it("cost nothing but these", async () => {
    const worker = place.prepareFaultWorker();
    await worker.start();
    await bring(makeTopicBook("partner", ["one", "two"]));
    const id = await bring(makeTopicBook("changing", ["one", "two"]));
    await worker.rest();
    // Connections are found and about to be written; the passages they begin at go.
    await worker.start({ holdAt: { point: "commit.before", stage: "compare", item: "any" } });
    expect((await place.post(`/api/documents/${id}/reprocess`)).status).toBe(200);
    await worker.reached;
    await exchangeFile(id, makeTopicBook("changing", ["three", "two"]));
    expect((await place.post(`/api/documents/${id}/reprocess`)).status).toBe(200);
    await place.reaches(id, ({ status, generation }) => status === "Ready" && generation === 3);
    worker.goOn();
    await place.atRest();
    expect((await place.jobs(id)).map(({ status }) => status)).toEqual(Array(6).fill("COMPLETED"));
    expect((await connectionsOf(id)).map(({ source }) => source.headingPath[0])).toEqual(["On two"]);
    expect(worker.log).not.toMatch(/foreign key|23503/);
  });
});

describe("a run that was overtaken", () => {
  it("does not put its half-read pages in the place of a later run's", async () => {
    const file = await makeReport({ name: "overtaken", pages: [["one"], ["two"], ["three"], ["four"]] });
    const { id, jobId } = await place.upload(file);
    const first = await place.startFaultWorker({ holdAt: { point: "commit.after", stage: "extract", item: "1" } });
    await first.reached;
    expect((await place.post(`/api/documents/${id}/cancel`)).body).toMatchObject({ status: "Cancelled" });
    await first.kill();
    await place.startWorker();
    await reprocess(id);
    const whole = await readWholeDocument(place.db, id);
    expect(whole.pages).toHaveLength(4);

    expect((await place.post(`/api/jobs/${jobId}/retry`)).status).toBe(200);
    await place.atRest();
    expect((await place.jobs(id)).at(-1)).toMatchObject({ id: jobId, status: "FAILED", error_code: "OVERTAKEN" });
    expect(await readWholeDocument(place.db, id)).toEqual(whole);
    expect(await place.read(id)).toMatchObject({ status: "Ready" });
  });

  it("goes on under other settings without tripping over what it has read before", async () => {
    const reader = await startFakeDocumentIntelligence();
    await using _ = { [Symbol.asyncDispose]: () => reader.close() };
    const file = await makeReport({ name: "resettled", pages: [["one"], ["two"], ["three"]] });
    const { id } = await place.upload(file);
    const first = await place.startFaultWorker({ endAt: { point: "commit.after", stage: "extract", item: "2" } });
    await first.exited;
    // The server is started again, and now Azure is to read what is read.
    await place.startDocmillWorker({
      DOCMILL_EXTRACTION: "azure",
      DOCMILL_AZURE_DI_ENDPOINT: reader.url,
      DOCMILL_AZURE_DI_KEY: "invented-key",
    });
    await place.atRest();
    expect(await place.read(id)).toMatchObject({ status: "Ready", pageCount: 3, progress: { failedItems: 0 } });
    const { pages } = await readWholeDocument(place.db, id);
    expect(pages).toMatchObject([{ source: "azure" }, { source: "azure" }, { source: "azure" }]);
  });
});

describe("cancelled while it is read", () => {
  it("a document says so, and a retry reads only the pages that are missing", async () => {
    const pages = ["one", "two", "three", "four", "five"].map((topic) => [topic]);
    const { id } = await place.upload(await makeReport({ name: "stopped", pages }));
    const worker = await place.startFaultWorker({ holdAt: { point: "commit.before", stage: "extract", item: "4" } });
    await worker.reached;
    const { body } = await place.post(`/api/documents/${id}/cancel`);
    expect(body).toMatchObject({ status: "Cancelled", stage: "cancelled" });
    const done = await place.db.query<{ key: string }>(sql`select key from job_items where done order by key`);
    worker.goOn();
    expect((await place.post(`/api/documents/${id}/retry`)).status).toBe(200);
    await place.atRest();
    expect(await place.read(id)).toMatchObject({ status: "Ready", pageCount: 5, progress: { failedItems: 0 } });
    const items = await place.db.query<{ key: string; lease: number }>(
      sql`select key, lease from job_items where stage = 'extract' order by key`,
    );
    expect(items).toHaveLength(5);
    expect(items.filter(({ lease }) => lease === 1).map(({ key }) => ({ key }))).toEqual(done);
    expect(done.length).toBeGreaterThanOrEqual(2);
  });
});

describe("deleted", () => {
  const nothing = { documents: 0, pages: 0, fields: 0, tables: 0, chunks: 0, vectors: 0, connections: 0, jobs: 0 };

  it.each([
    ["extracted", { point: "commit.before", stage: "extract", item: "2" }],
    ["chunked", { point: "commit.before", stage: "chunk" }],
    ["embedded", { point: "commit.before", stage: "embed", item: "any" }],
  ] as const)("while it is %s, a document leaves no rows and no files", async (_, moment) => {
    const { id } = await place.upload(await makeReport({ name: "deleted", pages: [["one"], ["two"], ["three"]] }));
    const worker = await place.startFaultWorker({ holdAt: moment });
    await worker.reached;
    expect((await place.ask(`/api/documents/${id}`, { method: "DELETE" })).status).toBe(204);
    worker.goOn();
    // It has heard of it once it takes other work.
    await bring(makeTopicBook("next", ["next"]));
    expect(await countTraces(place.db, id)).toEqual(nothing);
    expect(await place.files(id)).toEqual([]);
    expect((await place.ask(`/api/documents/${id}`)).status).toBe(404);
  });

  it("while its worker stands still, what that one stores afterwards is swept up", async () => {
    const { id } = await place.upload(await makeReport({ name: "late", pages: [["one"]] }));
    const worker = await place.startFaultWorker({ holdAt: { point: "commit.after", stage: "extract" } });
    await worker.reached;
    worker.signal("SIGSTOP");
    expect((await place.ask(`/api/documents/${id}`, { method: "DELETE" })).status).toBe(204);
    worker.goOn();
    worker.signal("SIGCONT");
    await bring(makeTopicBook("next", ["next"]));
    expect(await countTraces(place.db, id)).toEqual(nothing);
    const tomorrow = Date.now() + 25 * 3_600_000;
    await sweepFiles(place.runtime.documents.services, AbortSignal.timeout(30_000), tomorrow);
    expect(await place.files(id)).toEqual([]);
    expect(await place.files()).toHaveLength(3);
  });

  it("while others are connected with it, it goes, and they are connected with the rest", async () => {
    await place.startWorker();
    const id = await bring(makeTopicBook("going", ["one", "two"]));
    await bring(makeTopicBook("staying", ["one", "two"]));
    // Connections with both are found and their passages held when one is deleted.
    await using gate = await closeGate(place.databaseUrl, "lock table connections in exclusive mode");
    const { id: third } = await place.upload(makeTopicBook("third", ["one", "two"]));
    await gate.waiting(1);
    const deleted = place.ask(`/api/documents/${id}`, { method: "DELETE" });
    await gate.waiting(2);
    await gate.open();
    expect((await deleted).status).toBe(204);
    await place.atRest();
    expect(await countTraces(place.db, id)).toEqual(nothing);
    expect((await place.jobs(third)).map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(await connectionsOf(third)).toHaveLength(2);
  });
});

describe("another embedding model", () => {
  it("embeds every document again, and compares its own vectors only", async () => {
    const worker = await place.startWorker();
    const ids = [
      await bring(makeTopicBook("one", ["shared", "first"])),
      await bring(makeTopicBook("two", ["shared", "second"])),
    ];
    await worker.stop(5_000);
    const before = await Promise.all(ids.map((id) => readWholeDocument(place.db, id)));
    const next = await place.startDocmillWorker({
      DOCMILL_EMBEDDINGS_MODEL: "text-embedding-3-large",
      DOCMILL_EMBEDDINGS_DIMENSIONS: "512",
    });
    await until(async () => {
      const vectors = await place.db.query(
        sql`select from chunk_vectors v join embedding_models m on m.id = v.model_id where m.dimensions = 512`,
      );
      return vectors.length === 4;
    });
    await place.atRest();
    const after = await Promise.all(ids.map((id) => readWholeDocument(place.db, id)));
    expect(after.map(({ chunks }) => chunks)).toEqual(before.map(({ chunks }) => chunks));
    for (const { vectors } of after) {
      expect(vectors.filter(({ model }) => model === "openai/text-embedding-3-large/512")).toHaveLength(2);
    }
    // The same two passages, as near as the new model says.
    expect(after.map(({ connections }) => connections.length)).toEqual([1, 1]);
    expect(after[0]?.connections[0]?.strength).not.toBe(before[0]?.connections[0]?.strength);
    expect(next.stderr).not.toMatch(/"level":50/);
    const asked = place.openAi.requests.map(({ body }) => (JSON.parse(body.toString()) as { model: string }).model);
    expect(asked.filter((model) => model.endsWith("large"))).toHaveLength(2);
  });
});
