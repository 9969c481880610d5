/** `docmill/client` against a real server; every answer it gets is held against the server's own description. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { createClient, DocmillApiError, type DocmillClient, type WatchedEvent } from "../../src/client/index.ts";
import type { BatchSummary } from "../../src/contract/batches.ts";
import type { DocumentSummary } from "../../src/contract/documents.ts";
import type { JobDetail, JobList } from "../../src/contract/jobs.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import type { Activity, Readiness } from "../../src/contract/system.ts";
import { type CheckedFetch, checkFetch, listOperations, type OpenApiDocument } from "../support/checked-fetch.ts";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";
import { drawPage } from "../support/sample-pages.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";
import { openWholeServer, type WholeServer } from "../support/whole-server.ts";

let server: WholeServer;
let document: OpenApiDocument;
let checked: CheckedFetch;
let client: DocmillClient;

beforeAll(async () => {
  server = await openWholeServer();
  document = await createClient({ url: server.url }).readApiDescription();
  checked = checkFetch(document);
  client = createClient({ url: server.url, fetch: checked.fetch });
});
afterAll(() => server?.close());
afterEach(() => expect(checked.problems.splice(0)).toEqual([]));

const nobody = "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e";
const named = (bytes: Uint8Array | string, name: string) => new File([bytes as Uint8Array<ArrayBuffer>], name);

describe("the methods", () => {
  it("are the operations of /openapi.json, with their methods, paths and parameters", () => {
    const described = listOperations(document).map(({ path, method, operation }) => {
      const parameters = (operation.parameters ?? []).map(({ name }: { name: string }) => name);
      return [operation.operationId, { method, path, parameters: parameters.sort() }];
    });
    const table = Object.entries<Operation>(operations).map(([id, { method, path, params, query, headers }]) => {
      const parameters = [params, query, headers].flatMap((schema) => Object.keys(schema?.shape ?? {}));
      return [id, { method, path, parameters: parameters.sort() }];
    });
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(described));
    expect(Object.keys(client).sort()).toEqual(["url", ...Object.keys(operations)].sort());
  });

  it("take each field once: none of an operation is in two places", () => {
    for (const [id, { params, query, json, form }] of Object.entries<Operation>(operations)) {
      const places = [params, query, json as { shape?: object } | undefined, form];
      const fields = places.flatMap((schema) => Object.keys(schema?.shape ?? {}));
      expect([id, fields.length]).toEqual([id, new Set(fields).size]);
    }
  });

  it("are typed from the contract", () => {
    expectTypeOf(client.readJob).parameter(0).toEqualTypeOf<{ id: string }>();
    expectTypeOf(client.readJob).returns.resolves.toEqualTypeOf<JobDetail>();
    expectTypeOf(client.listJobs).returns.resolves.toEqualTypeOf<JobList>();
    expectTypeOf(client.uploadDocuments).returns.resolves.toEqualTypeOf<DocumentSummary | DocumentSummary[]>();
    expectTypeOf(client.checkReadiness).returns.resolves.toEqualTypeOf<Readiness>();
    expectTypeOf(client.deleteDocument).returns.resolves.toEqualTypeOf<undefined>();
    expectTypeOf(client.readDocumentFile).returns.resolves.toEqualTypeOf<Blob>();
    expectTypeOf(client.readBatchCalendar).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(client.watchJob).returns.toEqualTypeOf<AsyncGenerator<WatchedEvent<JobDetail>, void, void>>();
    type News = ReturnType<DocmillClient["watchActivity"]> extends AsyncGenerator<infer One> ? One : never;
    expectTypeOf<Extract<News, { type: "activity" }>["data"]>().toEqualTypeOf<Activity>();
    // @ts-expect-error there is no such state
    const wrongState = () => client.listJobs({ state: "lost" });
    // @ts-expect-error it takes an id
    const withoutId = () => client.readJob();
    // @ts-expect-error nothing is created
    const withKey = () => client.readJob({ id: nobody }, { idempotencyKey: "one" });
    expect([wrongState, withoutId, withKey]).toHaveLength(3);
  });
});

describe("documents", () => {
  it("are uploaded, watched to their end, read and found", async () => {
    const text = "# Lamps\n\nThe lighthouse burns colza oil in winter.\n";
    const upload = () =>
      client.uploadDocuments({ file: named(text, "lamps.md"), title: "Lamps", options: { ocr: "never" } }, once);
    const once = { idempotencyKey: "lamps" };
    const taken = (await upload()) as DocumentSummary;
    expect(await upload()).toMatchObject({ id: taken.id });
    const { id } = taken;
    const events = await collect(client.watchDocument({ id }, { after: 0 }));
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "job_completed" });

    expect(await client.readDocument({ id })).toMatchObject({ status: "Ready", title: "Lamps", filename: "lamps.md" });
    expect((await client.readDocumentMarkdown({ id })).markdown).toContain("colza");
    expect(await (await client.readDocumentFile({ id })).text()).toBe(text);
    const { items } = await client.searchDocuments({ q: "colza", limit: 1 });
    expect(items).toMatchObject([{ document: { id } }]);
    expect((await client.listDocumentChunks({ id, limit: 1 })).items).toHaveLength(1);
    expect((await client.readDocumentOutline({ id })).items).toMatchObject([{ title: "Lamps" }]);
    await client.listDocumentFields({ id });
    await client.listDocumentTables({ id });
    await client.listConnections({ documentId: id, starred: "false" });
    await client.listDocumentConnections({ id });
    await until(async () =>
      (await client.listDocumentJobs({ id })).items.every(({ status }) => status === "COMPLETED"),
    );

    expect(await client.reprocessDocument({ id })).toMatchObject({ status: "Processing" });
    expect((await collect(client.watchDocument({ id }))).at(-1)?.number).toBeGreaterThan(1);
    expect(await client.deleteDocument({ id })).toBeUndefined();
    await expect(client.readDocument({ id })).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("several at once are answered with a list", async () => {
    const files = ["one", "two"].map((name) => named(`# ${name}\n\nText of ${name}.\n`, `${name}.md`));
    const taken = await client.uploadDocuments({ file: files });
    expect([taken].flat().map(({ filename }) => filename)).toEqual(["one.md", "two.md"]);
    expect((await client.listDocuments({ q: "one.md", sort: "name" })).items).toHaveLength(1);
  });
});

describe("batches", () => {
  it("are created with files, followed by their events, and read", async () => {
    const { name, bytes } = makeProgram("program.pdf");
    const { batchId: id, totalJobs } = await client.createBatch({
      swimmer,
      pdfs: [named(bytes, name), named("%PDF-1.7 broken", "broken.pdf")],
    });
    expect(totalJobs).toBe(2);
    const events = await collect(client.watchBatch({ id }));
    expect(events[0]?.type).toBe("state_sync");
    expectTypeOf(events[0]?.state?.batch).toEqualTypeOf<BatchSummary | undefined>();
    const last = events.at(-1);
    expect(last?.state?.batch.status ?? last?.data.status).toBe("partial");

    const { batch, jobs } = await client.readBatch({ id });
    expect([batch.completedJobs, batch.failedJobs]).toEqual([1, 1]);
    const results = await client.readBatchResults({ id });
    expect(results.totalEvents).toBeGreaterThan(0);
    expect(await client.readBatchCalendar({ id, alarm: "15" })).toMatch(/^BEGIN:VCALENDAR/);
    const code = results.sources[0]?.resultCode as string;
    expect(await client.readSharedResult({ code })).toMatchObject({ code, views: 1 });
    const failed = jobs.find(({ status }) => status === "failed")?.id as string;
    await client.retryBatchJob({ id, jobId: failed });
    expect((await client.listBatches({ limit: 1 })).items).toHaveLength(1);
    await expect(client.createBatch({ swimmer: " ", urls: [] })).rejects.toMatchObject({ code: "MISSING_SWIMMER" });
    expect(await client.cancelBatch({ id })).toMatchObject({ success: true });
  });
});

describe("books", () => {
  it("take pages, whose job is watched, and corrections", async () => {
    const { id } = await client.createBook({ title: "Lamps and oils", grade: 4 });
    const page = await client.addBookPage({ id, image: named(await drawPage(["Lamps burn oil"]), "1.png") });
    expect(page).toMatchObject({ page_num: 1, ocr_status: "completed" });
    const images = [named(await drawPage(["Wicks"]), "2.png"), named(await drawPage(["Glass"]), "3.png")];
    const { job_id } = await client.addBookPages({ id, images });
    await collect(client.watchBookJob({ id, job_id }));
    expect(await client.readBookJob({ id, job_id })).toMatchObject({ status: "completed", completed_items: 2 });
    expect(await client.readLatestBookJob({ id, job_type: "extraction" })).toBeNull();
    expect(await client.editBookPageText({ id, n: 1, text: "Lamps burn oil." })).toMatchObject({ page_num: 1 });
    expect((await client.readBookPageImage({ id, n: 1 })).size).toBeGreaterThan(100);
    expect(await client.approveBookPages({ id })).toMatchObject({ approved: [1, 2, 3] });
    expect(await client.deleteBookPage({ id, n: 3 })).toEqual({ deleted_page: 3, total_pages: 2 });
    expect((await client.readBook({ id })).pages).toHaveLength(2);
    expect((await client.listBookPages({ id })).total_pages).toBe(2);
    expect((await client.listBookJobs({ id })).jobs.length).toBeGreaterThan(0);
    expect((await client.readGuidelines({ id })).total_subtopics).toBe(0);
    expect((await client.listBooks()).books.length).toBeGreaterThan(0);
    await expect(client.readBookPage({ id, n: 99 })).rejects.toMatchObject({ status: 404, code: "SERVER_REFUSED" });
    await client.deleteBook({ id });
  });
});

describe("the server itself", () => {
  it("is told of, and what goes on in it", async () => {
    expect(await client.checkHealth()).toEqual({ ok: true });
    expect(await client.checkReadiness()).toMatchObject({ ready: true });
    expect((await client.readSystem()).settings.length).toBeGreaterThan(10);
    expect((await client.listWorkers()).items).toMatchObject([{ state: "alive" }]);
    expect(await client.readMetrics()).toContain("# HELP");
    expect((await client.readStats()).workers.alive).toBe(1);
    expect(await client.readSession()).toMatchObject({ keysRequired: false });
    const types = new Set<string>();
    for await (const news of client.watchActivity()) if (types.add(news.type).size === 2) break;
    expect([...types].sort()).toEqual(["activity", "workers"]);
  });

  it("starts samples once under a key, also for those who come at the same time", async () => {
    const start = () => client.startSamples({}, { idempotencyKey: "show me" });
    const settled = await Promise.allSettled([start(), start()]);
    const [first, ...more] = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(first).toBeDefined();
    for (const one of [...more, await start()]) expect(one).toEqual(first);
    const busy = settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(busy.every((code) => code === "BOOK_BUSY")).toBe(true);
    expect(
      (await client.listDocuments({ limit: 500 })).items.filter(({ id }) => first?.documentIds.includes(id)),
    ).toHaveLength(first?.documentIds.length as number);
  });
});

describe("errors", () => {
  it("have the server's code, message, status and details", async () => {
    const error = await client.readJob({ id: nobody }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DocmillApiError);
    expect(error).toMatchObject({ name: "DocmillApiError", status: 404, code: "NOT_FOUND" });
    await expect(client.readBatch({ id: nobody })).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
    await expect(client.listJobs({ limit: 0 })).rejects.toMatchObject({
      status: 400,
      code: "INVALID_PARAMETER",
      details: { issues: [{ path: "limit" }] },
    });
    await expect(client.createJob({ kind: "nothing-like-it" })).rejects.toMatchObject({ code: "UNKNOWN_KIND" });
    await expect(collect(client.watchJob({ id: nobody }))).rejects.toMatchObject({ status: 404 });
    await expect(client.readJob({ id: ".." })).rejects.toMatchObject({ status: 0, code: "INVALID_PARAMETER" });
  });

  it("leave what the caller aborts as the caller's", async () => {
    const { id } = await createdJob();
    const watching = new AbortController();
    const events = client.watchJob({ id }, { signal: watching.signal });
    await events.next();
    watching.abort(new Error("enough too"));
    await expect(collect(events)).rejects.toThrow("enough too");
  });
});

describe("keys", () => {
  it("are sent, made and revoked", async () => {
    const { key } = await server.access.createKey({ name: "first", scope: "admin" });
    const guarded = { url: server.guardedUrl, fetch: checked.fetch };
    await expect(createClient(guarded).listJobs()).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    await expect(createClient(guarded).listBooks()).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    const admin = createClient({ ...guarded, key });
    await admin.listJobs();
    const reader = await admin.createApiKey({ name: "reader", scope: "read", expiresInDays: 1 });
    const reading = createClient({ ...guarded, key: reader.key });
    expect(await reading.readSession()).toMatchObject({ user: { name: "reader", scope: "read" } });
    await expect(reading.createBook({ title: "x" })).rejects.toMatchObject({ status: 403, code: "FORBIDDEN" });
    await expect(reading.listApiKeys()).rejects.toMatchObject({ status: 403, details: { needs: "admin" } });
    expect(await admin.revokeApiKey({ id: reader.id })).toMatchObject({ revokedAt: expect.any(String) });
    expect((await admin.listApiKeys()).items.length).toBeGreaterThan(1);
    expect((await admin.listAuditEntries({ limit: 1 })).items).toHaveLength(1);
    expect(await admin.signIn({ key })).toMatchObject({ user: { scope: "admin" } });
    await admin.signOut();
  });
});

describe("a watch", () => {
  it("goes on through a restart of the server: no event twice, none left out", async () => {
    const folder = await makeTemporaryFolder();
    onTestFinished(() => removeTemporaryFolder(folder));
    const own = await createTestDatabase();
    onTestFinished(() => own.drop());
    const serve = async (port: string) => {
      const args = ["--port", port, "--config", gatedConfig, "--data-dir", join(folder, "data")];
      const started = await startServe(args, { env: { DATABASE_URL: own.url } });
      onTestFinished(async () => {
        started.server.kill("SIGKILL");
        await started.server.ended;
      });
      return started;
    };
    const first = await serve("0");
    const items = ["a", "b", "c", "d"];
    const job = await createGatedJob(first.url, folder, { items });
    const watching = createClient({ url: first.url });
    const events: WatchedEvent<JobDetail>[] = [];
    let silences = 0;
    const watched = (async () => {
      const options = { after: 0, onSilence: () => silences++ };
      for await (const event of watching.watchJob({ id: job.id }, options)) events.push(event);
    })();
    await job.open("a", "b");
    await until(() => events.filter(({ type }) => type === "job_progress").length >= 2);
    first.server.kill("SIGKILL");
    await first.server.ended;
    await until(() => silences > 0);

    await serve(new URL(first.url).port);
    await job.open("c", "d");
    await watched;
    const { items: log } = await watching.listJobEvents({ id: job.id, limit: 1_000 });
    expect(events.map(({ number, type }) => ({ number, type }))).toEqual(
      log.map(({ number, type }) => ({ number, type })),
    );
    expect(events.at(-1)?.type).toBe("job_completed");
    expect(await collect(watching.watchJob({ id: job.id }, { after: events.at(-1)?.id }))).toEqual([]);
    const again = await watching.retryJob({ id: job.id }).catch((error: unknown) => error);
    expect(again).toMatchObject({ status: 409, code: "INVALID_TRANSITION" });
  });

  it("of a job that is cancelled ends, and goes on when it is retried", async () => {
    const { id } = await createdJob();
    await client.cancelJob({ id });
    const events = await collect(client.watchJob({ id }, { after: 0 }));
    expect(events.at(-1)?.type).toBe("job_cancelled");
    await client.retryJob({ id });
    const after = events.at(-1)?.number;
    const rest = await collect(client.watchJob({ id }, { after }));
    expect(rest[0]).toMatchObject({ type: "job_retried", number: Number(after) + 1 });
    expect(rest.at(-1)?.type).toBe("job_completed");
  });
});

describe("the command line", () => {
  it("sends DOCMILL_API_KEY, and says so where it is missing or wrong", async () => {
    const { key } = await server.access.createKey({ name: "shell", scope: "read" });
    const run = (words: string[], DOCMILL_API_KEY = "") =>
      runDocmill([...words, "--server", server.guardedUrl], { env: { DOCMILL_API_KEY } });
    expect(await run(["status"], key)).toMatchObject({ code: 0, stderr: "" });
    const missing = await run(["status"]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("Set DOCMILL_API_KEY to a key.") });
    const wrong = await run(["status"], `${key.slice(0, -4)}aaaa`);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Correct DOCMILL_API_KEY.") });
    const tooSmall = await run(["cancel", nobody], key);
    expect(tooSmall).toMatchObject({ code: 2, stderr: expect.stringContaining("(FORBIDDEN)") });
  });
});

it("the example runs as it says", async () => {
  const folder = await makeTemporaryFolder();
  onTestFinished(() => removeTemporaryFolder(folder));
  await writeFile(join(folder, "wicks.md"), "# Wicks\n\nA braided wick needs trimming less often.\n");
  const hook = fileURLToPath(new URL("../support/use-source-client.ts", import.meta.url));
  const example = fileURLToPath(new URL("../../examples/client.ts", import.meta.url));
  const args = ["--import", hook, example, server.url, join(folder, "wicks.md"), "braided wick"];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^wicks\.md: [0-9a-f-]{36}\n/);
  expect(stdout).toContain("Ready, 1 passages");
  expect(stdout).toContain("<mark>braided</mark>");
});

/** Not to be started before tomorrow, so that there is time to cancel it. */
function createdJob(): Promise<{ id: string }> {
  return client.createJob({ kind: "quick", input: { n: 1 }, delayMs: 86_400_000 });
}

async function collect<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
