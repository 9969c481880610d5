/**
 * kill -9 at every boundary between the stages of a document's processing and inside each of them. Whatever the moment,
 * the next worker finishes what the first began: nothing is missing, nothing is there twice, nothing is paid for twice,
 * and a second, undisturbed reading of the same file changes not a single row.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sweepFiles } from "../../src/pipelines/documents/sweep-files.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import type { DocumentWorker, Moment } from "../support/document-worker.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { readWholeDocument } from "../support/read-document.ts";
import { makeReport } from "../support/sample-reports.ts";
import { makeTopicBook } from "../support/topic-texts.ts";
import { until } from "../support/until.ts";

const [before, inside, after] = ["commit.before", "commit.inside", "commit.after"] as const;
const documentEnds = { transition: "complete", createsJobs: true };
const connectingEnds = { transition: "complete", createsJobs: false };

/** In the order of the work, with the number of files that are left for the sweep. */
const moments: [name: string, moment: Moment, left?: number][] = [
  ["fetch, the file stored and not committed", { point: before, stage: "fetch" }, 1],
  ["fetch, its checkpoint not committed", { point: inside, stage: "fetch" }, 1],
  ["between fetch and extract", { point: after, stage: "fetch" }],
  ["extract, a page read and not committed", { point: before, stage: "extract", item: "2" }],
  ["extract, a page's checkpoint not committed", { point: inside, stage: "extract", item: "2" }],
  ["extract, after a page", { point: after, stage: "extract", item: "2" }],
  ["extract, all pages read", { point: before, stage: "extract" }],
  ["between extract and save_markdown", { point: after, stage: "extract" }],
  ["save_markdown, the file stored", { point: before, stage: "save_markdown" }],
  ["between save_markdown and chunk", { point: after, stage: "save_markdown" }],
  ["chunk, before the swap", { point: before, stage: "chunk" }],
  ["chunk, the swap not committed", { point: inside, stage: "chunk" }],
  ["between chunk and embed", { point: after, stage: "chunk" }],
  ["embed, a batch answered and not stored", { point: before, stage: "embed", item: "any" }],
  ["embed, a batch's checkpoint not committed", { point: inside, stage: "embed", item: "any" }],
  ["embed, between batches", { point: after, stage: "embed", item: "any" }],
  ["complete, all vectors there", { point: before, ...documentEnds }],
  ["complete, not committed", { point: inside, ...documentEnds }],
  ["between complete and detect_connections", { point: after, ...documentEnds }],
  ["compare, connections found and not committed", { point: before, stage: "compare", item: "any" }],
  ["compare, its checkpoint not committed", { point: inside, stage: "compare", item: "any" }],
  ["between compare and bridge", { point: after, stage: "compare" }],
  ["bridge, an answer not stored as a connection", { point: before, stage: "bridge", item: "any" }],
  ["bridge, between passages", { point: after, stage: "bridge", item: "any" }],
  ["the end of detect_connections", { point: before, ...connectingEnds }],
];

let place: DocumentPlace;
let server: FileServer;
/** The next to die; it gets ready while the one before it is still being mourned. */
let victim: DocumentWorker;
/** Takes over from them all. */
let survivor: DocumentWorker;

beforeAll(async () => {
  server = await startFileServer();
  place = await openDocumentPlace({
    settings: { DOCMILL_FETCH_ALLOW: server.host, DOCMILL_MODEL: "thinker" },
    openAi: {
      answerChat: () => ({ bridges: [{ candidate: 1, strength: 0.8, theme: "tides", explanation: "Both." }] }),
    },
  });
  survivor = prepareWorker();
  victim = prepareWorker();
  // What all others are connected with.
  await place.upload(makeTopicBook("partner", ["similar", "bridged", "foreign"]));
  await finish();
});

afterAll(async () => {
  await place.close();
  await server.close();
});

/** A document of its own for every case: what was paid for another must not be found in the ledger. */
async function bringDocument(name: string): Promise<string> {
  const own = (part: string) => `${name} ${part}`;
  const pages = [["similar"], [own("a")], ["bridged", own("b"), own("c"), own("d"), own("e")]];
  const url = server.serve(await makeReport({ name, pages }));
  const { status, body } = await place.post("/api/documents/from-url", { url });
  expect(status).toBe(200);
  return body.id;
}

