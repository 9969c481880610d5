/**
 * The database goes away while jobs run: restarted in an orderly way and killed, connections dropped around a commit.
 * Nothing is lost, nothing is done twice, and the workers find their way back by themselves.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import type { FaultPoint, FaultPointName } from "../../src/jobs/fault-points.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { createPipelines } from "../fixtures/tower.ts";
import { openCuttingProxy } from "../support/cutting-proxy.ts";
import { countEffects, countExecutions, createEffectTables, writeEffect } from "../support/effects.ts";
import { eventTypes, jobEnded, readStream } from "../support/read-job.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { openTestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const once = {
  committed: 1,
  last: 1,
  ...Object.fromEntries(["1", "2", "3"].map((page) => [`committed-items ${page}`, 1])),
};

describe("a server that restarts while jobs run", () => {
  let folder: string;
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    // A server that does not sync forgets what it acknowledged when it crashes: here it must not.
    server = await startEmbeddedPostgres({ dataDir: join(folder, "data"), logger: silentLogger });
    await migrate({ url: server.url, logger: silentLogger });
  });

  afterAll(async () => {
    await server.stop();
    await removeTemporaryFolder(folder);
  });

  it("orderly and by a crash, loses nothing and repeats nothing", async () => {
    const { url } = server;
    const db = openDatabase({ url, logger: silentLogger, maxConnections: 4 });
    await createEffectTables(db);
    let reached = 0;
    const pace = Promise.withResolvers<void>();
    const steps = ["1", "2", "3", "4", "5", "6"];
    const work = pipeline("restarted", { input: z.object({}), retry: { attempts: 50, baseMs: 50, factor: 1 } })
      .stage("pages", async ({ job, items }) => {
        await items(steps, { key: String }, async (page, { commit }) => {
          if (++reached === 60) pace.resolve();
          return commit((tx) => writeEffect(tx, job.id, page));
        });
      })
      .stage("last", ({ job, commit }) => commit((tx) => writeEffect(tx, job.id, "last")));
    const engine = openTestEngine({ url, pipelines: [work] });
    await engine.startWorker({ slots: 8 });
    const ids = await engine.enqueueMany(Array.from({ length: 60 }, () => work.job({})));
    await pace.promise;

    for (const signal of ["SIGINT", "SIGQUIT"] as const) {
      const before = server.serverPid;
      process.kill(before, signal);
      await until(() => server.serverPid !== before);
      await server.whenUp();
      const landed = await countAll(db);
      // It is going again before it goes down once more.
      await until(async () => (await countAll(db)) > landed || (await countAll(db)) === 60 * 7);
    }
    for (const id of ids) {
      expect((await until(() => jobEnded(db, id).catch(() => undefined))).status).toBe("completed");
      expect(await countEffects(db, id)).toEqual(Object.fromEntries([...steps, "last"].map((step) => [step, 1])));
      const types = await eventTypes(db, id);
      expect(types.filter((type) => type === "job_completed")).toHaveLength(1);
    }
    await engine.close();
    await db.close();
  });

  async function countAll(db: Database): Promise<number> {
    const rows = await until(() =>
      db.query<{ all: number }>(sql`select count(*) as all from effects`).catch(() => undefined),
    );
    return rows[0]?.all ?? 0;
  }
});

describe("a connection that is dropped", () => {
  /** Ends every connection but that of `db` itself, which has only one; once, at the first write of this sort. */
  function dropAt(
    db: Database,
    point: FaultPointName,
    isTarget: (write: Parameters<FaultPoint>[1][number]) => boolean,
  ) {
    let dropped = 0;
    const faultPoint: FaultPoint = async (name, writes) => {
      if (name !== point || dropped > 0 || !writes.some(isTarget)) return;
      dropped++;
      await db.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
    };
    return { faultPoint, dropped: () => dropped };
  }

  const targets: [string, (write: Parameters<FaultPoint>[1][number]) => boolean][] = [
    ["a stage's checkpoint", ({ write }) => write.stage?.name === "plain"],
    ["a checkpoint with a child job", ({ write }) => write.stage?.name === "parent"],
    ["a checkpoint with commit(tx)", ({ write }) => write.stage?.name === "committed"],
    ["an item's checkpoint", ({ write }) => write.items?.some(({ stage }) => stage === "plain-items") ?? false],
    ["an item's commit(tx)", ({ write }) => write.items?.some(({ stage }) => stage === "committed-items") ?? false],
    ["the completion", ({ write }) => write.change?.transition === "complete"],
  ];

  it.each(targets)("inside %s is made good: written once, run once", async (_, isTarget) => {
    const { db, url, drop } = await createTestDatabase({ maxConnections: 1 });
    await createEffectTables(db);
    const pipelines = createPipelines({ db });
    const engine = openTestEngine({ url, pipelines: Object.values(pipelines) });
    const { faultPoint, dropped } = dropAt(db, "commit.inside", isTarget);
    await engine.startWorker({ faultPoint });
    const { id } = await engine.enqueue(pipelines.tower.job({}));
    const job = await jobEnded(db, id);
    expect(dropped()).toBe(1);
    expect(job).toMatchObject({ status: "completed", attempts: 1, completedItems: 6, failedItems: 0 });
    expect(await countEffects(db, id)).toEqual(once);
    expect(Object.values(await countExecutions(db, id)).every((times) => times === 1)).toBe(true);
    expect(await db.query(sql`select from jobs where parent_id = ${id}`)).toHaveLength(3);
    const stages = (await readStream(db, id))
      .filter(({ type }) => type === "stage_completed")
      .map(({ data }) => data.stage);
    expect(stages).toEqual(["plain", "parent", "committed", "plain-items", "committed-items"]);
    await engine.close();
    await drop();
  });

  it.each([
    // Each is a text that is sent with that write first.
    ["a stage's checkpoint", "plain"],
    ["a checkpoint with a child job", "insert into jobs"],
    ["a checkpoint with commit(tx)", "insert into effects"],
    ["progress", "plain-items"],
    ["an item's commit(tx)", "committed-items 2"],
    ["the completion", "status = 'completed'"],
  ])("after %s was made, before anyone heard of it, does not repeat it", async (_, statement) => {
    const { db, url, drop } = await createTestDatabase();
    await createEffectTables(db);
    const pipelines = createPipelines({ db });
    const proxy = await openCuttingProxy(url);
    const engine = openTestEngine({ url: proxy.url, pipelines: Object.values(pipelines), listenUrl: null });
    const { id } = await engine.enqueue(pipelines.tower.job({}));
    const cut = proxy.cutAfterCommitOf(statement);
    await engine.startWorker();
    await cut;
    const job = await jobEnded(db, id);
    expect(job).toMatchObject({ status: "completed", attempts: 1, completedItems: 6 });
    expect(await countEffects(db, id)).toEqual(once);
    expect(Object.values(await countExecutions(db, id)).every((times) => times === 1)).toBe(true);
    expect(await db.query(sql`select from jobs where parent_id = ${id}`)).toHaveLength(3);
    const events = await eventTypes(db, id);
    expect(events.filter((type) => type === "stage_completed")).toHaveLength(5);
    expect(events.filter((type) => type === "job_completed")).toHaveLength(1);
    await engine.close();
    await proxy.close();
    await drop();
  });
});
