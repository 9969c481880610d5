/** A batch's stream: the state first or exactly what was missed, then live events, from any server, until the batch has ended. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BatchDetail } from "../../src/contract/batches.ts";
import { sql } from "../../src/db/sql.ts";
import { closeGate } from "../support/database-gate.ts";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { type DocumentPlace, endProcess, openDocumentPlace } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";
import { readStream } from "../support/read-job.ts";

let place: DocumentPlace;
let heats: HeatClient;
let files: FileServer;
/** `docmill serve` on the same database, in a process of its own. */
let other: { server: DocmillProcess; url: string };
beforeAll(async () => {
  files = await startFileServer();
  place = await openDocumentPlace({ settings: { DOCMILL_FETCH_ALLOW: files.host } });
  heats = openHeatClient(place.url);
  other = await startServe(["--no-workers", "--port", "0"], { env: place.environment });
  await place.startWorker();
});
afterAll(async () => {
  await endProcess(other.server);
  await place.close();
  await files.close();
});

const streamOf = (id: string, base = place.url) => `${base}/api/batch/${id}/stream`;
const numbers = (events: readonly { id: string }[]) => events.map(({ id }) => Number(id));
const types = (events: readonly { type: string }[]) => events.map(({ type }) => type);
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index);
const gateSheets = () => closeGate(place.databaseUrl, "lock table heat_sheets in share row exclusive mode");

describe("a batch that runs", () => {
  it("is told from its state on: each event with its number, its type and exactly its fields", async () => {
    const url = files.serve(makeProgram("told.pdf"));
    await using gate = await gateSheets();
    const { batchId, streamUrl } = await heats.start({ urls: [url, `${url}-gone`] });
    await heats.shows(batchId, ({ jobs }) => jobs[0]?.stage === "checking");
    await gate.waiting();
    await using stream = await openStream(place.url + streamUrl);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const sync = await stream.next();
    const state = JSON.parse(sync?.data ?? "");
    expect(sync?.type).toBe("state_sync");
    expect(state).toMatchObject({ type: "state_sync", eventId: Number(sync?.id) });
    expect(BatchDetail.parse({ success: true, ...state })).toEqual({
      success: true,
      batch: state.batch,
      jobs: state.jobs,
    });
    expect(state.batch).toMatchObject({ id: batchId, status: "running", lastEventId: Number(sync?.id) });
    expect(state.jobs[0]).toMatchObject({ status: "running", stage: "checking", progressMessage: "Checking the file" });
    await gate.open();
    const live = await stream.rest();
    expect(types(live).at(-1)).toBe("batch_completed");

    await using replay = await openStream(streamOf(batchId), 0);
    const all = await replay.rest();
    expect(numbers(all)).toEqual(upTo(all.length));
    expect(all.slice(Number(sync?.id))).toEqual(live);
    const told = all.map(({ data }) => JSON.parse(data));
    for (const [index, event] of all.entries()) {
      expect(told[index]).toMatchObject({ type: event.type, eventId: index + 1 });
    }
    const { jobs } = await heats.show(batchId);
    const [jobId, goneId] = jobs.map(({ id }) => id);
    expect(told[0]).toEqual({ type: "batch_started", eventId: 1, batchId, totalJobs: 2, swimmerName: swimmer });
    const ofJob = (id?: string) => told.filter((event) => event.jobId === id).map(({ eventId: _, ...event }) => event);
    const progress = (stage: string, message: string) => {
      return { type: "job_progress", jobId, sequence: 1, stage, message };
    };
    expect(ofJob(jobId)).toEqual([
      progress("downloading", "Downloading told.pdf"),
      progress("checking", "Checking the file"),
      progress("extracting", `Looking for ${swimmer}`),
      progress("caching", "Saving 2 swims"),
      {
        type: "job_completed",
        jobId,
        sequence: 1,
        resultCode: jobs[0]?.resultCode,
        eventCount: 2,
        meetName: "Invented Waters Open 2031",
        cached: false,
      },
    ]);
    expect(ofJob(goneId).at(-1)).toEqual({
      type: "job_failed",
      jobId: goneId,
      sequence: 2,
      errorCode: "HTTP_404",
      errorMessage: jobs[1]?.error,
      retriable: false,
      retryCount: 0,
    });
    expect(told.at(-1)).toEqual({
      type: "batch_completed",
      eventId: all.length,
      status: "partial",
      completedJobs: 1,
      failedJobs: 1,
      totalEvents: 2,
      results: jobs.map(({ id, sequence, filename, status, resultCode, meetName, eventCount, cached, errorCode }) => ({
        ...{ jobId: id, sequence, filename, status, resultCode, meetName, eventCount, cached, errorCode },
      })),
    });
  });

  it("is followed over broken connections and from two servers: every event once, none missing", async () => {
    const sheets = Array.from({ length: 8 }, (_, index) => makeProgram(`followed-${index}.pdf`));
    const { batchId } = await heats.start({ files: sheets });
    const read = async (reader: number): Promise<number[]> => {
      const seen: number[] = [];
      for (let turn = 0; ; turn++) {
        const base = (reader + turn) % 2 === 0 ? place.url : other.url;
        await using stream = await openStream(streamOf(batchId, base), seen.at(-1) ?? 0);
        for (let n = 0; n < 1 + ((reader * 7 + turn * 5) % 9); n++) {
          const event = await stream.next();
          if (!event) break;
          seen.push(Number(event.id));
          if (event.type === "batch_completed") return seen;
        }
      }
    };
    const all = await Promise.all([0, 1, 2, 3, 4, 5].map(read));
    const { lastEventId } = (await heats.show(batchId)).batch;
    for (const seen of all) expect(seen).toEqual(upTo(lastEventId));
    expect(await readStream(place.db, batchId)).toHaveLength(lastEventId);
  });

  it("goes on without any reader", async () => {
    await using gate = await gateSheets();
    const { batchId } = await heats.start({ files: [makeProgram("unwatched.pdf")] });
    const stream = await openStream(streamOf(batchId));
    await stream.next();
    await stream.drop();
    await gate.open();
    expect((await heats.ended(batchId)).batch.status).toBe("completed");
  });
});

