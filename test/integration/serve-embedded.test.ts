/** `docmill serve` on its own database: first start, being killed at the worst moment, and stopping. */
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readPidFile } from "../../src/db/embedded/pid-file.ts";
import { findFreePort } from "../../src/db/embedded/server-address.ts";
import { isAlive } from "../../src/db/embedded/server-processes.ts";
import { findEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import {
  type DocmillOptions,
  type DocmillProcess,
  runDocmill,
  spawnDocmill,
  startServe,
} from "../support/docmill-process.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

let folder: string;
let made = 0;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
});

afterAll(() => removeTemporaryFolder(folder));

function newDataDir(): string {
  return join(folder, `data-${++made}`);
}

async function serve(dataDir: string, options: DocmillOptions & { port?: number } = {}) {
  const { port = 0, ...rest } = options;
  const started = await startServe(["--port", String(port), "--data-dir", dataDir, "--config", gatedConfig], rest);
  onTestFinished(async () => {
    started.server.kill("SIGKILL");
    await started.server.ended;
  });
  return started;
}

async function stop(server: DocmillProcess) {
  server.kill("SIGTERM");
  return server.ended;
}

function databasePid(dataDir: string): Promise<number> {
  return until(async () => {
    const file = await readPidFile(join(dataDir, "postgres", "cluster"));
    return file?.status === "ready" && file.pid;
  });
}

