/**
 * Seed 003 as its users meet it: batches in the database instead of in memory, worked on by `docmill serve` and `docmill
 * worker` as processes of their own, through kill -9 and restart, under limits that hold over all of them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type CallMeter, startCallMeter } from "../support/call-meter.ts";
import { type DocmillProcess, spawnDocmill, startServe } from "../support/docmill-process.ts";
import { type DocumentPlace, endProcess, openDocumentPlace } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { expectRightCounters, type HeatClient, listFiles, openHeatClient } from "../support/heat-client.ts";
import { makeLetter, makeProgram, swimmer } from "../support/heat-sheets.ts";
import { readStream } from "../support/read-job.ts";
import { until } from "../support/until.ts";

const limits = { global: 2, perBatch: 2 };

let place: DocumentPlace;
/** Stands before the model, counts what is under way, and can hold it. */
let meter: CallMeter;
let env: Record<string, string>;
/** Serves during the whole file, and works on nothing. */
let lasting: DocmillProcess;
let heats: HeatClient;
let processes: DocmillProcess[] = [];

beforeAll(async () => {
  const answer = { eventNumber: 1, eventName: "50 Free", heatNumber: 2, lane: 2, swimmerName: swimmer, page: 1 };
  place = await openDocumentPlace({ openAi: { answerChat: () => ({ swims: [answer] }) } });
  meter = await startCallMeter(place.openAi.url);
  env = {
    ...place.environment,
    DOCMILL_MODEL: "thinker",
    DOCMILL_MODEL_URL: `${meter.url}/v1`,
    MAX_CONCURRENT_AI_CALLS: String(limits.global),
    CONCURRENT_JOBS_PER_BATCH: String(limits.perBatch),
    DOCMILL_CONCURRENCY: "6",
  };
  const { server, url } = await startServe(["--no-workers", "--port", "0"], { env });
  heats = openHeatClient(url);
  lasting = server;
});
afterEach(async () => {
  meter.release();
  await Promise.all(processes.map(endProcess));
  processes = [];
});
afterAll(async () => {
  await endProcess(lasting);
  await meter.close();
  await place.close();
});

async function startWorker(): Promise<DocmillProcess> {
  const worker = spawnDocmill(["worker"], { env });
  processes.push(worker);
  await worker.says(/is ready/);
  return worker;
}

let made = 0;
const letters = (count: number) => Array.from({ length: count }, () => makeLetter(`letter-${++made}.pdf`));
const programs = (count: number) => Array.from({ length: count }, () => makeProgram(`program-${++made}.pdf`));

describe("create batch → jobs in the database", () => {
  it("with their files in storage, before anybody works on them", async () => {
    const { batchId, totalJobs } = await heats.start({ files: programs(3) });
    const rows = await place.db.query(sql`
      select j.status, j.sequence, j.attempts, s.filename, s.blob_key is not null as stored
      from jobs j join heat_sources s on s.job_id = j.id where j.batch_id = ${batchId} order by j.sequence`);
    expect(rows).toMatchObject(
      [1, 2, 3].map((sequence) => ({ status: "pending", sequence, attempts: 0, stored: true })),
    );
    expect(totalJobs).toBe(3);
    expect(await listFiles(place.runtime.heats.services.blobs, `batches/${batchId}/`)).toHaveLength(3);
    await heats.post(`/api/batch/${batchId}/cancel`);
  });
});

describe("worker claims and processes jobs", () => {
  it("each job once, whichever of two workers has it", async () => {
    const { batchId } = await heats.start({ files: programs(6) });
    await Promise.all([startWorker(), startWorker()]);
    const { batch, jobs } = await heats.ended(batchId);
    expect(batch).toMatchObject({ status: "completed", completedJobs: 6 });
    expect(jobs.every(({ eventCount }) => eventCount === 2)).toBe(true);
    const attempts = await place.db.query(sql`select distinct attempts from jobs where batch_id = ${batchId}`);
    expect(attempts).toEqual([{ attempts: 1 }]);
    expect((await readStream(place.db, batchId)).filter(({ type }) => type === "job_completed")).toHaveLength(6);
    await expectRightCounters(place.db, batchId);
  });
});

describe("restart server → pending jobs resume", () => {
  it("kill -9 with sheets in the middle and sheets that wait: the next server finishes them all", async () => {
    const first = await startServe(["--port", "0"], { env });
    processes.push(first.server);
    const client = openHeatClient(first.url);
    meter.hold();
    const { batchId } = await client.start({ files: [...letters(3), ...programs(2)] });
    await until(() => meter.underWay === limits.global);
    const before = await client.show(batchId);
    expect(before.jobs.map(({ status }) => status).sort()).toEqual(expect.arrayContaining(["pending", "running"]));
    await endProcess(first.server);
    meter.release();

    const second = await startServe(["--port", "0"], { env });
    processes.push(second.server);
    const { batch, jobs } = await openHeatClient(second.url).ended(batchId);
    expect(batch).toMatchObject({ id: batchId, status: "completed", completedJobs: 5, failedJobs: 0 });
    expect(jobs.map(({ eventCount }) => eventCount)).toEqual([1, 1, 1, 2, 2]);
    expect(await place.db.query(sql`select from heat_results where batch_id = ${batchId}`)).toHaveLength(5);
    for (const { paid } of place.openAi.calls()) expect(paid).toBe(1);
    await expectRightCounters(place.db, batchId);
  });

  it("a server that is stopped in good order hands its sheets on", async () => {
    meter.hold();
    const worker = await startWorker();
    const { batchId } = await heats.start({ files: letters(2) });
    await until(() => meter.underWay === 2);
    worker.kill("SIGTERM");
    await startWorker();
    meter.release();
    expect((await heats.ended(batchId)).batch).toMatchObject({ status: "completed", completedJobs: 2 });
    for (const { paid } of place.openAi.calls()) expect(paid).toBe(1);
  });
});

