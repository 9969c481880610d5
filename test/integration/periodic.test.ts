/** Periodic work: one process at a time, the next one when that is gone, and only the one whose turn it is says what came of it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseClock } from "../../src/db/clock.ts";
import { sql } from "../../src/db/sql.ts";
import type { PeriodicHappening } from "../../src/periodic/periodic-task.ts";
import { readPeriodicWork } from "../../src/periodic/read-periodic-work.ts";
import { refreshStatistics } from "../../src/periodic/refresh-statistics.ts";
import { runAllNow } from "../../src/periodic/run-all-now.ts";
import { startPeriodicWork } from "../../src/periodic/start-periodic-work.ts";
import { registerTasks, takeTurn } from "../../src/periodic/turns.ts";
import { type PeriodicProcessOptions, startPeriodicProcess } from "../support/periodic-process.ts";
import { pgBouncerProgram, startPgBouncer } from "../support/pgbouncer.ts";
import { silentLogger as logger } from "../support/silent-logger.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

interface TaskRow {
  turn: number;
  holder: string | null;
  lastHolder: string | null;
  lastRemoved: number | null;
  lastError: string | null;
  failures: number;
  isDue: boolean;
}

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

async function readTask(name: string): Promise<TaskRow> {
  const [row] = await database.db.query<TaskRow>(sql`
    select turn, holder, last_holder, last_removed, last_error, failures, due_at <= now() as is_due
    from periodic_tasks where name = ${name}`);
  return row as TaskRow;
}

/** Lets processes race for the turns of two tasks until there were many, and answers what they saw. */
async function race(url: string, turns: number) {
  await database.db.query(sql`create table at_work (task text primary key)`);
  const options: PeriodicProcessOptions = { url, tasks: ["one", "two"], everyMs: 5, lookMs: 10, alone: true };
  const processes = await Promise.all(Array.from({ length: 4 }, () => startPeriodicProcess(options)));
  const all = () => processes.flatMap(({ seen }) => seen);
  const taken = () => all().filter(({ type }) => type === "taken");
  await until(() => taken().length >= turns && new Set(taken().map(({ pid }) => pid)).size > 1);
  await Promise.all(processes.map((one) => one.end("SIGTERM")));
  return { taken: taken(), bad: all().filter(({ type }) => type === "failed" || type === "lost") };
}

function turnsOf(taken: readonly { task: string; turn: number }[], task: string): number[] {
  return taken
    .filter((one) => one.task === task)
    .map(({ turn }) => turn)
    .sort((a, b) => a - b);
}

describe("processes that take part", () => {
  it("do each turn once, and never two of them at the same time", async () => {
    const { taken, bad } = await race(database.url, 60);
    expect(bad).toEqual([]);
    for (const task of ["one", "two"]) {
      const turns = turnsOf(taken, task);
      expect(turns).toEqual(turns.map((_, index) => index + 1));
      expect((await readTask(task)).turn).toBe(turns.length);
    }
  });

  it.skipIf(!pgBouncerProgram)("do so through a pooler in transaction mode too", async () => {
    const bouncer = await startPgBouncer({ url: database.url, poolSize: 3 });
    try {
      const { taken, bad } = await race(bouncer.url, 30);
      expect(bad).toEqual([]);
      for (const task of ["one", "two"]) {
        const turns = turnsOf(taken, task);
        expect(turns).toEqual(turns.map((_, index) => index + 1));
      }
    } finally {
      await bouncer.stop();
    }
  });

  it("do not do again what another has done, before it is due", async () => {
    await using first = await startPeriodicProcess({ url: database.url, tasks: ["one"] });
    await first.saw("finished");
    await using second = await startPeriodicProcess({ url: database.url, tasks: ["one", "two"] });
    await second.saw("finished");
    expect(second.seen.map(({ task }) => task)).not.toContain("one");
    expect(await readTask("one")).toMatchObject({ turn: 1, isDue: false, lastRemoved: first.pid });
  });
});

