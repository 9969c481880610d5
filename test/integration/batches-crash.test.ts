/**
 * kill -9 at every boundary between the stages of a sheet and inside each of them. Whatever the moment, the next worker
 * finishes the batch with the same results: no result twice, nothing paid twice, no event missing or doubled.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sweepBatches } from "../../src/pipelines/heats/sweep-batches.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import type { DocumentWorker, Moment } from "../support/document-worker.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { expectRightCounters, type HeatClient, listFiles, openHeatClient } from "../support/heat-client.ts";
import { makeLetter, makeProgram, swimmer } from "../support/heat-sheets.ts";
import { readStream } from "../support/read-job.ts";
import { until } from "../support/until.ts";

const [before, inside, after] = ["commit.before", "commit.inside", "commit.after"] as const;

/** In the order of the work, with the number of files that are left for the sweep. */
const moments: [name: string, moment: Moment, left?: number][] = [
  ["downloading, the file stored and not committed", { point: before, stage: "downloading" }, 1],
  ["downloading, its checkpoint not committed", { point: inside, stage: "downloading" }, 1],
  ["between downloading and checking", { point: after, stage: "downloading" }],
  ["checking, the sheet read and not kept", { point: before, stage: "checking" }],
  ["checking, its checkpoint not committed", { point: inside, stage: "checking" }],
  ["between checking and asking", { point: after, stage: "checking" }],
  ["asking, the answer there and not used", { point: before, stage: "uploading_to_ai" }],
  ["asking, its checkpoint not committed", { point: inside, stage: "uploading_to_ai" }],
  ["between asking and extracting", { point: after, stage: "uploading_to_ai" }],
  ["extracting, its checkpoint not committed", { point: inside, stage: "extracting" }],
  ["between extracting and caching", { point: after, stage: "extracting" }],
  ["caching, nothing saved", { point: before, stage: "caching" }],
  ["caching, the result and the batch's end not committed", { point: inside, transition: "complete" }],
  ["the end, all of it committed", { point: after, transition: "complete" }],
];

let place: DocumentPlace;
let heats: HeatClient;
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
      answerChat: () => ({
        meetName: "Invented Letter Open",
        swims: [{ eventNumber: 1, eventName: "50 Free", heatNumber: 2, lane: 2, swimmerName: swimmer, page: 1 }],
      }),
    },
  });
  heats = openHeatClient(place.url);
  survivor = place.prepareFaultWorker({ slots: 1 });
  victim = place.prepareFaultWorker({ slots: 1 });
});
afterAll(async () => {
  await place.close();
  await server.close();
});

/** A letter of its own, by url, which the model has to be asked about. */
async function bringBatch(name: string): Promise<string> {
  const plain = name.replaceAll(/\W+/g, "-");
  const urls = [server.serve(makeLetter(`${plain}.pdf`))];
  const { batchId } = await heats.start({ urls });
  return batchId;
}

async function finish(): Promise<void> {
  await survivor.start();
  await place.atRest();
  await survivor.rest();
}

async function expectWhole(batchId: string): Promise<void> {
  const { batch, jobs } = await heats.show(batchId);
  expect(batch).toMatchObject({ status: "completed", completedJobs: 1, failedJobs: 0 });
  expect(jobs).toMatchObject([{ status: "completed", eventCount: 1, meetName: "Invented Letter Open", error: null }]);
  const { events, sources } = await heats.results(batchId);
  expect(sources).toHaveLength(1);
  expect(events).toMatchObject([{ eventNumber: 1, heatNumber: 2, lane: 2, source: { sequence: 1, by: "model" } }]);
  const rows = await place.db.query(sql`select code from heat_results where batch_id = ${batchId}`);
  expect(rows).toEqual([{ code: jobs[0]?.resultCode }]);
  const types = (await readStream(place.db, batchId)).map(({ type }) => type);
  for (const once of ["batch_started", "job_completed", "batch_completed"]) {
    expect(types.filter((type) => type === once)).toHaveLength(1);
  }
  expect(types.at(-1)).toBe("batch_completed");
  await expectRightCounters(place.db, batchId);
}