function prepareWorker(): DocumentWorker {
  return place.prepareFaultWorker({ batchSize: 2, atOnce: 1, slots: 1 });
}

async function finish(worker = survivor): Promise<void> {
  await worker.start();
  await place.atRest();
  await worker.rest();
}

/** How often each text was sent to be embedded, and each question to the model. */
function countAsked(): number[] {
  const asked = place.openAi.requests.flatMap(({ body, misbehaviour }) => {
    const { input, messages } = JSON.parse(body.toString()) as { input?: string[]; messages?: unknown };
    return misbehaviour === "hang" ? [] : (input ?? [JSON.stringify(messages)]);
  });
  const counts = new Map<string, number>();
  for (const text of asked) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts.values()];
}

async function expectWhole(id: string): Promise<void> {
  const document = await place.read(id);
  expect(document).toMatchObject({ status: "Ready", stage: "complete", pageCount: 3, errorCode: null });
  expect((await place.jobs(id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "detect_connections COMPLETED",
    "document COMPLETED",
  ]);
  const asked = countAsked();
  expect(new Set(asked)).toEqual(new Set([1]));

  const whole = await readWholeDocument(place.db, id);
  expect(whole.pages).toHaveLength(3);
  expect(whole.tables).toHaveLength(3);
  expect(whole.fields.length).toBeGreaterThan(8);
  expect(whole.chunks.length).toBeGreaterThan(4);
  expect(whole.vectors).toHaveLength(whole.chunks.length);
  const types = new Set(whole.connections.map(({ type }) => type));
  expect([...types].sort()).toEqual(["semantic_similarity", "thematic_bridge"]);

  // An undisturbed run of the same file finds everything as it is, and nothing to pay for.
  expect((await place.post(`/api/documents/${id}/reprocess`)).status).toBe(200);
  await finish();
  expect(await readWholeDocument(place.db, id)).toEqual(whole);
  expect(countAsked()).toEqual(asked);
}

/** The file, its markdown and the marks of that; what a killed process stored and could not commit is swept up. */
async function expectNoOtherFiles(id: string, left: number): Promise<void> {
  const [document] = await place.db.query<{ blobKey: string; markdownKey: string }>(
    sql`select blob_key, markdown_key from documents where id = ${id}`,
  );
  const { blobKey = "", markdownKey = "" } = document ?? {};
  const wanted = [blobKey, markdownKey, markdownKey.replace(/md$/, "marks.json")].sort();
  const files = await place.files(id);
  expect(files).toEqual(expect.arrayContaining(wanted));
  expect(files).toHaveLength(wanted.length + left);
  const tomorrow = Date.now() + 25 * 3_600_000;
  await sweepFiles(place.runtime.documents.services, AbortSignal.timeout(30_000), tomorrow);
  expect((await place.files(id)).sort()).toEqual(wanted);
}

it.each(moments)("killed in %s", async (name, moment, left = 0) => {
  const id = await bringDocument(name.replaceAll(/\W+/g, "-"));
  await victim.start({ endAt: moment });
  expect(await victim.exited).toBe("SIGKILL");
  victim = prepareWorker();
  await finish();
  await expectNoOtherFiles(id, left);
  await expectWhole(id);
  await place.ask(`/api/documents/${id}`, { method: "DELETE" });
});

it("killed in fetch, half of the file downloaded", async () => {
  const half = server.holdNext();
  const id = await bringDocument("half");
  await victim.start();
  await half;
  await victim.kill();
  victim = prepareWorker();
  await finish();
  await expectNoOtherFiles(id, 0);
  await expectWhole(id);
});

it("killed in embed, its call under way and not answered", async () => {
  place.openAi.plan("hang");
  const id = await bringDocument("hanging");
  await victim.start();
  await until(() => place.openAi.requests.some(({ misbehaviour }) => misbehaviour === "hang"));
  await victim.kill();
  await finish();
  await expectWhole(id);
});

it("killed in embed, and taken over by a version that makes larger batches", async () => {
  const id = await bringDocument("upgraded");
  const first = `${place.runtime.documents.services.embedder.model}:0-1`;
  victim = prepareWorker();
  await victim.start({ endAt: { point: after, stage: "embed", item: first } });
  await victim.exited;
  await finish(place.prepareFaultWorker());
  const { chunks, vectors } = await readWholeDocument(place.db, id);
  expect(vectors).toHaveLength(chunks.length);
});
