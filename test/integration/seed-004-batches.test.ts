/** Seed 004 as its users meet it: processing that no tab holds up, events that are replayed, retries, cancellation. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DocmillProcess, startServe } from "../support/docmill-process.ts";
import { type DocumentPlace, endProcess, openDocumentPlace } from "../support/document-place.ts";
import { openStream } from "../support/event-reader.ts";
import { expectRightCounters, type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { answerWith, type HeatOrigin, hang, servePdf, startHeatOrigin } from "../support/heat-origin.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";
import { readErrors } from "../support/read-job.ts";
import { until } from "../support/until.ts";

let origin: HeatOrigin;
let place: DocumentPlace;
let server: DocmillProcess;
let url: string;
let heats: HeatClient;
beforeAll(async () => {
  origin = await startHeatOrigin();
  place = await openDocumentPlace();
  const env = { ...place.environment, DOCMILL_FETCH_ALLOW: origin.host };
  ({ server, url } = await startServe(["--port", "0"], { env }));
  heats = openHeatClient(url);
});
afterAll(async () => {
  await endProcess(server);
  await place.close();
  await origin.close();
});

const serve = (name: string) => origin.on(`/${name}.pdf`, servePdf(makeProgram(`${name}.pdf`).bytes));
const errorCodes = async (id = "") => (await readErrors(place.db, id)).map(({ code }) => code);

describe("POST /api/batch/extract", () => {
  it("takes many files and urls at once and starts by itself, with nobody watching", async () => {
    const files = Array.from({ length: 13 }, (_, index) => makeProgram(`many-${index}.pdf`));
    const answer = await heats.extract({ files, urls: [serve("url-a"), serve("url-b")] });
    expect(answer).toMatchObject({ status: 200, body: { success: true, totalJobs: 15 } });
    const { batch, jobs } = await heats.ended(answer.body.batchId);
    expect(batch).toMatchObject({ status: "completed", totalJobs: 15, completedJobs: 15, swimmerName: swimmer });
    expect(jobs.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  });

  it.each([
    ["BATCH_TOO_LARGE", 20, swimmer, "Maximum 15 PDFs per batch. You submitted 20."],
    ["MISSING_SWIMMER", 1, "", "Swimmer name is required."],
    ["NO_PDFS", 0, swimmer, "At least one PDF file or URL is required."],
  ])("refuses with %s", async (error, count, name, message) => {
    const files = Array.from({ length: count }, (_, index) => makeProgram(`${index}.pdf`));
    const answer = await heats.extract({ swimmer: name, files });
    expect(answer).toEqual({ status: 400, body: { success: false, error, message } });
  });
});

describe("the stream, as curl -N shows it", () => {
  it("numbers events from 1, names their type, and replays what came after Last-Event-ID", async () => {
    const { batchId, streamUrl } = await heats.start({ urls: [serve("heat1")] });
    await heats.ended(batchId);
    const whole = String((await heats.ask(`${streamUrl}?lastEventId=0`)).body);
    const [retry, ...blocks] = whole.trim().split("\n\n");
    expect(retry).toMatch(/^retry: \d+$/);
    const parsed = blocks.map((block) => /^id: (\d+)\nevent: (\w+)\ndata: (\{.*\})$/.exec(block));
    expect(parsed.map((match) => Number(match?.[1]))).toEqual(blocks.map((_, index) => index + 1));
    expect(JSON.parse(parsed[0]?.[3] ?? "")).toEqual({
      type: "batch_started",
      batchId,
      totalJobs: 1,
      swimmerName: swimmer,
      eventId: 1,
    });
    expect(JSON.parse(parsed[1]?.[3] ?? "")).toMatchObject({ type: "job_progress", stage: "downloading", eventId: 2 });
    const response = await fetch(url + streamUrl, { headers: { "last-event-id": "2" } });
    const rest = (await response.text()).trim().split("\n\n").slice(1);
    expect(rest).toEqual(blocks.slice(2));
  });

  it("closing the tab stops nothing, and coming back shows what was missed", async () => {
    let answer = () => {};
    const bytes = makeProgram("slow.pdf").bytes;
    const slow = origin.on("/slow.pdf", (_request, response) => {
      answer = () => void response.writeHead(200).end(bytes);
    });
    const { batchId, streamUrl } = await heats.start({ urls: [slow] });
    await until(() => origin.calls("/slow.pdf") === 1);
    const tab = await openStream(url + streamUrl, 0);
    const seen = [await tab.next(), await tab.next()].map((event) => Number(event?.id));
    await tab.drop();
    answer();
    const { batch } = await heats.ended(batchId);
    expect(batch.status).toBe("completed");
    await using back = await openStream(url + streamUrl, seen.at(-1));
    const missed = (await back.rest()).map(({ id }) => Number(id));
    expect([...seen, ...missed]).toEqual(Array.from({ length: batch.lastEventId }, (_, index) => index + 1));
  });
});

describe("retries", () => {
  it("a transient error is tried again, a permanent one is not; each has its code", async () => {
    const passing = origin.on("/passing.pdf", answerWith(503), servePdf(makeProgram("passing.pdf").bytes));
    const lasting = origin.on("/lasting.pdf", servePdf(Buffer.from("no pdf")));
    const { batchId } = await heats.start({ urls: [passing, lasting] });
    const { batch, jobs } = await heats.ended(batchId);
    expect(batch).toMatchObject({ status: "partial", completedJobs: 1, failedJobs: 1 });
    expect(jobs).toMatchObject([
      { status: "completed", retryCount: 1, errorCode: null },
      { status: "failed", retryCount: 0, errorCode: "INVALID_PDF", retriable: false },
    ]);
    expect(await errorCodes(jobs[0]?.id)).toEqual(["SERVICE_UNAVAILABLE"]);
    expect([origin.calls("/passing.pdf"), origin.calls("/lasting.pdf")]).toEqual([2, 1]);
  });

  it("after a partial end only what failed is done again, and the batch counts right", async () => {
    const good = serve("good");
    const bad = origin.on("/bad.pdf", answerWith(404), servePdf(makeProgram("bad.pdf").bytes));
    const worse = origin.on("/worse.pdf", answerWith(410));
    const { batchId } = await heats.start({ urls: [good, bad, worse] });
    const first = await heats.ended(batchId);
    expect(first.batch).toMatchObject({ status: "partial", completedJobs: 1, failedJobs: 2 });
    expect((await heats.post(`/api/batch/${batchId}/retry`)).body).toEqual({ success: true, retriedJobs: 2 });
    const second = await heats.ended(batchId);
    expect(second.batch).toMatchObject({ status: "partial", completedJobs: 2, failedJobs: 1 });
    expect(origin.calls("/good.pdf")).toBe(1);
    expect(second.jobs[0]).toEqual(first.jobs[0]);
    expect((await heats.results(batchId)).failedSources).toMatchObject([{ sequence: 3, errorCode: "HTTP_410" }]);
    origin.on("/worse.pdf", servePdf(makeProgram("worse.pdf").bytes));
    await heats.post(`/api/batch/${batchId}/jobs/${second.jobs[2]?.id}/retry`);
    expect((await heats.ended(batchId)).batch).toMatchObject({ status: "completed", completedJobs: 3, failedJobs: 0 });
    await expectRightCounters(place.db, batchId);
  });
});

describe("cancellation", () => {
  it("stops what runs and what waits, and can be undone by a retry", async () => {
    const stuck = [1, 2, 3, 4].map((n) => origin.on(`/stuck-${n}.pdf`, hang, servePdf(makeProgram(`s${n}`).bytes)));
    const { batchId } = await heats.start({ urls: stuck });
    await heats.shows(batchId, ({ jobs }) => jobs.some(({ stage }) => stage === "downloading"));
    expect((await heats.post(`/api/batch/${batchId}/cancel`)).body).toEqual({ success: true, cancelledJobs: 4 });
    const { batch, jobs } = await heats.show(batchId);
    expect(batch).toMatchObject({ status: "cancelled", completedJobs: 0, failedJobs: 0 });
    expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(["cancelled"]));
    expect((await heats.results(batchId)).failedSources).toEqual([]);
    for (const n of [1, 2, 3, 4]) origin.on(`/stuck-${n}.pdf`, servePdf(makeProgram(`s${n}`).bytes));
    expect((await heats.post(`/api/batch/${batchId}/retry`)).body).toEqual({ success: true, retriedJobs: 4 });
    expect((await heats.ended(batchId)).batch).toMatchObject({ status: "completed", completedJobs: 4 });
    await expectRightCounters(place.db, batchId);
  });

  it("that meets the end is one or the other, never both", async () => {
    for (let turn = 0; turn < 6; turn++) {
      const { batchId } = await heats.start({ files: [makeProgram(`race-${turn}.pdf`)] });
      await heats.shows(batchId, ({ batch }) => batch.lastEventId >= turn);
      const { cancelledJobs } = (await heats.post(`/api/batch/${batchId}/cancel`)).body;
      await place.atRest();
      const { batch, jobs } = await heats.show(batchId);
      const state = cancelledJobs === 1 ? "cancelled" : "completed";
      expect([batch.status, jobs[0]?.status]).toEqual([state, state]);
      expect((await heats.results(batchId)).sources).toHaveLength(cancelledJobs === 1 ? 0 : 1);
      await expectRightCounters(place.db, batchId);
    }
  });
});
