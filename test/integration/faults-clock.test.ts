/** Machines whose clocks are wrong by a day, either way, and a database whose clock jumps: work goes on, and nothing is taken for old, lost or over. */
import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { type DocmillProcess, runDocmill, spawnDocmill, startServe } from "../support/docmill-process.ts";
import { openDocumentClient } from "../support/document-place.ts";
import { countEffects, createEffectTables, writeEffect } from "../support/effects.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { jobEnded, readJob } from "../support/read-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestClock } from "../support/test-clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { openTestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const aDayMs = 24 * 3_600_000;
const shifting = fileURLToPath(new URL("../support/faults/shift-clock.ts", import.meta.url));
const shiftedBy = (ms: number) => ({ NODE_OPTIONS: `--import=${shifting}`, TEST_CLOCK_SHIFT_MS: String(ms) });

describe("a server a day ahead and a worker a day behind", () => {
  let folder: string;
  let database: TestDatabase;
  let env: Record<string, string>;
  let url: string;
  const processes: DocmillProcess[] = [];
  const fresh = "documents/00000000-0000-4000-8000-000000000001/original-fresh";
  const old = "documents/00000000-0000-4000-8000-000000000002/original-old";

  const startWorker = async (shift: Record<string, string>) => {
    const worker = spawnDocmill(["worker", "--config", gatedConfig], { env: { ...env, ...shift } });
    processes.push(worker);
    await worker.says(/is ready/);
    return worker;
  };

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    database = await createTestDatabase();
    env = {
      DATABASE_URL: database.url,
      DOCMILL_DATA_DIR: join(folder, "data"),
      DOCMILL_POLL_MS: "200",
      DOCMILL_THREADS: "1",
    };
    for (const file of [fresh, old]) {
      await mkdir(dirname(join(folder, "data/files", file)), { recursive: true });
      await writeFile(join(folder, "data/files", file), "An upload on its way.");
    }
    const longAgo = new Date(Date.now() - 3 * aDayMs);
    await utimes(join(folder, "data/files", old), longAgo, longAgo);
    const serving = ["--port", "0", "--no-workers", "--config", gatedConfig];
    const started = await startServe(serving, { env: { ...env, ...shiftedBy(aDayMs + 3_600_000) } });
    processes.push(started.server);
    url = started.url;
  });
  afterAll(async () => {
    for (const one of processes) one.kill("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
    await database.drop();
    await removeTemporaryFolder(folder);
  });

  it("work together: leases hold, retries come, and what is killed is taken over", async () => {
    const client = openDocumentClient(url);
    const behind = await startWorker(shiftedBy(-aDayMs));
    const document = await client.upload({ name: "clocks.txt", bytes: Buffer.from("Two clocks that never agree.") });
    await client.reaches(document.id, ({ status }) => status === "Ready");
    const failing = await createGatedJob(url, folder, { items: [], fail: "retryable" });
    expect(await failing.reaches(url, ({ status }) => status === "failed")).toMatchObject({ attempts: 5 });
    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(url, ({ completedItems }) => completedItems === 1);
    const { body: workers } = await client.ask("/api/workers");
    expect(workers.items).toMatchObject([{ state: "alive", running: 1 }]);

    behind.kill("SIGKILL");
    await behind.ended;
    await startWorker({});
    await job.open("b");
    expect(await job.reaches(url, ({ status }) => status === "completed")).toMatchObject({ attempts: 2 });
    expect((await job.runs()).a).toBe(1);
    const watched = await runDocmill(["watch", job.id, "--server", url], { env: shiftedBy(-aDayMs) });
    expect(watched).toMatchObject({ code: 0 });
  });

  it("take no file for old that came a moment ago", async () => {
    const isThere = (file: string) =>
      stat(join(folder, "data/files", file)).then(
        () => true,
        () => false,
      );
    await until(async () => !(await isThere(old)));
    expect(await isThere(fresh)).toBe(true);
  });
});

describe("the database's clock", () => {
  const open = async () => {
    const { db, url, drop } = await createTestDatabase();
    await createEffectTables(db);
    const clock = await createTestClock(db);
    const gate = Promise.withResolvers<void>();
    const work = pipeline("clocked", { input: z.object({}) })
      .stage("wait", async ({ job, commit }) => {
        await gate.promise;
        return commit((tx) => writeEffect(tx, job.id, "wait"));
      })
      .stage("last", ({ job, commit }) => commit((tx) => writeEffect(tx, job.id, "last")));
    const engine = openTestEngine({ url, pipelines: [work], clock });
    return { db, drop, clock, gate, work, engine };
  };

  it.each([aDayMs, -aDayMs])("jumps by %i ms: a running job ends well, each of its effects once", async (jump) => {
    const { db, drop, clock, gate, work, engine } = await open();
    await engine.startWorker();
    const { id } = await engine.enqueue(work.job({}));
    await until(async () => (await readJob(db, id)).status === "running");
    await clock.advance(jump);
    // Another one looks around: after a jump ahead every lease seems to have run out.
    await engine.startWorker();
    gate.resolve();
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed" });
    expect(await countEffects(db, id)).toEqual({ wait: 1, last: 1 });
    const later = await engine.enqueue(work.job({}));
    expect(await jobEnded(db, later.id)).toMatchObject({ status: "completed" });
    expect(await db.query(sql`select from jobs where status in ('pending', 'running')`)).toEqual([]);
    await engine.close();
    await drop();
  });
});
