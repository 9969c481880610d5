/** `docmill cleanup`, what `docmill doctor` says of periodic work, and who refuses a schema that is not theirs. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { runDocmill, spawnDocmill } from "../support/docmill-process.ts";
import { endProcess } from "../support/document-place.ts";
import { insertPastJobs } from "../support/jobs-of-the-past.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const aDayMs = 24 * 3_600_000;

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await makeTemporaryFolder();
});
afterEach(async () => {
  await database.drop();
  await removeTemporaryFolder(folder);
});

const environment = () => ({ DATABASE_URL: database.url, DOCMILL_DATA_DIR: join(folder, "data") });
const run = (...args: string[]) => runDocmill(args, { env: environment(), cwd: folder });

async function countJobs(): Promise<number> {
  return (await database.db.query(sql`select from jobs`)).length;
}

/** Jobs of a kind that every process knows. */
const insertOld = (days: number, count: number) => {
  const at = Date.now() - days * aDayMs;
  return insertPastJobs(
    database.db,
    Array.from({ length: count }, (_, n) => ({ kind: "detect_connections", createdAt: at + n, endedAt: at + n })),
  );
};

describe("docmill cleanup", () => {
  it("says what would go, then removes it, and says so", async () => {
    await insertOld(40, 3);
    await insertOld(10, 2);
    await database.db.query(sql`
      insert into workers (id, host, boot_id, pid_namespace, pid, process_started, version, kinds, slots, lease_expires_at, lost_at)
      select gen_random_uuid(), 'gone', 'b', 'n', 1, 's', 'v', '{}', 1, now() - interval '3 days', lost_at
      from (values (now() - interval '2 days'), (null)) as w (lost_at)`);
    const tried = await run("cleanup", "--dry-run");
    expect(tried).toMatchObject({ code: 0, stderr: "" });
    expect(tried.stdout).toMatch(/^jobs +3 would be removed$/m);
    expect(tried.stdout).toMatch(/^workers +1 would be removed$/m);
    expect(await countJobs()).toBe(5);
    expect(await database.db.query(sql`select from periodic_tasks`)).toEqual([]);

    const done = await run("cleanup", "--json");
    expect(done.code).toBe(0);
    const { dryRun, tasks } = JSON.parse(done.stdout);
    expect(dryRun).toBe(false);
    expect(tasks).toContainEqual({ task: "jobs", result: "done", removed: 3 });
    expect(tasks.map(({ result }: { result: string }) => result)).toEqual(tasks.map(() => "done"));
    expect(await countJobs()).toBe(2);
    // The other one is known to be lost from now on.
    const left = await database.db.query(sql`select lost_at > now() - interval '1 hour' as just_now from workers`);
    expect(left).toEqual([{ justNow: true }]);
    const [entry] = await database.db.query(sql`select action, details -> 'removed' -> 'jobs' as jobs from audit_log`);
    expect(entry).toEqual({ action: "cleanup.run", jobs: 3 });
  });

  it("goes by the settings, says who else is at it, and what failed", async () => {
    await insertOld(10, 2);
    await database.db.query(sql`
      insert into periodic_tasks (name, turn, holder, taken_at, held_until)
      values ('ledger', 7, 'another-host (pid 4)', now(), now() + interval '1 minute')`);
    await database.db.query(sql`drop table sessions`);
    const { code, stdout } = await runDocmill(["cleanup"], {
      env: { ...environment(), DOCMILL_KEEP_JOBS_DAYS: "7" },
      cwd: folder,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^jobs +2 removed$/m);
    expect(stdout).toMatch(/^ledger +another process is at it: another-host \(pid 4\)$/m);
    expect(stdout).toMatch(/^sessions +failed: .*sessions/m);
    const checked = await run("doctor");
    expect(checked.stdout).toMatch(/^warn +periodic work: fails: sessions \(1 in a row: .*docmill cleanup/m);
  });

  it("keeps everything where it is told to keep it for ever", async () => {
    await insertOld(4_000, 2);
    const { stdout } = await runDocmill(["cleanup"], {
      env: { ...environment(), DOCMILL_KEEP_JOBS_DAYS: "0" },
      cwd: folder,
    });
    expect(stdout).toMatch(/^jobs +0 removed$/m);
    expect(await countJobs()).toBe(2);
  });

  it("refuses wrong usage, and a database it cannot reach", async () => {
    expect(await run("cleanup", "--everything")).toMatchObject({ code: 2, stdout: "" });
    const unreachable = await runDocmill(["cleanup"], {
      env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", DOCMILL_DB_WAIT_MS: "0" },
      cwd: folder,
    });
    expect(unreachable).toMatchObject({ code: 3, stdout: "" });
    const missing = await runDocmill(["cleanup", "--data-dir", "nowhere"], { cwd: folder });
    expect(missing).toMatchObject({ code: 3, stdout: "" });
    expect(missing.stderr).toMatch(/^docmill: There is no database in .*nowhere\. .*\(DATABASE_MISSING\)\n$/);
    expect(await readdir(folder)).not.toContain("nowhere");
  });

  it("changes no schema: it says what is missing", async () => {
    await database.db.query(
      sql`delete from schema_migrations where version = (select max(version) from schema_migrations)`,
    );
    const { code, stderr } = await run("cleanup");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^docmill: .*missing\. Run docmill migrate first\. \(MIGRATIONS_PENDING\)\n$/);
  });
});

describe("periodic work", () => {
  it("is done by serve and by worker, each where it is the only one, and doctor says when", async () => {
    for (const args of [["serve", "--no-workers", "--port", "0"], ["worker"]]) {
      await insertOld(40, 2);
      await database.db.query(sql`update periodic_tasks set due_at = now(), last_removed = null`);
      const child = spawnDocmill(args, { env: environment(), cwd: folder });
      onTestFinished(() => endProcess(child));
      await child.says(/ready/);
      await until(async () => {
        const done = sql`select from periodic_tasks where name = 'jobs' and last_removed = 2`;
        return (await database.db.query(done)).length > 0;
      });
      child.kill("SIGTERM");
      expect((await child.ended).code).toBe(0);
    }
    const healthy = await run("doctor");
    expect(healthy.stdout).toMatch(/^ok +periodic work: .*jobs \d+ min ago \(2 removed\)/m);
    await database.db.query(sql`update periodic_tasks set due_at = now() - interval '3 hours'`);
    const { stdout } = await run("doctor");
    expect(stdout).toMatch(/^warn +periodic work: nobody does it: .*jobs.* due for 3 h\. Start docmill serve/m);
  });
});

describe("a schema that is newer than the program", () => {
  it("stops serve, worker and cleanup, and is what doctor finds", async () => {
    await database.db.query(
      sql`insert into schema_migrations (version, name, checksum) values (9999, '9999_from_the_future', 'x')`,
    );
    const commands = [["serve", "--port", "0"], ["worker"], ["cleanup"], ["cleanup", "--dry-run"], ["migrate"]];
    const ends = await Promise.all(commands.map((args) => run(...args)));
    for (const [index, { code, stderr }] of ends.entries()) {
      expect(code, commands[index]?.join(" ")).toBe(1);
      expect(stderr).toMatch(/9999_from_the_future.*Start the newer version.*\(SCHEMA_TOO_NEW\)/);
    }
    const { code, stdout } = await run("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail +migrations: .*9999_from_the_future/m);
  });
});
