/** Retention by the engine: what ended long ago goes with all it had, in portions, and nothing else goes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { removeEndedSessions, removeOldAuditEntries } from "../../src/access/remove-old-access.ts";
import { databaseClock } from "../../src/db/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { type Ledger, openLedger } from "../../src/jobs/ledger.ts";
import { newId } from "../../src/jobs/new-id.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { removeOldAnswers } from "../../src/jobs/remove-old-answers.ts";
import { removeOldJobs } from "../../src/jobs/remove-old-jobs.ts";
import { type EnginePlace, openEnginePlace } from "../support/engine-place.ts";
import { insertPastJobs, type PastJob } from "../support/jobs-of-the-past.ts";
import { raceInProcesses } from "../support/race-in-processes.ts";

const plain = pipeline("plain", { input: z.object({}) }).stage("do", () => null);
const precious = pipeline("precious", {
  input: z.object({}),
  stillNeeded: sql`exists (select from treasures t where t.job_id = j.id)`,
}).stage("do", () => null);

const aDayMs = 24 * 3_600_000;
const longAgo = Date.now() - 60 * aDayMs;
const lately = Date.now() - 5 * aDayMs;
const never = new AbortController().signal;
const terms = { keepMs: 30 * aDayMs, signal: never, portion: 7 };

let place: EnginePlace;
beforeEach(async () => {
  place = await openEnginePlace({ pipelines: [plain, precious] });
  await place.db.query(sql`create table treasures (job_id uuid primary key)`);
});
afterEach(() => place.close());

/** Jobs with everything that a job leaves behind. */
async function insertFull(jobs: readonly PastJob[]): Promise<string[]> {
  const ids = await insertPastJobs(
    place.db,
    jobs.map((job) => ({ kind: "plain", ...job })),
  );
  const all = sql`unnest(${ids}::uuid[]) as job (id)`;
  await place.db.query(sql`
    with stages as (insert into job_stages (job_id, name, lease, started_at, finished_at) select id, 'do', 1, now(), now() from ${all}),
    items as (insert into job_items (job_id, stage, key, done, lease, finished_at) select id, 'do', '1', true, 1, now() from ${all}),
    errors as (insert into job_errors (job_id, lease, attempt, code, message, retryable, created_at) select id, 1, 1, 'X', 'x', true, now() from ${all}),
    keys as (insert into idempotency_keys (key, request_hash, job_id) select 'of ' || id, 'h', id from ${all}),
    answers as (insert into ledger (key, provider, model, caller, answer, answered_at) select 'for ' || id, 'p', 'm', id, '1', now() from ${all}),
    happened as (insert into events (stream_id, number, type, data, created_at) select id, n, 'x', '{}', now() from ${all}, generate_series(1, 3) n)
    select 1`);
  await place.db.query(sql`insert into ledger_uses (job_id, key, paid) select id, 'for ' || id, 1 from ${all}`);
  await place.db.query(sql`update jobs set last_event = 3 where id = any (${ids}::uuid[])`);
  return ids;
}