describe("SSE reconnection with state sync", () => {
  it("who comes back without a number gets the state, with one exactly the rest, also from another server", async () => {
    meter.hold();
    await startWorker();
    const { batchId, streamUrl } = await heats.start({ files: letters(1) });
    await until(() => meter.underWay === 1);
    const first = await openStream(place.url + streamUrl, 0);
    const seen = [await first.next(), await first.next()];
    expect(seen.map((event) => event?.id)).toEqual(["1", "2"]);
    await first.drop();

    await using synced = await openStream(place.url + streamUrl);
    const sync = JSON.parse((await synced.next())?.data ?? "");
    expect(sync).toMatchObject({ type: "state_sync", batch: { id: batchId, status: "running" } });
    expect(sync.jobs).toMatchObject([{ status: "running", stage: "uploading_to_ai" }]);
    meter.release();
    expect((await synced.rest()).at(-1)?.type).toBe("batch_completed");

    const { lastEventId } = (await heats.show(batchId)).batch;
    await using rest = await openStream(place.url + streamUrl, 2);
    const numbers = (await rest.rest()).map(({ id }) => Number(id));
    expect(numbers).toEqual(Array.from({ length: lastEventId - 2 }, (_, index) => index + 3));
  });
});

describe("concurrent batches respect the limits", () => {
  it("never more calls to the model at once than allowed, over all workers, nor more sheets of one batch", async () => {
    await Promise.all([startWorker(), startWorker()]);
    meter.hold();
    const batches = await Promise.all(Array.from({ length: 3 }, () => heats.start({ files: letters(4) })));
    const ids = batches.map(({ batchId }) => batchId);
    const countRunning = () =>
      place.db.query<{ running: number; active: number }>(sql`
        select count(*) filter (where status = 'running')::integer as running,
          count(*) filter (where status in ('pending', 'running'))::integer as active
        from jobs where batch_id = any (${ids}::uuid[]) group by batch_id`);
    // Each has as many under way as it may, and most of them wait for their turn to call.
    await until(async () => (await countRunning()).every(({ running }) => running === limits.perBatch));
    await until(() => meter.underWay === limits.global);
    meter.release();
    await until(async () => {
      const rows = await countRunning();
      for (const { running } of rows) expect(running).toBeLessThanOrEqual(limits.perBatch);
      return rows.every(({ active }) => active === 0);
    });
    expect(meter.most).toBe(limits.global);
    for (const id of ids) {
      expect((await heats.show(id)).batch).toMatchObject({ status: "completed", completedJobs: 4 });
      await expectRightCounters(place.db, id);
    }
  });
});

describe("cancel stops pending jobs", () => {
  it("and running ones; what was done stays; the batch is never completed afterwards, unless it is retried", async () => {
    await startWorker();
    meter.hold();
    const { batchId } = await heats.start({ files: [...programs(1), ...letters(3)] });
    await until(() => meter.underWay === 2);
    const done = 1;
    await heats.shows(batchId, ({ jobs }) => jobs[0]?.status === "completed");
    const { body } = await heats.post(`/api/batch/${batchId}/cancel`);
    expect(body).toEqual({ success: true, cancelledJobs: 4 - done });
    // A call that is under way is given up, not waited for.
    await until(() => meter.underWay === 0);
    meter.release();
    await place.atRest();
    const cancelled = await heats.show(batchId);
    expect(cancelled.batch).toMatchObject({ status: "cancelled", completedJobs: done, failedJobs: 0 });
    expect(
      cancelled.jobs.slice(done).every(({ status, stage }) => status === "cancelled" && stage === "cancelled"),
    ).toBe(true);
    expect((await heats.results(batchId)).sources).toHaveLength(done);
    const types = (await readStream(place.db, batchId)).map(({ type }) => type);
    expect(types.at(-1)).toBe("batch_cancelled");
    expect(types).not.toContain("batch_completed");
    await expectRightCounters(place.db, batchId);

    expect((await heats.post(`/api/batch/${batchId}/retry`)).body).toEqual({ success: true, retriedJobs: 4 - done });
    expect((await heats.ended(batchId)).batch).toMatchObject({ status: "completed", completedJobs: 4, failedJobs: 0 });
    for (const { paid } of place.openAi.calls()) expect(paid).toBeLessThanOrEqual(1);
    await expectRightCounters(place.db, batchId);
  });

  it("cancels and retries from many people at once leave the counters right", async () => {
    await startWorker();
    const { batchId } = await heats.start({ files: programs(8) });
    const actions = Array.from({ length: 16 }, (_, index) => (index % 3 === 0 ? "cancel" : "retry"));
    await Promise.all(
      actions.map(async (action, index) => {
        await heats.shows(batchId, ({ batch }) => batch.lastEventId >= index / 2);
        expect((await heats.post(`/api/batch/${batchId}/${action}`)).status).toBe(200);
      }),
    );
    await expectRightCounters(place.db, batchId);
    await heats.post(`/api/batch/${batchId}/retry`);
    const { batch } = await heats.ended(batchId);
    expect(batch).toMatchObject({ status: "completed", completedJobs: 8, failedJobs: 0 });
    expect(await place.db.query(sql`select from heat_results where batch_id = ${batchId}`)).toHaveLength(8);
    await readStream(place.db, batchId);
    await expectRightCounters(place.db, batchId);
  });
});