describe("a batch that has ended", () => {
  let batchId: string;
  let last: number;
  beforeAll(async () => {
    ({ batchId } = await heats.start({ files: [makeProgram("ended.pdf"), makeProgram("ended-2.pdf")] }));
    last = (await heats.ended(batchId)).batch.lastEventId;
  });

  it("is replayed exactly from any event on, by header or query, by any server; then the stream closes", async () => {
    for (const base of [place.url, other.url]) {
      for (const after of [0, 1, last - 1]) {
        await using byHeader = await openStream(streamOf(batchId, base), after);
        const replayed = await byHeader.rest();
        expect(numbers(replayed)).toEqual(upTo(last, after + 1));
        await using byQuery = await openStream(`${streamOf(batchId, base)}?lastEventId=${after}`);
        expect(await byQuery.rest()).toEqual(replayed);
      }
    }
  });

  it("without a number is one state and the end; after the last number there is nothing to come", async () => {
    await using stream = await openStream(streamOf(batchId));
    const [sync, ...more] = await stream.rest();
    expect(sync).toMatchObject({ id: String(last), type: "state_sync" });
    expect(more).toEqual([]);
    expect((await heats.ask(`/api/batch/${batchId}/stream?lastEventId=${last}`)).status).toBe(204);
  });

  it("is told by its state to who has a number that never was, or that is no longer kept", async () => {
    await using beyond = await openStream(streamOf(batchId), last + 5);
    expect(types(await beyond.rest())).toEqual(["state_sync"]);
    await place.db.query(sql`delete from events where stream_id = ${batchId} and number <= 3`);
    await using old = await openStream(streamOf(batchId), 1);
    expect(types(await old.rest())).toEqual(["state_sync"]);
    await using kept = await openStream(streamOf(batchId), 3);
    expect(numbers(await kept.rest())).toEqual(upTo(last, 4));
  });

  it("answers what is no number with its state: a refusal would keep a browser from ever coming back", async () => {
    for (const number of ["x", "-1", "1.5", "99999999999"]) {
      const { status, body } = await heats.ask(`/api/batch/${batchId}/stream?lastEventId=${number}`);
      expect(status).toBe(200);
      expect(body).toMatch(/^event: state_sync$/m);
    }
  });
});

describe("ends that were not the end", () => {
  it("a retry goes on in the same stream, for who was there and for who comes later", async () => {
    const url = files.serve(makeProgram("second-chance.pdf"));
    const missing = url.replace("second", "another");
    const { batchId } = await heats.start({ urls: [missing] });
    const failed = await heats.ended(batchId);
    files.serve({ ...makeProgram("another-chance.pdf"), name: "another-chance.pdf" });
    await heats.post(`/api/batch/${batchId}/retry`);
    await using live = await openStream(streamOf(batchId), failed.batch.lastEventId);
    const events = await live.rest();
    expect(types(events)[0]).toBe("batch_retried");
    expect(JSON.parse(events[0]?.data ?? "")).toEqual({
      type: "batch_retried",
      eventId: failed.batch.lastEventId + 1,
      retriedJobs: 1,
    });
    expect(JSON.parse(events.at(-1)?.data ?? "")).toMatchObject({ type: "batch_completed", status: "completed" });
    await using whole = await openStream(streamOf(batchId), 0);
    const all = types(await whole.rest());
    expect(all.filter((type) => type === "batch_completed")).toHaveLength(2);
  });

  it("a cancel is the last event, and the stream closes", async () => {
    const half = files.holdNext();
    const { batchId } = await heats.start({ urls: [files.serve(makeProgram("held.pdf"))] });
    await half;
    await using stream = await openStream(streamOf(batchId));
    expect((await stream.next())?.type).toBe("state_sync");
    expect((await heats.post(`/api/batch/${batchId}/cancel`)).body.cancelledJobs).toBe(1);
    const events = await stream.rest();
    expect(types(events)).toEqual(["batch_cancelled"]);
    expect(JSON.parse(events[0]?.data ?? "")).toMatchObject({ type: "batch_cancelled", cancelledJobs: 1 });
  });
});
