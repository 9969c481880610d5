/** The contract of `/api/batch`: every endpoint, what it answers, and how it answers what it cannot do. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BatchDetail, BatchList, BatchResults, SharedResult } from "../../src/contract/batches.ts";
import { sql } from "../../src/db/sql.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { type FileServer, startFileServer } from "../support/file-server.ts";
import { expectRightCounters, type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";

let place: DocumentPlace;
let heats: HeatClient;
let server: FileServer;
beforeAll(async () => {
  server = await startFileServer();
  place = await openDocumentPlace({ settings: { DOCMILL_FETCH_ALLOW: server.host } });
  heats = openHeatClient(place.url);
});
afterAll(async () => {
  await place.close();
  await server.close();
});

const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const code = /^[0-9A-Za-z]{8}$/;

describe("POST /api/batch/extract", () => {
  it("answers at once, before anybody works on it, with files first and each url once", async () => {
    const url = server.serve(makeProgram("by-url.pdf"));
    const urls = [url, `${url}#page=2`, ` ${url} `, server.serve(makeProgram("other-url.pdf"))];
    const { status, body } = await heats.extract({ files: [makeProgram("a.pdf"), makeProgram("b.pdf")], urls });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      batchId: expect.any(String),
      totalJobs: 4,
      streamUrl: `/api/batch/${body.batchId}/stream`,
      estimatedTime: "60s - 120s",
    });
    expect(await heats.show(body.batchId)).toEqual({
      success: true,
      batch: {
        id: body.batchId,
        swimmerName: swimmer,
        status: "pending",
        totalJobs: 4,
        completedJobs: 0,
        failedJobs: 0,
        withoutSwimmer: 0,
        lastEventId: 0,
        createdAt: anyTime,
        startedAt: null,
        completedAt: null,
        expiresAt: anyTime,
      },
      jobs: ["a.pdf", "b.pdf", "by-url.pdf", "other-url.pdf"].map((filename, index) => ({
        id: expect.any(String),
        sequence: index + 1,
        filename,
        sourceUrl: index < 2 ? null : urls[index === 2 ? 0 : 3],
        status: "pending",
        stage: "queued",
        progressMessage: null,
        resultCode: null,
        meetName: null,
        eventCount: null,
        cached: false,
        error: null,
        errorCode: null,
        retriable: false,
        retryCount: 0,
      })),
    });
    const [days] = await place.db.query<{ days: number }>(sql`
      select round(extract(epoch from h.expires_at - b.created_at) / 86400)::integer as days
      from heat_batches h join batches b on b.id = h.batch_id where b.id = ${body.batchId}`);
    expect(days).toEqual({ days: 30 });
    expect(await heats.results(body.batchId)).toMatchObject({ totalEvents: 0, sources: [], events: [] });
    expect((await heats.post(`/api/batch/${body.batchId}/cancel`)).body).toEqual({ success: true, cancelledJobs: 4 });
  });

  it("cleans what people type and cut: spaces in names, paths in file names", async () => {
    const name = "..\\evil/../../sheet\u202efdp.pdf";
    const form = { swimmer: "  Zoë \t Fernwright\n", files: [{ ...makeProgram("x.pdf"), name }] };
    const { batchId } = await heats.start(form);
    const { batch, jobs } = await heats.show(batchId);
    expect([batch.swimmerName, jobs[0]?.filename]).toEqual([swimmer, "sheetfdp.pdf"]);
    await heats.post(`/api/batch/${batchId}/cancel`);
  });

  it("takes files under any field name, and a form field that was left empty for no file", async () => {
    const form = new FormData();
    form.append("heatsheets[]", new Blob([makeProgram("any.pdf").bytes as never]), "any.pdf");
    form.append("pdfs", new Blob([]), "");
    form.append("urls", "");
    form.append("swimmer", swimmer);
    const { status, body } = await heats.ask("/api/batch/extract", { method: "POST", body: form });
    expect([status, body.totalJobs]).toEqual([200, 1]);
    await heats.post(`/api/batch/${body.batchId}/cancel`);
  });
});

describe("a batch that has run", () => {
  let batchId: string;
  let jobs: BatchDetail["jobs"];
  beforeAll(async () => {
    await place.startWorker();
    const absent = server.serve(makeProgram("here.pdf")).replace("here", "gone");
    ({ batchId } = await heats.start({ files: [makeProgram("a.pdf")], urls: [absent] }));
    ({ jobs } = await heats.ended(batchId));
  });

  it("GET shows it with all its fields", async () => {
    const detail = await heats.show(batchId);
    expect(BatchDetail.parse(detail)).toEqual(detail);
    expect(detail.batch).toMatchObject({
      status: "partial",
      totalJobs: 2,
      completedJobs: 1,
      failedJobs: 1,
      withoutSwimmer: 0,
      startedAt: anyTime,
      completedAt: anyTime,
    });
    expect(detail.jobs).toMatchObject([
      {
        status: "completed",
        stage: "done",
        resultCode: expect.stringMatching(code),
        meetName: "Invented Waters Open 2031",
        eventCount: 2,
        cached: false,
        error: null,
      },
      {
        filename: "gone.pdf",
        status: "failed",
        stage: "failed",
        resultCode: null,
        eventCount: null,
        errorCode: "HTTP_404",
        error: expect.stringMatching(/\w/),
        retriable: false,
        retryCount: 0,
      },
    ]);
    await expectRightCounters(place.db, batchId);
  });

  it("results has what was found and what failed", async () => {
    const results = await heats.results(batchId);
    expect(BatchResults.parse(results)).toEqual(results);
    expect(results).toMatchObject({
      success: true,
      swimmerName: swimmer,
      totalEvents: 2,
      sources: [
        {
          sequence: 1,
          filename: "a.pdf",
          sourceUrl: null,
          meetName: "Invented Waters Open 2031",
          sessionDate: "2031-06-14",
          meetDateRange: "2031-06-14 - 2031-06-15",
          eventCount: 2,
          resultCode: jobs[0]?.resultCode,
          cached: false,
        },
      ],
      failedSources: [{ sequence: 2, filename: "gone.pdf", errorCode: "HTTP_404", retriable: false }],
    });
    expect(results.events[0]).toMatchObject({
      eventNumber: 1,
      eventName: "Girls 11-12 50 LC Meter Freestyle",
      heatNumber: 2,
      totalHeats: 2,
      lane: 2,
      swimmerName: "Fernwright, Zoë",
      age: "12",
      team: "OTTR-XX",
      seedTime: "35.25",
      source: { sequence: 1, page: 1, bbox: { x: expect.any(Number) }, by: "parser" },
    });
  });

  it("each sheet's result is shared under its code, and views are counted", async () => {
    const path = `/api/results/${jobs[0]?.resultCode}`;
    const { status, body } = await heats.ask(path);
    expect(status).toBe(200);
    expect(SharedResult.parse(body)).toEqual(body);
    expect(body).toMatchObject({ code: jobs[0]?.resultCode, swimmerName: swimmer, filename: "a.pdf", views: 1 });
    expect(body.events).toHaveLength(2);
    const views = await Promise.all(Array.from({ length: 10 }, async () => (await heats.ask(path)).body.views));
    expect(views.sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await heats.ask(path, { method: "HEAD" })).status).toBe(200);
  });

  it("one failed sheet is tried again, one that has not failed is not", async () => {
    const [done, failed] = jobs.map(({ id }) => `/api/batch/${batchId}/jobs/${id}/retry`);
    expect(await heats.post(done as string)).toMatchObject({
      status: 409,
      body: { success: false, error: "NOT_FAILED", message: expect.stringContaining("is completed") },
    });
    server.serve(makeProgram("gone.pdf"));
    expect(await heats.post(failed as string)).toEqual({ status: 200, body: { success: true } });
    const ended = await heats.ended(batchId);
    expect(ended.batch).toMatchObject({ status: "completed", completedJobs: 2, failedJobs: 0 });
    expect(ended.jobs[1]).toMatchObject({ status: "completed", error: null, errorCode: null, retryCount: 0 });
    expect(await heats.post(failed as string)).toMatchObject({ status: 409, body: { error: "NOT_FAILED" } });
    expect((await heats.results(batchId)).failedSources).toEqual([]);
    await expectRightCounters(place.db, batchId);
  });

  it("has nothing left to cancel or to retry, and says so", async () => {
    const before = (await heats.show(batchId)).batch;
    expect((await heats.post(`/api/batch/${batchId}/cancel`)).body).toEqual({ success: true, cancelledJobs: 0 });
    expect((await heats.post(`/api/batch/${batchId}/retry`)).body).toEqual({ success: true, retriedJobs: 0 });
    expect((await heats.show(batchId)).batch).toEqual(before);
  });

  it("gives the next one an estimate by what was measured", async () => {
    const { estimatedTime, batchId: next } = await heats.start({ files: [makeProgram("measured.pdf")] });
    expect(estimatedTime).toMatch(/^\d+s - \d+s$/);
    await heats.ended(next);
  });
});

describe("what there is not", () => {
  const endpoints = (id: string) =>
    [
      ["GET", `/api/batch/${id}`],
      ["GET", `/api/batch/${id}/results`],
      ["GET", `/api/batch/${id}/stream`],
      ["GET", `/api/batch/${id}/calendar.ics`],
      ["POST", `/api/batch/${id}/cancel`],
      ["POST", `/api/batch/${id}/retry`],
      ["POST", `/api/batch/${id}/jobs/${randomUUID()}/retry`],
      ["POST", `/api/batch/${id}/notify`],
    ] as const;

  it.each([
    ["a batch that never was", randomUUID()],
    ["an id that is none", "no-id"],
    ["an id that wants out", "..%2f..%2fetc"],
    ["an id with quotes", "'%20or%20true--"],
  ])("is 404 on every endpoint: %s", async (_what, id) => {
    for (const [method, path] of endpoints(id)) {
      const body = path.endsWith("/notify") ? JSON.stringify({ email: "parent@example.org" }) : undefined;
      const response = await fetch(place.url + path, { method, body, headers: { "content-type": "application/json" } });
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      const answer = (await response.json()) as { message: string };
      expect(answer).toMatchObject({ success: false, error: "NOT_FOUND", message: expect.any(String) });
    }
  });

  it("a sheet of another batch, or of none", async () => {
    const [one, other] = await Promise.all([1, 2].map((n) => heats.start({ files: [makeProgram(`own-${n}.pdf`)] })));
    const { jobs } = await heats.ended(other?.batchId as string);
    for (const jobId of [jobs[0]?.id, randomUUID(), "no-id"]) {
      const answer = await heats.post(`/api/batch/${one?.batchId}/jobs/${jobId}/retry`);
      expect(answer).toMatchObject({ status: 404, body: { success: false, error: "NOT_FOUND" } });
    }
    await heats.ended(one?.batchId as string);
  });

  it("a code that nobody has, or that is none", async () => {
    for (const none of ["00000000", "short", "waytoolongforacode", "%00", "äöüßäöüß"]) {
      const answer = await heats.ask(`/api/results/${none}`);
      expect(answer).toMatchObject({ status: 404, body: { success: false, error: "NOT_FOUND" } });
    }
  });

  it("a method that a path does not take", async () => {
    for (const [method, path, allow] of [
      ["GET", "/api/batch/extract", undefined],
      ["DELETE", `/api/batch/${randomUUID()}`, "GET, HEAD"],
      ["GET", `/api/batch/${randomUUID()}/cancel`, "POST"],
      ["PUT", `/api/batch/${randomUUID()}/results`, "GET, HEAD"],
      ["PATCH", "/api/results/00000000", "GET, HEAD"],
      ["GET", "/api/discover-heatsheets", "POST"],
    ] as const) {
      const response = await fetch(place.url + path, { method });
      const body = await response.json();
      expect([path, response.status]).toEqual([path, allow === undefined ? 404 : 405]);
      expect(body).toMatchObject({ success: false });
      if (allow !== undefined) expect(response.headers.get("allow")).toBe(allow);
    }
  });

  it("is not fetched by HEAD either", async () => {
    const { batchId } = await heats.start({ files: [makeProgram("head.pdf")] });
    await heats.ended(batchId);
    for (const part of ["", "/results", "/calendar.ics", "/stream"]) {
      const known = await heats.ask(`/api/batch/${batchId}${part}`, { method: "HEAD" });
      expect([part, known.status, known.body]).toEqual([part, 200, undefined]);
      expect((await heats.ask(`/api/batch/${randomUUID()}${part}`, { method: "HEAD" })).status).toBe(404);
    }
  });
});

describe("GET /api/batch", () => {
  const readPages = async (limit: number) => {
    const pages: BatchList["items"][] = [];
    for (let cursor = ""; ; ) {
      const { status, body } = await heats.ask(`/api/batch?limit=${limit}${cursor}`);
      expect([status, BatchList.parse(body)]).toEqual([200, body]);
      pages.push(body.items);
      if (body.nextCursor === null) return pages;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };

  it("lists all batches, newest first, page by page, each as it is shown alone", async () => {
    const started: string[] = [];
    for (const n of [1, 2, 3]) started.push((await heats.start({ files: [makeProgram(`list-${n}.pdf`)] })).batchId);
    for (const id of started) await heats.ended(id);
    const pages = await readPages(2);
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
    const listed = pages.flat();
    expect(listed.slice(0, 3).map(({ id }) => id)).toEqual(started.toReversed());
    const [count] = await place.db.query(sql`select count(*) as batches from heat_batches`);
    expect(count).toEqual({ batches: new Set(listed.map(({ id }) => id)).size });
    expect(listed[0]).toEqual((await heats.show(listed[0]?.id as string)).batch);
  });

  it("leaves out what has expired", async () => {
    const { batchId } = await heats.start({ files: [makeProgram("expired.pdf")] });
    await heats.ended(batchId);
    expect((await readPages(500)).flat()[0]?.id).toBe(batchId);
    await place.db.query(sql`update heat_batches set expires_at = now() where batch_id = ${batchId}`);
    expect((await readPages(500)).flat().map(({ id }) => id)).not.toContain(batchId);
  });

  it("refuses what is no page of it", async () => {
    for (const [query, error] of [
      ["cursor=abc", "INVALID_CURSOR"],
      [`cursor=${Buffer.from('["x"]').toString("base64url")}`, "INVALID_CURSOR"],
      ["limit=0", "INVALID_PARAMETER"],
      ["limit=501", "INVALID_PARAMETER"],
    ]) {
      expect(await heats.ask(`/api/batch?${query}`)).toMatchObject({ status: 400, body: { success: false, error } });
    }
  });

  it("is described", async () => {
    expect((await heats.ask("/openapi.json")).body.paths["/api/batch"]).toHaveProperty("get");
  });
});

describe("POST /api/discover-heatsheets", () => {
  it("finds the PDFs of a page, or says what is wrong with it", async () => {
    const page = server.serve({ name: "meet.html", bytes: Buffer.from(`<a href="heats.pdf">Heat sheet</a>`) });
    const discover = (url: unknown) => heats.post("/api/discover-heatsheets", { url });
    const pdfs = [{ url: page.replace("meet.html", "heats.pdf"), title: "Heat sheet" }];
    expect(await discover(page)).toEqual({ status: 200, body: { success: true, pdfs } });
    const empty = server.serve({ name: "empty.html", bytes: Buffer.from("<p>Soon</p>") });
    for (const [url, status, error] of [
      ["not a url", 400, "INVALID_URL"],
      ["ftp://example.org/x", 400, "INVALID_URL"],
      ["http://127.0.0.1:1/", 403, "BLOCKED_URL"],
      ["http://169.254.169.254/latest/meta-data", 403, "BLOCKED_URL"],
      [page.replace("meet", "none"), 422, "FETCH_FAILED"],
      [empty, 404, "NO_PDFS_FOUND"],
      [7, 422, "INVALID_REQUEST"],
    ] as const) {
      expect([url, await discover(url)]).toMatchObject([url, { status, body: { success: false, error } }]);
    }
  });
});