describe("a holder", () => {
  /** Over in a moment; on a machine that stands still it may lapse before its time, so turns are not counted. */
  const shortTerms = { tasks: ["one"], rightMs: 1_000, gated: true };

  it("that is killed in the middle is followed by another", async () => {
    await using first = await startPeriodicProcess({ url: database.url, ...shortTerms });
    await first.saw("taken");
    await using second = await startPeriodicProcess({ url: database.url, tasks: ["one"] });
    await first.end("SIGKILL");
    const { turn } = await second.saw("finished");
    expect(turn).toBeGreaterThan(1);
    expect(await readTask("one")).toMatchObject({ turn, holder: null, lastRemoved: second.pid, lastError: null });
  });

  it("keeps its turn for as long as it works, however long that is", async () => {
    await using first = await startPeriodicProcess({ url: database.url, tasks: ["one"], rightMs: 10_000, gated: true });
    await first.saw("taken");
    const heldUntil = () =>
      database.db.query<{ at: Date }>(sql`select held_until as at from periodic_tasks where name = 'one'`);
    const [before] = await heldUntil();
    await using second = await startPeriodicProcess({ url: database.url, tasks: ["one", "two"], everyMs: 20 });
    // Past what it was given at first.
    await until(async () => {
      const [row] = await database.db.query<{ past: boolean }>(sql`select now() > ${before?.at} as past`);
      return row?.past;
    });
    expect(second.seen.filter(({ task }) => task === "one")).toEqual([]);
    first.open();
    await first.saw("finished");
    expect(await readTask("one")).toMatchObject({ turn: 1, lastRemoved: first.pid });
  });

  it("that stood still past its right does not write over what the next one has", async () => {
    await using first = await startPeriodicProcess({ url: database.url, ...shortTerms });
    await first.saw("taken");
    await first.pause();
    await using second = await startPeriodicProcess({ url: database.url, tasks: ["one"], gated: true });
    const { turn } = await second.saw("taken");
    expect(turn).toBeGreaterThan(1);
    // Its work is done the moment it wakes up, while the other one is still at it.
    first.open();
    first.resume();
    await first.saw("lost");
    expect(await readTask("one")).toMatchObject({ turn, holder: `pid ${second.pid}`, lastHolder: null });
    second.open();
    await second.saw("finished");
    expect(first.seen.map(({ type }) => type)).not.toContain("finished");
    expect(await readTask("one")).toMatchObject({ turn, lastHolder: `pid ${second.pid}`, lastRemoved: second.pid });
  });

  it("that is told to stop hands its turn on at once", async () => {
    await using first = await startPeriodicProcess({ url: database.url, tasks: ["one"], gated: true });
    await first.saw("taken");
    await using second = await startPeriodicProcess({ url: database.url, tasks: ["one"] });
    // Its right would last for a minute yet.
    await first.end("SIGTERM");
    expect(await second.saw("finished")).toMatchObject({ turn: 2 });
  });
});

describe("a task", () => {
  const happenings: PeriodicHappening[] = [];
  const observe = (happening: PeriodicHappening) => void happenings.push(happening);
  beforeEach(() => happenings.splice(0));

  it("that fails says why, and is tried again sooner than it comes round", async () => {
    let fails = true;
    const run = async () => {
      if (fails) throw new Error("the disk is full");
      return 3;
    };
    const task = { name: "one", everyMs: 24 * 3_600_000, run };
    const work = startPeriodicWork({ db: database.db, tasks: [task], holder: "here", logger, lookMs: 10, observe });
    await until(() => happenings.some(({ type }) => type === "failed"));
    const failed = await readTask("one");
    expect(failed).toMatchObject({
      turn: 1,
      holder: null,
      lastRemoved: null,
      lastError: "the disk is full",
      failures: 1,
    });
    const [again] = await database.db.query<{ soon: boolean }>(
      sql`select due_at < now() + interval '10 minutes' as soon from periodic_tasks`,
    );
    expect(again?.soon).toBe(true);
    fails = false;
    await database.db.query(sql`update periodic_tasks set due_at = now()`);
    await until(() => happenings.some(({ type }) => type === "finished"));
    await work.stop();
    expect(await readTask("one")).toMatchObject({ lastRemoved: 3, lastError: null, failures: 0, isDue: false });
    expect(happenings.map(({ type }) => type)).toEqual(["taken", "failed", "taken", "finished"]);
    expect(happenings[3]).toMatchObject({ task: "one", turn: 2, removed: 3 });
  });

  it("that comes round more often than before is due accordingly", async () => {
    const task = { name: "one", everyMs: 3_600_000, run: async () => 0 };
    await runAllNow({ db: database.db, tasks: [task], holder: "here", logger, stop: never, dryRun: false });
    await registerTasks(database.db, [{ ...task, everyMs: 0 }], databaseClock);
    expect(await readTask("one")).toMatchObject({ isDue: true });
  });

  it("that another process is at is left to it, also by who does all at once", async () => {
    const ran: string[] = [];
    const tasks = ["one", "two"].map((name) => ({ name, everyMs: 1_000, run: async () => ran.push(name) }));
    await registerTasks(database.db, tasks, databaseClock);
    await takeTurn(database.db, ["one"], "elsewhere", { clock: databaseClock, rightMs: 60_000 });
    const results = await runAllNow({ db: database.db, tasks, holder: "here", logger, stop: never, dryRun: false });
    expect(results).toEqual([
      { task: "one", result: "busy", holder: "elsewhere" },
      { task: "two", result: "done", removed: 1 },
    ]);
    expect(ran).toEqual(["two"]);
    const states = await readPeriodicWork(database.db, ["one", "two"], databaseClock);
    expect(states).toMatchObject([
      { name: "one", holder: "elsewhere", waitingMs: 0, lastMsAgo: null },
      { name: "two", holder: null, lastRemoved: 1 },
    ]);
  });
});

describe("statistics", () => {
  it("are refreshed where the server has forgotten them, and nowhere else", async () => {
    const { db } = database;
    await db.query(sql`alter table event_rows set (autovacuum_enabled = false)`);
    await db.query(sql`
      insert into event_rows (stream_id, number, type, data, created_at)
      select gen_random_uuid(), n, 'x', '{}', now() from generate_series(1, 20000) n`);
    const turn = { signal: never, dryRun: false };
    // What a session has done is counted a moment later.
    await until(async () => (await refreshStatistics(db, turn)) === 1);
    const [events] = await db.query<{ rows: number }>(
      sql`select reltuples::integer as rows from pg_class where relname = 'event_rows'`,
    );
    expect(events?.rows).toBe(20_000);
    await until(async () => (await refreshStatistics(db, turn)) === 0);
  });
});

const never = new AbortController().signal;
