/** What goes wrong with a sheet has its code: what may pass is tried again after 1, 2 and 4 seconds, the rest ends at once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SheetJob } from "../../src/contract/batches.ts";
import { sql } from "../../src/db/sql.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { expectRightCounters, type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { answerWith, cutConnection, type HeatOrigin, hang, servePdf, startHeatOrigin } from "../support/heat-origin.ts";
import { lockPdf, makeLetter, makeProgram, makeTinyMeet } from "../support/heat-sheets.ts";
import { readErrors, readJob, readStream } from "../support/read-job.ts";
import { writeResults } from "../support/sheets/other-documents.ts";

let origin: HeatOrigin;
let place: DocumentPlace;
let heats: HeatClient;
beforeAll(async () => {
  origin = await startHeatOrigin();
  place = await openDocumentPlace({
    settings: {
      DOCMILL_FETCH_ALLOW: origin.host,
      DOCMILL_SHEET_TIMEOUT_MS: "1000",
      DOCMILL_MAX_PDF_MB: "1",
      DOCMILL_CONCURRENCY: "8",
      CONCURRENT_JOBS_PER_BATCH: "8",
    },
  });
  heats = openHeatClient(place.url);
  await place.startWorker();
});
afterAll(async () => {
  await place.close();
  await origin.close();
});

/** The waits between a job's attempts, as its rows say them: from each failure to the time it was put off to. */
async function readWaits(jobId: string): Promise<number[]> {
  const events = await readStream(place.db, jobId);
  return events.filter(({ type }) => type === "job_retrying").map(({ data }) => data.delayMs as number);
}

const codesOf = async ({ id }: SheetJob) => (await readErrors(place.db, id)).map(({ code }) => code);

describe("what may pass", () => {
  const passing: [code: string, path: string, answer: Parameters<HeatOrigin["on"]>[1]][] = [
    ["RATE_LIMIT", "/limited.pdf", answerWith(429)],
    ["SERVICE_UNAVAILABLE", "/away.pdf", answerWith(503)],
    ["TIMEOUT", "/silent.pdf", hang],
    ["NETWORK_ERROR", "/cut.pdf", cutConnection],
  ];

  it("is given up after three retries, 1, 2 and 4 seconds apart", async () => {
    const urls = passing.map(([, path, answer]) => origin.on(path, answer));
    const { batchId } = await heats.start({ urls });
    const { batch, jobs } = await heats.ended(batchId);
    expect(batch).toMatchObject({ status: "failed", completedJobs: 0, failedJobs: 4 });
    for (const [index, [code, path]] of passing.entries()) {
      const job = jobs[index] as SheetJob;
      expect(job).toMatchObject({ status: "failed", stage: "failed", errorCode: code, retriable: true, retryCount: 3 });
      expect(await codesOf(job)).toEqual([code, code, code, code]);
      expect(await readWaits(job.id)).toEqual([1_000, 2_000, 4_000]);
      expect(origin.calls(path)).toBe(4);
    }
    const told = (await readStream(place.db, batchId)).filter(({ data }) => data.jobId === jobs[0]?.id);
    expect(told.at(-1)).toMatchObject({ type: "job_failed", data: { retriable: true, retryCount: 3 } });
    await expectRightCounters(place.db, batchId);

    // A person's retry has three of its own.
    for (const [, path] of passing) origin.on(path, servePdf(makeProgram(path).bytes));
    expect((await heats.post(`/api/batch/${batchId}/retry`)).body).toEqual({ success: true, retriedJobs: 4 });
    const again = await heats.ended(batchId);
    expect(again.batch).toMatchObject({ status: "completed", completedJobs: 4, failedJobs: 0 });
    for (const job of again.jobs) expect(job).toMatchObject({ errorCode: null, error: null, retryCount: 0 });
    await expectRightCounters(place.db, batchId);
  });

  it("passes, and who follows is told when it goes on", async () => {
    const url = origin.on("/later.pdf", answerWith(503), servePdf(makeProgram("later.pdf").bytes));
    const { batchId } = await heats.start({ urls: [url] });
    const { jobs } = await heats.ended(batchId);
    expect(jobs).toMatchObject([{ status: "completed", retryCount: 1, error: null, errorCode: null }]);
    const stream = await heats.ask(`/api/batch/${batchId}/stream?lastEventId=0`);
    expect(stream.body).toContain('"stage":"queued","message":"Retry 1 after SERVICE_UNAVAILABLE, in 1 s"');
  });

  it("waits as long as Retry-After says, queued and without a slot, while others of the batch go on", async () => {
    const url = origin.on("/asked.pdf", answerWith(429, { "retry-after": "3600" }), servePdf(makeProgram("a").bytes));
    const { batchId } = await heats.start({ urls: [url], files: [makeProgram("beside.pdf")] });
    const { jobs } = await heats.shows(
      batchId,
      (shown) => shown.jobs[1]?.retryCount === 1 && shown.jobs[0]?.status === "completed",
    );
    const waiting = jobs[1] as SheetJob;
    expect(waiting).toMatchObject({ status: "pending", stage: "queued", progressMessage: "Retry 1 after RATE_LIMIT" });
    expect(await readWaits(waiting.id)).toEqual([3_600_000]);
    const [error] = await readErrors(place.db, waiting.id);
    const { runAt, workerId } = await readJob(place.db, waiting.id);
    expect(runAt.getTime() - (error?.createdAt.getTime() ?? 0)).toBe(3_600_000);
    expect(workerId).toBeNull();
    await expectRightCounters(place.db, batchId);
    expect(await place.db.query(sql`select running from batch_turns where batch_id = ${batchId}`)).toEqual([
      { running: 0 },
    ]);
    expect((await heats.show(batchId)).batch.status).toBe("running");
    expect((await heats.post(`/api/batch/${batchId}/cancel`)).body.cancelledJobs).toBe(1);
    expect((await heats.show(batchId)).batch).toMatchObject({ status: "cancelled", completedJobs: 1 });
  });
});

