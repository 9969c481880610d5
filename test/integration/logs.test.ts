/** What the log says of jobs and requests, and what neither it nor anything else that is shown ever says: secrets. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { RetryableError, TerminalError } from "../../src/errors.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { createLogger } from "../../src/logger.ts";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { endProcess } from "../support/document-place.ts";
import { findClosedPort } from "../support/find-closed-port.ts";
import { openHeatClient } from "../support/heat-client.ts";
import { makeLetter, makeProgram } from "../support/heat-sheets.ts";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

type Line = Record<string, unknown> & { msg: string };

/** Logs, fails for one item at first and for another for good, and then as a whole. */
const troubled = pipeline("troubled", {
  input: z.object({ documentId: z.string() }),
  about: ({ documentId }) => ({ documentId }),
}).stage("read", async ({ log, items }) => {
  log.info("stage speaks");
  let tries = 0;
  await items(["p1", "p2"], { key: (page) => page, retry: { attempts: 2, baseMs: 1 } }, async (page, item) => {
    item.log.info("item speaks");
    if (page === "p1" && ++tries === 1) throw new RetryableError("RATE_LIMIT", "Not now.");
    if (page === "p2") throw new TerminalError("BAD_PAGE", "Blank.");
  });
  throw new TerminalError("NO_USE", "Nothing came of it.");
});

describe("the log", () => {
  let place: HttpPlace;
  const lines: Line[] = [];
  const said = (msg: string) => lines.filter((line) => line.msg === msg);

  beforeAll(async () => {
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    place = await openHttpPlace({ pipelines: [troubled], logger: createLogger({ level: "debug", destination }) });
  });
  afterAll(() => place.close());

  it("names job, batch, document, stage, item and attempt on every line of a job", async () => {
    const documentId = "01890a5d-ac96-774b-bcce-b302099a8057";
    const { id: batchId, jobIds } = await place.engine.createBatch({
      pipeline: troubled as never,
      jobs: [troubled.job({ documentId }) as never],
    });
    const [jobId = ""] = jobIds;
    await place.startWorker();
    await place.untilState(jobId, "failed");
    const known = { jobId, batchId, documentId, kind: "troubled", stage: "read", attempt: 1 };
    expect(said("stage speaks")).toMatchObject([known]);
    expect(said("item speaks").map(({ item }) => item)).toEqual(["p1", "p1", "p2"]);
    for (const line of said("item speaks")) expect(line).toMatchObject(known);
    expect(said("item will be tried again")).toMatchObject([
      { ...known, item: "p1", code: "RATE_LIMIT", itemAttempt: 1 },
    ]);
    expect(said("item failed")).toMatchObject([{ ...known, item: "p2", code: "BAD_PAGE" }]);
    expect(said("job attempt failed")).toMatchObject([{ ...known, code: "NO_USE" }]);
  });

  it("has a line for every request, under the id that its answer carries", async () => {
    const { headers } = await place.ask("/api/jobs/7?token=hush-4711");
    const requestId = headers.get("x-request-id");
    const [line] = said("request answered").filter((one) => one.requestId === requestId);
    expect(line).toMatchObject({ method: "GET", route: "/api/jobs/{id}", status: 400, ms: expect.any(Number) });
    expect(JSON.stringify(lines)).not.toContain("hush-4711");
  });

  it("has the reason of an error that nobody expected under the same id", async () => {
    await place.db.query(sql`alter table job_stages rename to hidden_stages`);
    const { status, body, headers } = await place.ask("/api/jobs");
    await place.db.query(sql`alter table hidden_stages rename to job_stages`);
    expect(status).toBe(500);
    expect(body.requestId).toBe(headers.get("x-request-id"));
    expect(said("request failed")).toMatchObject([{ requestId: body.requestId, err: { type: "DatabaseError" } }]);
  });
});

