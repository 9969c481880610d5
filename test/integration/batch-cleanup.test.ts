/** Batches that have expired go with all they had, files that belong to nothing go a day later, and nothing else goes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sweepBatches } from "../../src/pipelines/heats/sweep-batches.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import type { DocumentWorker } from "../support/document-worker.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { expectRightCounters, type HeatClient, listFiles, openHeatClient } from "../support/heat-client.ts";
import { makeLetter, makeProgram, otherSwimmer, swimmer } from "../support/heat-sheets.ts";
import { until } from "../support/until.ts";

let server: FileServer;
let place: DocumentPlace;
let heats: HeatClient;
beforeAll(async () => {
  server = await startFileServer();
  place = await openDocumentPlace({
    settings: { DOCMILL_FETCH_ALLOW: server.host, DOCMILL_MODEL: "thinker", DOCMILL_MODEL_INPUT: "file" },
    openAi: {
      answerChat: () => ({ swims: [{ eventNumber: 1, eventName: "50 Free", swimmerName: swimmer, page: 1 }] }),
    },
  });
  heats = openHeatClient(place.url);
});
afterAll(async () => {
  await place.close();
  await server.close();
});

const aDayMs = 24 * 3_600_000;
const never = new AbortController().signal;
const sweep = (now?: number) => sweepBatches(place.runtime.engine, place.runtime.heats.services, never, now);
const filesOf = (batchId: string) => listFiles(place.runtime.heats.services.blobs, `batches/${batchId}/`);
const expire = (batchId: string, when = "-1 second") =>
  place.db.query(sql`update heat_batches set expires_at = now() + ${when}::interval where batch_id = ${batchId}`);

/** Rows that have to do with the batch, by table; only tables that have any. */
async function listRows(batchId: string, jobIds: readonly string[]): Promise<Record<string, number>> {
  const [rows] = await place.db.query<Record<string, number>>(sql`
    select (select count(*)::integer from batches where id = ${batchId}) as batches,
      (select count(*)::integer from jobs where batch_id = ${batchId}) as jobs,
      (select count(*)::integer from batch_turns where batch_id = ${batchId}) as turns,
      (select count(*)::integer from heat_batches where batch_id = ${batchId}) as heat_batches,
      (select count(*)::integer from heat_sources where batch_id = ${batchId}) as sources,
      (select count(*)::integer from heat_results where batch_id = ${batchId}) as results,
      (select count(*)::integer from idempotency_keys where batch_id = ${batchId}) as keys,
      (select count(*)::integer from events where stream_id = any (${[batchId, ...jobIds]}::uuid[])) as events,
      (select count(*)::integer from job_stages where job_id = any (${jobIds}::uuid[])) as stages,
      (select count(*)::integer from job_errors where job_id = any (${jobIds}::uuid[])) as errors,
      (select count(*)::integer from ledger_uses where job_id = any (${jobIds}::uuid[])) as uses`);
  return Object.fromEntries(Object.entries(rows ?? {}).filter(([, count]) => count > 0));
}

/** Started and ended before the others: it has to be as it was after all of them. */
let bystander: string;
beforeAll(async () => {
  await place.startWorker();
  ({ batchId: bystander } = await heats.start({ files: [makeProgram("bystander.pdf")] }));
  await heats.ended(bystander);
});
afterAll(async () => {
  expect((await heats.show(bystander)).batch.status).toBe("completed");
  expect(await filesOf(bystander)).toHaveLength(1);
  expect((await heats.results(bystander)).totalEvents).toBe(2);
});