/** The jobs that have rows in each table. */
async function owners(): Promise<Record<string, string[]>> {
  const tables = {
    jobs: sql`select id from jobs`,
    stages: sql`select job_id as id from job_stages`,
    items: sql`select job_id as id from job_items`,
    errors: sql`select job_id as id from job_errors`,
    keys: sql`select job_id as id from idempotency_keys`,
    uses: sql`select job_id as id from ledger_uses`,
    events: sql`select stream_id as id from events group by stream_id having count(*) >= 3`,
  };
  const lists = Object.entries(tables).map(async ([name, select]) => {
    const rows = await place.db.query<{ id: string }>(select);
    return [name, rows.map(({ id }) => id).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(lists));
}

async function expectLeft(ids: readonly string[]): Promise<void> {
  const left = [...ids].sort();
  for (const [table, found] of Object.entries(await owners())) expect(found, table).toEqual(left);
}

describe("old jobs", () => {
  it("go with all they had, a portion at a time; young and unfinished ones stay", async () => {
    const old = await insertFull(
      Array.from({ length: 20 }, (_, n) => ({
        createdAt: longAgo + n,
        endedAt: longAgo + 1_000,
        status: (["completed", "failed", "cancelled"] as const)[n % 3],
      })),
    );
    const kept = await insertFull([
      { createdAt: longAgo + 3, endedAt: lately },
      { createdAt: longAgo + 5 },
      { createdAt: lately, endedAt: lately, status: "failed" },
      { createdAt: Date.now() },
    ]);
    expect(await removeOldJobs(place.engine, { ...terms, dryRun: true })).toBe(20);
    await expectLeft([...old, ...kept]);
    expect(await removeOldJobs(place.engine, terms)).toBe(20);
    await expectLeft(kept);
    expect(await removeOldJobs(place.engine, terms)).toBe(0);
    // Answers are anyone's; they have a time of their own.
    expect(await place.db.query(sql`select from ledger`)).toHaveLength(24);
  });

  it("stay while their pipeline needs them, or where nobody knows it", async () => {
    const jobs = await insertFull([
      { createdAt: longAgo, endedAt: longAgo, kind: "precious" },
      { createdAt: longAgo, endedAt: longAgo, kind: "precious" },
      { createdAt: longAgo, endedAt: longAgo, kind: "of_someone_else" },
    ]);
    const [needed, , unknown] = jobs as [string, string, string];
    await place.db.query(sql`insert into treasures (job_id) values (${needed})`);
    expect(await removeOldJobs(place.engine, terms)).toBe(1);
    await expectLeft([needed, unknown]);
    await place.db.query(sql`delete from treasures`);
    expect(await removeOldJobs(place.engine, terms)).toBe(1);
    await expectLeft([unknown]);
  });

  it("that someone starts again at the same moment are there as a whole, or gone as a whole", async () => {
    const ids = await insertFull(
      Array.from({ length: 120 }, (_, n) => ({
        createdAt: longAgo + n,
        endedAt: longAgo + 500,
        status: "failed" as const,
      })),
    );
    const retry = (id: string) =>
      place.engine.retryJob(id).then(
        () => "retried",
        (error: { code: string }) => error.code,
      );
    const [removed, ...answers] = await Promise.all([
      removeOldJobs(place.engine, { ...terms, portion: 30 }),
      ...ids.toReversed().map(retry),
    ]);
    expect(answers.filter((answer) => answer !== "retried" && answer !== "NOT_FOUND")).toEqual([]);
    const retried = ids.toReversed().filter((_, index) => answers[index] === "retried");
    expect(removed).toBe(ids.length - retried.length);
    await expectLeft(retried);
    const pending = await place.db.query(sql`select from jobs where status = 'pending'`);
    expect(pending).toHaveLength(retried.length);
  });

  it("are removed once, by however many processes at once", async () => {
    await insertFull(Array.from({ length: 300 }, (_, n) => ({ createdAt: longAgo + n, endedAt: longAgo + 500 })));
    const file = import.meta.resolve("../fixtures/races/remove-old-jobs.ts");
    const outcomes = await raceInProcesses(3, file, { url: place.url, kinds: ["plain"], keepMs: terms.keepMs });
    const removed = outcomes.map(({ answer }) => answer as number);
    expect(removed.reduce((sum, one) => sum + one, 0)).toBe(300);
    await expectLeft([]);
  });
});

describe("old batches", () => {
  async function insertBatch(jobs: number, endedAt: number, kind = "plain"): Promise<string[]> {
    const batchId = newId().replace(/^.{13}/, "01000000-0000");
    await place.db.query(sql`
      insert into batches (id, kind, status, total_jobs, completed_jobs, completed_at, last_event)
      values (${batchId}, ${kind}, 'completed', ${jobs}, ${jobs}, ${new Date(endedAt)}, 1)`);
    await place.db.query(
      sql`insert into events (stream_id, number, type, data, created_at) values (${batchId}, 1, 'x', '{}', now())`,
    );
    await place.db.query(
      sql`insert into idempotency_keys (key, request_hash, batch_id) values (${batchId}, 'h', ${batchId})`,
    );
    const ids = await insertFull(
      Array.from({ length: jobs }, (_, n) => ({
        createdAt: longAgo + batches * 1_000 + n,
        endedAt: longAgo + batches * 1_000 + n,
        kind,
        batchId,
        sequence: n + 1,
      })),
    );
    batches++;
    return [batchId, ...ids];
  }
  let batches = 0;

  it("go as a whole, large ones in portions, and not before the last of them has ended long ago", async () => {
    const [large] = await insertBatch(25, longAgo);
    const [small] = await insertBatch(2, longAgo);
    const [young, ...kept] = await insertBatch(3, lately);
    expect(await removeOldJobs(place.engine, { ...terms, dryRun: true })).toBe(27);
    expect(await removeOldJobs(place.engine, terms)).toBe(27);
    const left = await place.db.query<{ id: string }>(sql`select id from batches`);
    expect(left).toEqual([{ id: young }]);
    const streams = await place.db.query(sql`select from events where stream_id in (${large}, ${small})`);
    expect(streams).toEqual([]);
    const keys = await place.db.query(sql`select from idempotency_keys where batch_id is not null`);
    expect(keys).toHaveLength(1);
    const jobs = await place.db.query<{ id: string }>(sql`select id from jobs order by id`);
    expect(jobs.map(({ id }) => id)).toEqual(kept.sort());
  });

  it("stay while one of their jobs is needed", async () => {
    const [, first] = await insertBatch(10, longAgo, "precious");
    await place.db.query(sql`insert into treasures (job_id) values (${first})`);
    expect(await removeOldJobs(place.engine, terms)).toBe(0);
    await place.db.query(sql`delete from treasures`);
    expect(await removeOldJobs(place.engine, terms)).toBe(10);
  });
});

describe("old answers", () => {
  const keep = { keepMs: 365 * aDayMs, signal: never, portion: 7 };
  const call = (input: string, answer: () => string) => ({
    provider: "acme",
    model: "reader",
    input,
    call: async () => ({ answer: answer() }),
  });
  const openOne = (): Ledger => openLedger({ db: place.db, clock: databaseClock, workerId: () => caller });
  const caller = newId();
  const age = () =>
    place.db.query(sql`
      update ledger set created_at = created_at - interval '2 years', answered_at = answered_at - interval '2 years'`);
  const keys = async () => (await place.db.query<{ key: string }>(sql`select key from ledger`)).map(({ key }) => key);

  it("go unless a job that is there has used them, or someone is just paying for them", async () => {
    const [unfinished, ended] = await insertPastJobs(place.db, [
      { createdAt: longAgo, kind: "plain" },
      { createdAt: longAgo, endedAt: longAgo, kind: "plain" },
    ]);
    const ledger = openOne();
    for (let n = 0; n < 15; n++)
      await ledger.remember(
        null,
        call(`unused ${n}`, () => "a"),
        never,
      );
    await ledger.remember(
      unfinished as string,
      call("in use", () => "b"),
      never,
    );
    await ledger.remember(
      ended as string,
      call("was used", () => "c"),
      never,
    );
    await place.db.query(sql`
      insert into workers (id, host, boot_id, pid_namespace, pid, process_started, version, kinds, slots, lease_expires_at)
      values (${caller}, 'h', 'b', 'n', 1, 's', 'v', '{}', 1, now() + interval '1 hour')`);
    await place.db.query(sql`
      insert into ledger (key, provider, model, caller) values ('under way', 'p', 'm', ${caller}), ('left', 'p', 'm', ${newId()})`);
    await age();
    await ledger.remember(
      null,
      call("young", () => "d"),
      never,
    );
    expect(await removeOldAnswers(place.engine, { ...keep, dryRun: true })).toBe(16);
    expect(await keys()).toHaveLength(20);
    expect(await removeOldAnswers(place.engine, keep)).toBe(16);
    expect(await keys()).toHaveLength(4);
    expect(await keys()).toContain("under way");
    // Once the job goes, so may what it has used.
    await removeOldJobs(place.engine, terms);
    expect(await removeOldAnswers(place.engine, keep)).toBe(1);
    expect(
      await openOne().remember(
        unfinished as string,
        call("in use", () => "paid twice"),
        never,
      ),
    ).toBe("b");
  });

  it("that a job finds at the same moment are either used and kept, or paid for again", async () => {
    const inputs = Array.from({ length: 150 }, (_, n) => `input ${n}`);
    for (const input of inputs)
      await openOne().remember(
        null,
        call(input, () => "old"),
        never,
      );
    await age();
    const [job] = await insertPastJobs(place.db, [{ createdAt: longAgo, kind: "plain" }]);
    const ledger = openOne();
    const [removed, ...answers] = await Promise.all([
      removeOldAnswers(place.engine, { ...keep, portion: 40 }),
      ...inputs.toReversed().map((input) =>
        ledger.remember(
          job as string,
          call(input, () => "new"),
          never,
        ),
      ),
    ]);
    expect(answers.filter((answer) => answer === "new")).toHaveLength(removed);
    expect(await keys()).toHaveLength(inputs.length);
    const uses = await place.db.query(sql`select from ledger_uses where job_id = ${job}`);
    expect(uses).toHaveLength(inputs.length);
  });
});

describe("access", () => {
  it("forgets sessions that have ended and audit entries that are old", async () => {
    const { db } = place;
    const keyId = newId();
    await db.query(sql`
      insert into api_keys (id, name, scope, prefix, secret_hash) values (${keyId}, 'k', 'admin', 'p', sha256('x'))`);
    await db.query(sql`
      insert into sessions (token_hash, key_id, expires_at)
      select sha256(n::text::bytea), ${keyId}, now() + (n - 600) * interval '1 minute' from generate_series(1, 605) n`);
    await db.query(sql`
      insert into audit_log (at, action) select now() - (700 - n) * interval '1 day' - interval '1 hour', 'a' from generate_series(1, 700) n`);
    const both = async (dryRun: boolean) => [
      await removeEndedSessions(db, { signal: never, dryRun }),
      await removeOldAuditEntries(db, { keepMs: 100 * aDayMs, signal: never, dryRun }),
    ];
    expect(await both(true)).toEqual([600, 600]);
    expect(await both(false)).toEqual([600, 600]);
    expect(await both(false)).toEqual([0, 0]);
    expect(await db.query(sql`select from sessions`)).toHaveLength(5);
    expect(await db.query(sql`select from audit_log`)).toHaveLength(100);
  });
});