describe("secrets", () => {
  it("are in no log, no answer, no event and no metric, whatever goes wrong", async () => {
    const database = await createTestDatabase();
    const folder = await makeTemporaryFolder();
    onTestFinished(async () => {
      await database.drop();
      await removeTemporaryFolder(folder);
    });
    const port = await findClosedPort();
    const databaseUrl = new URL(database.url);
    const env = {
      DATABASE_URL: databaseUrl.href,
      DOCMILL_LOG_LEVEL: "trace",
      DOCMILL_MODEL: "clever",
      DOCMILL_MODEL_URL: `http://127.0.0.1:${port}/v1?key=hush-query`,
      DOCMILL_MODEL_KEY: "hush-model",
      DOCMILL_EMBEDDINGS: "openai",
      DOCMILL_EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
      DOCMILL_EMBEDDINGS_KEY: "hush-embeddings",
      DOCMILL_SMTP_URL: `smtp://mailer:hush-mail@127.0.0.1:${port}`,
      DOCMILL_MAIL_FROM: "docmill@example.org",
      DOCMILL_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/hush-path`,
      DOCMILL_WEBHOOK_SECRET: "whsec_aHVzaC13ZWJob29r",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=hush-traces",
    };
    const apiKey = "dm_hushhushhush_4711471147114711471147114711471147114711471";
    const shown: string[] = [];
    const { server, url } = await startServe(["--port", "0"], { env });
    onTestFinished(() => endProcess(server));
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(url + path, init);
      const text = await response.text();
      shown.push(text, JSON.stringify([...response.headers]));
      return { status: response.status, text };
    };
    const read = async <Body>(path: string): Promise<Body> => JSON.parse((await ask(path)).text);
    const post = (body: object) => ({
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });

    expect((await ask("/api/jobs", { headers: { authorization: `Bearer ${apiKey}` } })).status).toBe(401);
    await ask("/api/session", post({ key: apiKey }));
    await ask("/api/search", post({ query: "anything" }));
    await ask("/api/documents", post({ url: `http://reader:hush-fetch@127.0.0.1:${port}/file.pdf` }));
    const document = new FormData();
    const { name, bytes } = makeProgram("document.pdf");
    document.append("file", new Blob([new Uint8Array(bytes)]), name);
    await ask("/api/documents", { method: "POST", body: document });
    await openHeatClient(url).start({ files: [makeProgram("known.pdf")], notifyEmail: "reader@example.org" });
    await openHeatClient(url).start({ files: [makeLetter("unknown.pdf")] });
    type Listed = { items: { id: string; kind: string; attempts: number; status: string }[] };
    const tried = (kind: string) => async () => {
      const { items } = await read<Listed>(`/api/jobs?kind=${kind}&limit=50`);
      return items.some(({ attempts, status }) => attempts > 0 && status !== "running") && items;
    };
    for (const kind of ["document", "heat_sheet", "batch_mail", "batch_webhook"]) {
      for (const { id } of await until(tried(kind))) {
        await ask(`/api/jobs/${id}`);
        await ask(`/api/jobs/${id}/events`);
      }
    }
    for (const path of ["/metrics", "/api/system", "/api/stats", "/api/workers", "/openapi.json"]) await ask(path);
    const doctor = await runDocmill(["doctor", "--config"], { env });
    server.kill("SIGTERM");
    const { stdout, stderr } = await server.ended;
    shown.push(doctor.stdout, doctor.stderr, stdout, stderr);

    expect(stderr).toContain("job attempt failed");
    expect(stderr).toContain("wrong key");
    const secrets = ["hush-", databaseUrl.password, apiKey, "aHVzaC13ZWJob29r"];
    const leaks = secrets.flatMap((secret) =>
      shown.filter((text) => text.includes(secret)).map((text) => text.slice(0, 50 + text.indexOf(secret)).slice(-200)),
    );
    expect(leaks).toEqual([]);
  });
});

describe("a start that is refused", () => {
  it.each([
    ["a database that is not there", { DATABASE_URL: "postgres://me:hush-1@127.0.0.1:1/db", DOCMILL_DB_WAIT_MS: "0" }],
    ["a database url that is none", { DATABASE_URL: "postgres//me:hush-2@127.0.0.1/db" }],
    ["a password where none belongs", { DOCMILL_MODEL_URL: "http://me:hush-3@127.0.0.1/v1" }],
    ["a token where none belongs", { DOCMILL_S3_ENDPOINT: "http://hush-4@127.0.0.1/?key=hush-5" }],
    ["headers that are none", { OTEL_EXPORTER_OTLP_HEADERS: "hush-6" }],
  ])("says what is wrong without saying it: %s", async (_what, env) => {
    const { code, stdout, stderr } = await runDocmill(["serve", "--port", "0"], {
      env: { DOCMILL_LOG_LEVEL: "trace", ...env },
    });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain("docmill: ");
    expect(stdout + stderr).not.toContain("hush-");
  });
});