describe("what does not pass", () => {
  const pdf = () => makeProgram("fine.pdf").bytes;
  const cases: [what: string, code: string, serve: () => string][] = [
    ["a page instead of a PDF", "INVALID_PDF", () => origin.on("/page.pdf", servePdf(Buffer.from("<html></html>")))],
    ["nothing", "INVALID_PDF", () => origin.on("/empty.pdf", answerWith(200))],
    ["a PDF that is none inside", "INVALID_PDF", () => origin.on("/junk.pdf", servePdf(Buffer.from("%PDF-1.7\njunk")))],
    [
      "a PDF that says it is too large",
      "PDF_TOO_LARGE",
      () => origin.on("/huge.pdf", servePdf(Buffer.concat([pdf(), Buffer.alloc(2 ** 20)]))),
    ],
    [
      "a PDF that does not end",
      "PDF_TOO_LARGE",
      () =>
        origin.on("/endless.pdf", (_request, response) => {
          response.write(pdf());
          for (let n = 0; n < 20; n++) response.write(Buffer.alloc(100_000));
          response.end();
        }),
    ],
    ["a PDF with a password", "ENCRYPTED_PDF", () => origin.on("/locked.pdf", servePdf(lockPdf("locked").bytes))],
    ["an address of this machine", "BLOCKED_URL", () => "http://127.0.0.1:1/x.pdf"],
    ["an address of the cloud", "BLOCKED_URL", () => "http://169.254.169.254/x.pdf"],
    ["a redirect inside", "BLOCKED_URL", () => origin.on("/in.pdf", answerWith(302, { location: "http://[::1]/" }))],
    [
      "redirects without end",
      "TOO_MANY_REDIRECTS",
      () => origin.on("/round.pdf", answerWith(302, { location: "/round.pdf" })),
    ],
    ["a file that is not there", "HTTP_404", () => origin.on("/none.pdf", answerWith(404))],
    ["a file that is not for us", "HTTP_403", () => origin.on("/secret.pdf", answerWith(403))],
    ["results", "EXTRACTION_FAILED", () => origin.on("/results.pdf", servePdf(writeResults(makeTinyMeet())))],
    ["an unknown layout", "EXTRACTION_FAILED", () => origin.on("/letter.pdf", servePdf(makeLetter("l").bytes))],
    [
      "a sheet without the swimmer",
      "SWIMMER_NOT_FOUND",
      () => {
        const bytes = Buffer.from(pdf()).toString("latin1").replaceAll("Fernwright", "Fernbright");
        return origin.on("/without.pdf", servePdf(Buffer.from(bytes, "latin1")));
      },
    ],
  ];

  it("ends at once with its code, and the others of the batch are not touched", async () => {
    const { batchId } = await heats.start({ urls: cases.map(([, , serve]) => serve()) });
    const { batch, jobs } = await heats.ended(batchId);
    expect(jobs.map(({ errorCode }, index) => [cases[index]?.[0], errorCode])).toEqual(
      cases.map(([what, code]) => [what, code]),
    );
    expect(batch).toMatchObject({ status: "failed", failedJobs: 15, completedJobs: 0 });
    for (const job of jobs) {
      expect(job).toMatchObject({
        status: "failed",
        retriable: false,
        retryCount: 0,
        error: expect.stringMatching(/\w/),
      });
      expect(await codesOf(job)).toEqual([job.errorCode]);
    }
    const { failedSources } = await heats.results(batchId);
    expect(failedSources.map(({ errorCode }) => errorCode)).toEqual(cases.map(([, code]) => code));
    expect(jobs.find(({ sourceUrl }) => sourceUrl?.endsWith("/letter.pdf"))?.error).toContain("DOCMILL_MODEL");
    await expectRightCounters(place.db, batchId);
    // Of refused files nothing is kept.
    const kept = new Set<string>();
    for await (const { key } of place.runtime.heats.services.blobs.list(`batches/${batchId}/`)) kept.add(key);
    const known = await place.db.query<{ blobKey: string }>(
      sql`select blob_key from heat_sources where batch_id = ${batchId} and blob_key is not null`,
    );
    expect(kept).toEqual(new Set(known.map(({ blobKey }) => blobKey)));
  });

  it("of an upload is tried again with its file, which was kept", async () => {
    const { batchId } = await heats.start({ swimmer: "Nobody Known", files: [makeProgram("kept.pdf")] });
    expect((await heats.ended(batchId)).jobs).toMatchObject([{ errorCode: "SWIMMER_NOT_FOUND" }]);
    expect((await heats.post(`/api/batch/${batchId}/retry`)).body.retriedJobs).toBe(1);
    const { jobs } = await heats.ended(batchId);
    expect(jobs).toMatchObject([{ errorCode: "SWIMMER_NOT_FOUND" }]);
    expect(await codesOf(jobs[0] as SheetJob)).toEqual(["SWIMMER_NOT_FOUND", "SWIMMER_NOT_FOUND"]);
  });
});
