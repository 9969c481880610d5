/** Processes on a database that is not theirs: it comes late, goes away, comes back, or is not what it should be. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { runDocmill, spawnDocmill, startServe } from "../support/docmill-process.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { pgBouncerProgram, startPgBouncer } from "../support/pgbouncer.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, describeOnEachServer } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let folder: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
});

afterAll(() => removeTemporaryFolder(folder));

describe("a database that comes and goes", () => {
  it("is waited for at the start, and its absence later is survived", async () => {
    const dataDir = join(folder, "server");
    const startDatabase = () => startEmbeddedPostgres({ dataDir, logger: silentLogger, durable: false });
    let postgres = await startDatabase();
    onTestFinished(() => postgres.stop());
    const env = { DATABASE_URL: postgres.url, DOCMILL_POLL_MS: "200", DOCMILL_DB_WAIT_MS: "600000" };
    await postgres.stop();

    const server = spawnDocmill(["serve", "--port", "0", "--config", gatedConfig], { env });
    onTestFinished(() => server.kill("SIGKILL"));
    await server.says(/the database does not answer yet/);
    postgres = await startDatabase();
    const [, url] = (await server.says(/ready at (\S+)/)) as unknown as [string, string];

    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(url, ({ completedItems }) => completedItems === 1);
    await postgres.stop();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await until(async () => (await fetch(`${url}/readyz`)).status === 503);
    // Its checkpoint finds no database, and waits for one.
    await job.open("b");
    postgres = await startDatabase();
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    await job.reaches(url, ({ status }) => status === "completed");
    expect(await job.runs()).toEqual({ begin: 1, a: 1, b: 1 });
    const another = await createGatedJob(url, folder, { items: [] });
    await another.reaches(url, ({ status }) => status === "completed");
    server.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it("does not keep a process from stopping when it is away", async () => {
    const dataDir = join(folder, "gone");
    const postgres = await startEmbeddedPostgres({ dataDir, logger: silentLogger, durable: false });
    onTestFinished(() => postgres.stop());
    const env = { DATABASE_URL: postgres.url, DOCMILL_SHUTDOWN_GRACE_MS: "100" };
    const { server, url } = await startServe(["--port", "0", "--config", gatedConfig], { env });
    const job = await createGatedJob(url, folder, { items: ["a"] });
    await until(async () => (await job.runs()).a === 1);
    await postgres.stop();
    server.kill("SIGTERM");
    // It cannot hand the job back; the lease, or the next process on this machine, will.
    expect(await server.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the database is away"),
    });
  });
});

describeOnEachServer("several processes on one database", (serverName) => {
  it("share the work, and one that is killed loses nothing", async () => {
    const database = await createTestDatabase({ server: serverName, empty: true });
    const env = { DATABASE_URL: database.url, DOCMILL_CONCURRENCY: "1" };
    const serving = startServe(["--port", "0", "--no-workers", "--config", gatedConfig], { env });
    const workers = [1, 2].map(() => spawnDocmill(["worker", "--config", gatedConfig], { env }));
    const { server, url } = await serving;
    await Promise.all(workers.map((worker) => worker.says(/is ready/)));
    const jobs = await Promise.all(["a", "b"].map((item) => createGatedJob(url, folder, { items: [item] })));
    const running = await Promise.all(jobs.map((job) => job.reaches(url, ({ status }) => status === "running")));
    expect(new Set(running.map(({ worker }) => worker?.pid))).toEqual(new Set(workers.map(({ pid }) => pid)));

    const [victim, survivor] = workers as [(typeof workers)[0], (typeof workers)[0]];
    victim.kill("SIGKILL");
    await victim.ended;
    await Promise.all(jobs.map((job) => job.open("a", "b")));
    for (const job of jobs) await job.reaches(url, ({ status }) => status === "completed");
    for (const one of [survivor, server]) {
      one.kill("SIGTERM");
      expect(await one.ended).toMatchObject({ code: 0 });
    }
    await database.drop();
  });
});

describe.skipIf(!pgBouncerProgram)("behind PgBouncer in transaction mode", () => {
  it("serve runs jobs, and doctor says how to get notifications", async () => {
    const database = await createTestDatabase();
    const bouncer = await startPgBouncer({ url: database.url });
    onTestFinished(async () => {
      await bouncer.stop();
      await database.drop();
    });
    const env = { DATABASE_URL: bouncer.url, DOCMILL_POLL_MS: "100" };
    const { server, url } = await startServe(["--port", "0", "--config", gatedConfig], { env });
    const job = await createGatedJob(url, folder, { items: ["a"] });
    await job.open("a");
    expect(await runDocmill(["watch", job.id, "--server", url])).toMatchObject({ code: 0 });
    server.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });

    const pooled = await runDocmill(["doctor"], { env });
    expect(pooled).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^warn {2}notifications: .*DOCMILL_DIRECT_URL/m),
    });
    const direct = await runDocmill(["doctor"], { env: { ...env, DOCMILL_DIRECT_URL: database.url } });
    expect(direct).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {4}notifications: arrive/m) });
  });
});
