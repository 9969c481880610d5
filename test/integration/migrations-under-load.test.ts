/**
 * An upgrade while work goes on: the schema of an earlier release, with rows in it, is brought up to date under workers and
 * enqueuers in processes of their own. Nobody waits behind the migration, no request fails, and nothing is lost or doubled.
 */
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate, readSchemaState } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { createEffectTables } from "../support/effects.ts";
import { startPeriodicProcess } from "../support/periodic-process.ts";
import { raceInProcesses } from "../support/race-in-processes.ts";
import { silentLogger as logger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";
import { useWorkerProcesses } from "../support/worker-process.ts";

const shipped = fileURLToPath(new URL("../../migrations", import.meta.url));
const pipelines = import.meta.resolve("../fixtures/pipelines/upgrade.ts");
const enqueuer = import.meta.resolve("../fixtures/races/enqueue-for-long.ts");

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  folder = await makeTemporaryFolder();
});
afterEach(async () => {
  await database.drop();
  await removeTemporaryFolder(folder);
});

/** Leaves out migrations after this number. */
async function migrateTo(version: number): Promise<void> {
  const files = (await readdir(shipped)).filter((file) => Number(file.slice(0, 4)) <= version);
  for (const file of files) await cp(join(shipped, file), join(folder, file));
  await migrate({ url: database.url, logger, folder });
}

/**
 * The first so many, in an order of our own: the work here is done by processes of this version, which need their engine's
 * tables as they are now, so what changed those comes before what is applied under load.
 */
async function migrateFirst(count: number, options: { lockWaitMs?: number } = {}): Promise<void> {
  const order = [1, 2, 3, 4, 7, 8, 9, 5, 6];
  const files = await readdir(shipped);
  for (const [place, number] of order.slice(0, count).entries()) {
    const file = files.find((name) => Number(name.slice(0, 4)) === number) as string;
    await cp(join(shipped, file), join(folder, `000${place + 1}${file.slice(4)}`));
  }
  await migrate({ url: database.url, logger, folder, ...options });
}

/** What a release in use for a while has. */
async function fillWithHistory(): Promise<void> {
  const { db } = database;
  await db.query(sql`
    insert into jobs (id, kind, status, input, max_attempts, when_lost, completed_at, last_event)
    select gen_random_uuid(), 'upgrading', 'completed', '{"n": 1}', 3, 'retry', now() - interval '1 day', 2
    from generate_series(1, 20000)`);
  await db.query(sql`
    insert into events (stream_id, number, type, data, created_at)
    select id, n, 'x', '{}', now() from jobs, generate_series(1, 2) n`);
  await db.query(sql`insert into idempotency_keys (key, request_hash, job_id) select 'old ' || id, 'h', id from jobs`);
  await db.query(sql`
    insert into ledger (key, provider, model, caller, answer, answered_at)
    select 'old ' || id, 'acme', 'reader', id, to_jsonb(repeat('words ', 50)), now() from jobs`);
  await db.query(sql`insert into ledger_uses (job_id, key, paid) select id, 'old ' || id, 1 from jobs`);
}

async function countEnded(): Promise<number> {
  const [row] = await database.db.query<{ jobs: number }>(sql`select count(*) as jobs from effects`);
  return row?.jobs ?? 0;
}

/** Resolves when so many more jobs have ended. */
async function workGoesOn(jobs: number): Promise<void> {
  const before = await countEnded();
  await until(async () => (await countEnded()) >= before + jobs);
}

describe("an upgrade under load", () => {
  const workers = useWorkerProcesses();

  it("loses nothing, fails no request and holds nobody up", async () => {
    const { db, url } = database;
    await migrateFirst(7);
    await fillWithHistory();
    await createEffectTables(db);
    await db.query(sql`create table go_on ()`);
    await db.query(sql`insert into go_on default values`);
    const started = await workers.startMany(2, { url, pipelines, slots: 3 });
    // It finds no table of periodic work yet.
    await using periodic = await startPeriodicProcess({ url, tasks: ["one"] });
    const enqueuing = raceInProcesses(2, enqueuer, { url });
    await workGoesOn(10);

    // Someone has written to a table that is to be changed, and takes their time over the commit.
    const slow = new pg.Client({ connectionString: url, application_name: "slow report" });
    await slow.connect();
    await slow.query("begin; update ledger set cost_micros = 1 where key = (select min(key) from ledger)");
    const migrating = migrateFirst(9, { lockWaitMs: 100 });
    const waiting = () =>
      db.query(sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'docmill migrate' and wait_event_type = 'Lock'`);
    // It has waited, stepped back and come again more than once, and the work went on.
    for (let times = 0; times < 3; times++) {
      await until(async () => (await waiting()).length > 0);
      await until(async () => (await waiting()).length === 0);
      await workGoesOn(5);
    }
    expect((await readSchemaState(url, folder)).pending.length).toBeGreaterThan(0);
    await slow.query("commit");
    await slow.end();
    await migrating;
    expect((await readSchemaState(url, folder)).pending).toEqual([]);
    await periodic.saw("finished");
    await workGoesOn(10);
    await db.query(sql`delete from go_on`);

    const outcomes = await enqueuing;
    expect(outcomes.filter(({ answer }) => answer === undefined)).toEqual([]);
    const created = outcomes.map(({ answer }) => answer as string).sort();
    await until(
      async () => (await db.query(sql`select from jobs where status in ('pending', 'running')`)).length === 0,
    );
    for (const worker of started) await worker.terminate();
    const effects = await db.query<{ jobId: string }>(sql`select job_id from effects order by job_id`);
    expect(effects.map(({ jobId }) => jobId)).toEqual(created);
    const other = await db.query(sql`select status, error_code from jobs where status <> 'completed'`);
    expect(other).toEqual([]);
    const gaps = await db.query(sql`
      select j.id from jobs j where j.last_event <> (select count(*) from events e where e.stream_id = j.id)`);
    expect(gaps).toEqual([]);
    const errors = await db.query(sql`select code, message from job_errors`);
    expect(errors).toEqual([]);
  });
});

describe("a migration that others are in the way of", () => {
  it("gives up with their names, and has changed nothing", async () => {
    const { db, url } = database;
    await migrateTo(5);
    const slow = new pg.Client({ connectionString: url, application_name: "slow report" });
    await slow.connect();
    await slow.query("begin; lock table ledger in row exclusive mode");
    const refused = migrate({ url, logger, lockWaitMs: 20, patienceMs: 200 });
    await expect(refused).rejects.toMatchObject({
      code: "MIGRATION_BLOCKED",
      message: expect.stringMatching(/pid \d+ \(slow report, idle in transaction, open since .*\).*start again/),
    });
    // Whoever comes meanwhile is not kept waiting.
    await db.query(sql`insert into ledger (key, provider, model, caller) values ('k', 'p', 'm', gen_random_uuid())`);
    expect((await readSchemaState(url)).pending.map(({ name }) => name)[0]).toBe("0006_periodic");
    const [table] = await db.query<{ there: boolean }>(sql`select to_regclass('periodic_tasks') is not null as there`);
    expect(table?.there).toBe(false);
    await slow.query("rollback");
    await slow.end();
    await migrate({ url, logger });
    expect((await readSchemaState(url)).pending).toEqual([]);
  });
});