describe("a first start", () => {
  it("makes its database, says what it uses, runs jobs, and leaves nothing running", async () => {
    const dataDir = newDataDir();
    const { server, url } = await serve(dataDir);
    expect(server.stdout).toMatch(/^Docmill is ready at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(server.stdout).toContain(`database   PostgreSQL 18`);
    expect(server.stdout).toContain(`embedded, in ${dataDir}\n`);
    expect(server.stdout).toMatch(/^workers {4}\d+ jobs at a time$/m);
    expect(server.stdout).toContain("pipelines  gated");
    expect(server.stdout).not.toContain("missing");

    const job = await createGatedJob(url, folder, { items: ["a"] });
    await job.open("a");
    expect(await runDocmill(["watch", job.id, "--server", url])).toMatchObject({ code: 0 });

    const pid = await databasePid(dataDir);
    expect(await stop(server)).toMatchObject({ code: 0, signal: null });
    expect(isAlive(pid)).toBe(false);
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  it("has the pipelines of its own by itself", async () => {
    const { server } = await startServe(["--port", "0", "--data-dir", newDataDir()], { cwd: folder });
    expect(server.stdout).toMatch(/^pipelines {2}documents, heat sheets, books$/m);
    expect(await stop(server)).toMatchObject({ code: 0 });
  });

  it("may be interrupted before it is ready, and leaves no database running", async () => {
    const dataDir = newDataDir();
    const server = spawnDocmill(["serve", "--port", "0", "--data-dir", dataDir]);
    await server.says(/making the database/);
    server.kill("SIGINT");
    const { code, stdout } = await server.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
    const again = await serve(dataDir);
    expect(await stop(again.server)).toMatchObject({ code: 0 });
  });
});

describe("a server killed in the middle of a job", () => {
  it("takes over its database and goes on from the last checkpoint, while someone watches", async () => {
    const dataDir = newDataDir();
    const port = await findFreePort();
    const first = await serve(dataDir, { port });
    const job = await createGatedJob(first.url, folder, { items: ["a", "b", "c", "d"] });
    await job.open("a", "b");
    const watching = spawnDocmill(["watch", job.id, "--server", first.url]);
    await watching.says(/items: \d of 4 items/);
    await job.reaches(first.url, ({ completedItems }) => completedItems === 2);
    await until(async () => (await job.runs()).c === 1);
    const pid = await databasePid(dataDir);
    first.server.kill("SIGKILL");
    await first.server.ended;

    // The lease runs for two minutes more: only the dead process gives the job back before the test's time is over.
    const second = await serve(dataDir, { port });
    expect(second.server.stdout).toContain("(was still running and was taken over)");
    expect(await databasePid(dataDir)).toBe(pid);
    await job.open("c", "d");
    const ended = await watching.ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("its worker is gone");
    expect(ended.stdout.match(/^gated \S+ completed$/gm)).toHaveLength(1);
    expect(await job.runs()).toEqual({ begin: 1, a: 1, b: 1, c: 2, d: 1 });
    expect(await job.read(second.url)).toMatchObject({
      status: "completed",
      attempts: 2,
      result: { done: ["a", "b", "c", "d"] },
    });
    expect(await stop(second.server)).toMatchObject({ code: 0 });
  });
});

describe("a database killed under the server", () => {
  it("is started again, and the job goes on in the same process", async () => {
    const dataDir = newDataDir();
    const { server, url } = await serve(dataDir, { env: { DOCMILL_POLL_MS: "200" } });
    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(url, ({ completedItems }) => completedItems === 1);
    const pid = await databasePid(dataDir);
    process.kill(pid, "SIGKILL");
    await until(async () => (await databasePid(dataDir)) !== pid);
    await job.open("b");
    expect(await runDocmill(["watch", job.id, "--server", url])).toMatchObject({ code: 0 });
    expect(await job.runs()).toMatchObject({ begin: 1, a: 1 });
    const another = await createGatedJob(url, folder, { items: [] });
    expect(await runDocmill(["watch", another.id, "--server", url])).toMatchObject({ code: 0 });
    expect(await stop(server)).toMatchObject({ code: 0 });
  });
});

describe("stopping", () => {
  it("hands back a job that reaches no checkpoint in time, at no cost in attempts", async () => {
    const dataDir = newDataDir();
    const first = await serve(dataDir, { env: { DOCMILL_SHUTDOWN_GRACE_MS: "0" } });
    const job = await createGatedJob(first.url, folder, { items: ["a"] });
    await until(async () => (await job.runs()).a === 1);
    expect(await stop(first.server)).toMatchObject({ code: 0, signal: null });

    const idle = await startServe(["--port", "0", "--data-dir", dataDir, "--no-workers", "--config", gatedConfig]);
    expect(await job.read(idle.url)).toMatchObject({ status: "pending", attempts: 0 });
    expect(idle.server.stdout).toContain("workers    none here; run docmill worker");
    expect(idle.server.stdout).toMatch(/^missing {4}jobs of kind "gated" are waiting/m);
    expect(await stop(idle.server)).toMatchObject({ code: 0 });

    const last = await serve(dataDir);
    await job.open("a");
    await job.reaches(last.url, ({ status }) => status === "completed");
    expect(await job.read(last.url)).toMatchObject({ attempts: 1 });
    expect(await job.runs()).toEqual({ begin: 1, a: 2 });
    expect(await stop(last.server)).toMatchObject({ code: 0 });
  });

  it("lets a job reach its checkpoint within the grace, and answers meanwhile", async () => {
    const dataDir = newDataDir();
    const first = await serve(dataDir, { env: { DOCMILL_SHUTDOWN_GRACE_MS: "600000" } });
    const job = await createGatedJob(first.url, folder, { items: ["a", "b"] });
    await until(async () => (await job.runs()).a === 1);
    first.server.kill("SIGTERM");
    await first.server.says(/"stopping; once more/);
    expect(await job.read(first.url)).toMatchObject({ status: "running" });
    await job.open("a");
    expect(await first.server.ended).toMatchObject({ code: 0, signal: null });

    const second = await serve(dataDir);
    await job.open("b");
    await job.reaches(second.url, ({ status }) => status === "completed");
    expect(await job.runs()).toEqual({ begin: 1, a: 1, b: 1 });
    expect(await stop(second.server)).toMatchObject({ code: 0 });
  });

  it("takes one Ctrl-C that arrives twice for one, and a second one seriously", async () => {
    const dataDir = newDataDir();
    const { server, url } = await serve(dataDir, { env: { DOCMILL_SHUTDOWN_GRACE_MS: "600000" } });
    const job = await createGatedJob(url, folder, { items: ["a"] });
    await until(async () => (await job.runs()).a === 1);
    // npm passes the terminal's Ctrl-C on.
    server.kill("SIGINT");
    server.kill("SIGINT");
    await server.says(/"stopping; once more/);
    expect(await job.read(url)).toMatchObject({ status: "running" });
    let ended = false;
    void server.ended.then(() => {
      ended = true;
    });
    await until(() => {
      server.kill("SIGINT");
      return ended;
    });
    expect(await server.ended).toMatchObject({ code: 130 });
    // The database was left to itself, and is adopted.
    const next = await serve(dataDir);
    await job.open("a");
    await job.reaches(next.url, ({ status }) => status === "completed");
    expect(await stop(next.server)).toMatchObject({ code: 0 });
  });
});

describe("what is taken", () => {
  it("a data folder: the second server says whose it is and leaves the first alone", async () => {
    const dataDir = newDataDir();
    const { server, url } = await serve(dataDir);
    const second = await runDocmill(["serve", "--port", "0", "--data-dir", dataDir]);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toMatch(
      new RegExp(`^docmill: Process ${server.pid} already runs Docmill on .*--data-dir`, "m"),
    );
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await stop(server)).toMatchObject({ code: 0 });
  });

  it("a port: it says so, and stops the database it has started", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const dataDir = newDataDir();
    const { code, stdout, stderr } = await runDocmill(["serve", "--port", String(port), "--data-dir", dataDir]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^docmill: .*${port}.*--port.*$`, "m"));
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
  });
});