/** Each question was paid for once; what hangs is never answered, and so not paid for. */
function expectPaidOnce(questions: number): void {
  const chat = place.openAi.calls().filter(({ path }) => path.endsWith("/chat/completions"));
  expect(chat.map(({ paid }) => paid)).toEqual(Array.from({ length: questions }, () => 1));
}

let questions = 0;

it.each(moments)("killed in %s", async (name, moment, left = 0) => {
  const batchId = await bringBatch(name);
  questions++;
  await victim.start({ endAt: moment });
  expect(await victim.exited).toBe("SIGKILL");
  victim = place.prepareFaultWorker({ slots: 1 });
  await finish();
  await expectWhole(batchId);
  expectPaidOnce(questions);

  const prefix = `batches/${batchId}/`;
  const { blobs } = place.runtime.heats.services;
  expect(await listFiles(blobs, prefix)).toHaveLength(1 + left);
  const tomorrow = Date.now() + 25 * 3_600_000;
  await sweepBatches(place.runtime.engine, place.runtime.heats.services, AbortSignal.timeout(30_000), tomorrow);
  const known = await place.db.query<{ blobKey: string }>(
    sql`select blob_key from heat_sources where batch_id = ${batchId}`,
  );
  expect(await listFiles(blobs, prefix)).toEqual(known.map(({ blobKey }) => blobKey));
});

it("killed in downloading, with half of the file there", async () => {
  const half = server.holdNext();
  const batchId = await bringBatch("half");
  questions++;
  await victim.start();
  await half;
  await victim.kill();
  victim = place.prepareFaultWorker({ slots: 1 });
  await finish();
  await expectWhole(batchId);
  expectPaidOnce(questions);
  expect(await listFiles(place.runtime.heats.services.blobs, `batches/${batchId}/`)).toHaveLength(1);
});

it("killed while the model thinks", async () => {
  place.openAi.plan("hang");
  const batchId = await bringBatch("thinking");
  questions++;
  await victim.start();
  await until(() => place.openAi.requests.some(({ misbehaviour }) => misbehaviour === "hang"));
  await victim.kill();
  victim = place.prepareFaultWorker({ slots: 1 });
  await finish();
  await expectWhole(batchId);
  expectPaidOnce(questions);
});

it("killed again and again, at every stage of one batch of many sheets", async () => {
  const files = Array.from({ length: 6 }, (_, index) => makeProgram(`many-${index}.pdf`));
  const { batchId } = await heats.start({ files });
  const ends: Omit<Moment, "point">[] = [{ stage: "checking" }, { stage: "extracting" }, { transition: "complete" }];
  for (const end of ends) {
    await victim.start({ endAt: { point: inside, ...end } });
    expect(await victim.exited).toBe("SIGKILL");
    victim = place.prepareFaultWorker({ slots: 3 });
  }
  await finish();
  const { batch, jobs } = await heats.show(batchId);
  expect(batch).toMatchObject({ status: "completed", completedJobs: 6, failedJobs: 0 });
  expect(new Set(jobs.map(({ resultCode }) => resultCode)).size).toBe(6);
  const { events } = await heats.results(batchId);
  expect(events.map(({ sources }) => sources.length)).toEqual([6, 6]);
  expect(await place.db.query(sql`select from heat_results where batch_id = ${batchId}`)).toHaveLength(6);
  const types = (await readStream(place.db, batchId)).map(({ type }) => type);
  expect(types.filter((type) => type === "job_completed")).toHaveLength(6);
  expect(types.filter((type) => type === "batch_completed")).toHaveLength(1);
  await expectRightCounters(place.db, batchId);
});

it("stopped for longer than its lease: what it writes when it wakes lands nowhere", async () => {
  const { batchId } = await heats.start({ files: [makeProgram("sleeper.pdf")] });
  await victim.start({ holdAt: { point: before, stage: "caching" } });
  await victim.reached;
  victim.signal("SIGSTOP");
  await place.db.query(
    sql`update workers set lease_expires_at = now() - interval '1 second' where pid = ${victim.pid}`,
  );
  await finish();
  const first = await heats.show(batchId);
  victim.signal("SIGCONT");
  victim.goOn();
  await victim.rest();
  expect(await heats.show(batchId)).toEqual(first);
  expect(await place.db.query(sql`select from heat_results where batch_id = ${batchId}`)).toHaveLength(1);
  await expectRightCounters(place.db, batchId);
});