describe("a batch that has expired", () => {
  it("is not there for anybody, and after the sweep neither are its rows and files", async () => {
    const headers = { "idempotency-key": "swept" };
    const urls = [server.serve(makeProgram("swept-url.pdf")), `http://${server.host}/gone.pdf`];
    const form = { files: [makeLetter("swept.pdf")], urls, headers };
    const { batchId } = await heats.start(form);
    const { batch, jobs } = await heats.ended(batchId);
    expect(batch.status).toBe("partial");
    const jobIds = jobs.map(({ id }) => id);
    expect(Object.keys(await listRows(batchId, jobIds))).toEqual(
      expect.arrayContaining(["batches", "jobs", "heatBatches", "sources", "results", "keys", "events", "uses"]),
    );
    expect(await filesOf(batchId)).toHaveLength(2);

    await expire(batchId);
    for (const path of [
      `/api/batch/${batchId}`,
      `/api/batch/${batchId}/stream`,
      `/api/results/${jobs[0]?.resultCode}`,
    ]) {
      expect(await heats.ask(path)).toMatchObject({ status: 404, body: { success: false, error: "NOT_FOUND" } });
    }
    expect((await heats.post(`/api/batch/${batchId}/retry`)).status).toBe(404);

    expect(await sweep()).toBe(1);
    expect(await listRows(batchId, jobIds)).toEqual({});
    expect(await filesOf(batchId)).toEqual([]);
    expect(await sweep()).toBe(0);
    // Its key is free again, and what was read of its files is still known.
    const again = await heats.start(form);
    expect(again.batchId).not.toBe(batchId);
    expect((await heats.ended(again.batchId)).jobs[0]).toMatchObject({ status: "completed", cached: true });
  });

  it("is cancelled first where it still runs, and nothing of it comes back", async () => {
    const half = server.holdNext();
    const { batchId } = await heats.start({ urls: [server.serve(makeProgram("running.pdf"))] });
    await half;
    const { jobs } = await heats.show(batchId);
    await expire(batchId);
    expect(await sweep()).toBe(1);
    await until(async () => {
      const [worker] = await place.db.query(sql`select from jobs where status = 'running'`);
      return !worker;
    });
    expect(await listRows(batchId, [jobs[0]?.id ?? ""])).toEqual({});
    expect(await filesOf(batchId)).toEqual([]);
  });

  it("goes once, whoever sweeps at the same time", async () => {
    const batches = await Promise.all(
      Array.from(
        { length: 5 },
        async (_, index) => (await heats.start({ files: [makeProgram(`${index}.pdf`)] })).batchId,
      ),
    );
    await Promise.all(batches.map((batchId) => heats.ended(batchId)));
    await Promise.all(batches.map((batchId) => expire(batchId)));
    const counts = await Promise.all([sweep(), sweep(), sweep()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
    for (const batchId of batches) expect(await filesOf(batchId)).toEqual([]);
  });
});

describe("a batch that has not expired", () => {
  it("can be retried with its file right before it does", async () => {
    place.openAi.plan({ wrong: "refusal" });
    const { batchId } = await heats.start({ files: [makeLetter("retried.pdf")] });
    expect((await heats.ended(batchId)).jobs).toMatchObject([{ errorCode: "EXTRACTION_FAILED" }]);
    await expire(batchId, "1 hour");
    expect(await sweep(Date.now() + 40 * aDayMs)).toBe(0);
    expect(await filesOf(batchId)).toHaveLength(1);
    await heats.post(`/api/batch/${batchId}/retry`);
    expect((await heats.ended(batchId)).batch.status).toBe("completed");
    await expectRightCounters(place.db, batchId);
  });
});

describe("a file that belongs to nothing", () => {
  it("goes when it is older than a day, not before: somebody may be about to commit it", async () => {
    const { blobs } = place.runtime.heats.services;
    const key = "batches/01a1ecdd-0000-7000-8000-000000000000/upload-0";
    await blobs.put(
      key,
      (async function* () {
        yield Buffer.from("%PDF-");
      })(),
    );
    expect(await sweep()).toBe(0);
    expect(await listFiles(blobs, "batches/01a1ecdd-0000")).toEqual([key]);
    expect(await sweep(Date.now() + aDayMs + 60_000)).toBe(1);
    expect(await listFiles(blobs, "batches/01a1ecdd-0000")).toEqual([]);
  });
});

describe("what was read of files", () => {
  it("goes when nobody has asked for it as long as batches are kept, and not what is in use", async () => {
    const { batchId } = await heats.start({ files: [makeProgram("unused.pdf")] });
    await heats.ended(batchId);
    const count = async () => [
      (await place.db.query(sql`select from heat_sheets`)).length,
      (await place.db.query(sql`select from heat_extractions`)).length,
    ];
    const [sheets = 0, extractions = 0] = await count();
    const old = sql`(select sha256 from heat_sources where batch_id = ${batchId})`;
    for (const days of [29, 31]) {
      const age = `${days} days`;
      await place.db.query(sql`update heat_sheets set last_used_at = now() - ${age}::interval where sha256 in ${old}`);
      await place.db.query(
        sql`update heat_extractions set last_used_at = now() - ${age}::interval where sha256 in ${old}`,
      );
      await sweep();
      expect(await count()).toEqual(days < 30 ? [sheets, extractions] : [sheets - 1, extractions - 1]);
    }
    expect((await heats.results(batchId)).totalEvents).toBe(2);
    const again = await heats.start({ files: [makeProgram("unused.pdf")] });
    expect((await heats.ended(again.batchId)).jobs).toMatchObject([{ status: "completed", cached: false }]);
  });
});

describe("what is being worked on", () => {
  let quiet: DocumentPlace;
  let client: HeatClient;
  let worker: DocumentWorker;
  beforeAll(async () => {
    quiet = await openDocumentPlace();
    client = openHeatClient(quiet.url);
    worker = quiet.prepareFaultWorker({ slots: 1 });
  });
  afterAll(() => quiet.close());

  it("a sheet that a job has just found stays until the job is through with it", async () => {
    const file = makeProgram("found.pdf");
    await worker.start();
    await client.ended((await client.start({ files: [file] })).batchId);
    await worker.rest();
    await quiet.db.query(sql`update heat_sheets set last_used_at = now() - interval '31 days'`);
    const { batchId } = await client.start({ swimmer: otherSwimmer, files: [file] });
    await worker.start({ holdAt: { point: "commit.after", stage: "checking" } });
    await worker.reached;
    await sweepBatches(quiet.runtime.engine, quiet.runtime.heats.services, never);
    worker.goOn();
    expect((await client.ended(batchId)).jobs).toMatchObject([{ status: "completed", eventCount: 1, error: null }]);
    await worker.rest();
  });

  it("a file stays whose sheet is started again in the middle of the sweep, until the next one", async () => {
    const { engine, heats: open } = quiet.runtime;
    const { batchId } = await client.start({ files: [makeProgram("restarted.pdf")] });
    const { jobs } = await client.show(batchId);
    await quiet.db.query(sql`update heat_batches set expires_at = now() where batch_id = ${batchId}`);
    const restarting = {
      cancelBatch: engine.cancelBatch,
      async forgetBatch(id: string) {
        // The job's own route knows of no expiry.
        await engine.retryJob(jobs[0]?.id ?? "");
        return engine.forgetBatch(id);
      },
    };
    expect(await sweepBatches(restarting, open.services, never)).toBe(0);
    expect(await listFiles(open.services.blobs, `batches/${batchId}/`)).toHaveLength(1);
    expect(await sweepBatches(engine, open.services, never)).toBe(1);
    expect(await listFiles(open.services.blobs, `batches/${batchId}/`)).toEqual([]);
  });
});
