/**
 * How work gets in: single jobs (those that come at the same time share a commit), many at once, and batches. A request
 * may carry an idempotency key; a job may carry a lock key. Either everything of a request is written or nothing.
 */
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { BatchEventType } from "../contract/events.ts";
import type { Clock } from "../db/clock.ts";
import { type Database, isConnectionError, type Queryable, sqlState, type Transaction } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { sql, toJson } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";
import { toDocmillError } from "./errors.ts";
import type { EngineObserver } from "./happenings.ts";
import { newId } from "./new-id.ts";
import type { AnyPipeline, FinishedBatch, NewJob } from "./pipeline.ts";
import { insertJobs, type JobRow } from "./queries/insert-jobs.ts";
import type { WrittenJob } from "./queries/write-jobs.ts";
import type { Registry } from "./registry.ts";
import { rescueLostJobs } from "./rescue-lost-jobs.ts";
import { batchKindTopic, kindTopic } from "./topics.ts";

interface EnqueueOptions {
  /** The same key answers with the same job; with other content it is refused. */
  idempotencyKey?: string;
  /** Write the job inside this transaction; once it has committed, `announce` makes workers look at once. */
  tx?: Transaction;
}

interface NewBatch {
  /** The kind whose `afterBatch` applies when it has ended. */
  pipeline: AnyPipeline;
  /** They all have the batch's priority. */
  jobs: readonly NewJob[];
  /** Chosen beforehand, where something is named after the batch before it is there. */
  id?: string;
  /** Shown with the batch and in its first event: nothing secret. */
  data?: Record<string, unknown>;
  priority?: number;
  /** What an idempotency key stands for, where the jobs' inputs differ between two tries of one request. */
  request?: unknown;
}

interface Enqueued {
  id: string;
  /** False when an idempotency key led to a job that was there already. */
  created: boolean;
}

export interface Enqueuer {
  enqueue(job: NewJob, options?: EnqueueOptions): Promise<Enqueued>;
  enqueueMany(jobs: readonly NewJob[], options?: Pick<EnqueueOptions, "tx">): Promise<string[]>;
  createBatch(batch: NewBatch, options?: EnqueueOptions): Promise<Enqueued & { jobIds: string[] }>;
  /** For who enqueued in a transaction of their own and has committed it. Left out, the next poll finds the jobs. */
  announce(pipeline: Pick<AnyPipeline, "kind">): void;
  /**
   * For who changes jobs: creates those that come with a checkpoint, and those that the end of a batch calls for, and
   * answers the topics to publish once the transaction has committed.
   */
  createFollowUps(
    tx: Transaction,
    newJobs: readonly { job: NewJob; parentId: string }[],
    written: readonly WrittenJob[],
  ): Promise<string[]>;
}

/** Another job holds the lock key. */
export class LockHeld extends DocmillError {
  override readonly name = "LockHeld";
  constructor(lockKey: string, jobId: string | undefined) {
    super("LOCK_HELD", `Job ${jobId ?? "(just ended)"} is active for ${lockKey}. Wait for it, or cancel it first.`, {
      details: { lockKey, jobId },
    });
  }
}

export interface EnqueuerOptions {
  db: Database;
  /** For single jobs. */
  prepared: Database;
  clock: Clock;
  hints: Hints;
  registry: Registry;
  observe?: EngineObserver;
}

const priorityRange = { min: -100, max: 100 };
const maxIdempotencyKey = 255;
/** Each further try means that the key changed hands, or was about to, while we looked. */
const lockTries = 50;
const lockRetryMs = 50;

export function createEnqueuer({ db, prepared, clock, hints, registry, observe }: EnqueuerOptions): Enqueuer {
  const insertShared = shareInserts();

  const enqueuer: Enqueuer = {
    async enqueue(job, options = {}) {
      const row = toRow(job);
      if (options.idempotencyKey === undefined) {
        if (options.tx) {
          await insertAll(options.tx, [row]);
          return { id: row.id, created: true };
        }
        if (row.lockKey) await withLockRetry(row, () => db.transaction((tx) => insertAll(tx, [row])));
        else {
          const enqueued = await insertShared(row);
          observe?.({ type: "created", jobs: [row] });
          return enqueued;
        }
        hints.publish([kindTopic(row.kind)]);
        return { id: row.id, created: true };
      }
      const key = options.idempotencyKey;
      const hash = requestHash([row.kind, row.input, row.priority, row.delayMs]);
      const create = (tx: Transaction) =>
        once(tx, key, hash, { jobId: row.id }, async () => {
          await insertAll(tx, [row]);
        });
      const known = options.tx ? await create(options.tx) : await withLockRetry(row, () => db.transaction(create));
      if (known) return { id: known.jobId as string, created: false };
      if (!options.tx) hints.publish([kindTopic(row.kind)]);
      return { id: row.id, created: true };
    },

    async enqueueMany(jobs, options = {}) {
      const rows = jobs.map((job) => toRow(job));
      if (rows.length === 0) return [];
      if (options.tx) await insertAll(options.tx, rows);
      else {
        await db.transaction((tx) => insertAll(tx, rows));
        hints.publish([...new Set(rows.map(({ kind }) => kindTopic(kind)))]);
      }
      return rows.map(({ id }) => id);
    },

    async createBatch(batch, options = {}) {
      if (batch.jobs.length === 0) throw new DocmillError("EMPTY_BATCH", "A batch needs at least one job.");
      const batchId = batch.id ?? newId();
      const rows = batch.jobs.map((job, index) =>
        toRow({ ...job, priority: batch.priority }, { batchId, sequence: index + 1 }),
      );
      const insert = async (tx: Transaction) => {
        await tx.query(sql`
          insert into batches (id, kind, data, total_jobs, created_at)
          values (${batchId}, ${batch.pipeline.kind}, ${toJson(batch.data ?? {})}::jsonb, ${rows.length}, ${clock.now()})`);
        await insertAll(tx, rows);
      };
      const key = options.idempotencyKey;
      const create = async (tx: Transaction) => {
        if (key === undefined) return insert(tx);
        const hash = requestHash([
          batch.pipeline.kind,
          batch.data ?? {},
          batch.request ?? rows.map(({ kind, input, priority, delayMs }) => [kind, input, priority, delayMs]),
        ]);
        return once(tx, key, hash, { batchId }, () => insert(tx));
      };
      const known = options.tx ? await create(options.tx) : await db.transaction(create);
      if (known) {
        const id = known.batchId as string;
        const jobs = await db.query<{ id: string }>(sql`select id from jobs where batch_id = ${id} order by sequence`);
        return { id, created: false, jobIds: jobs.map((job) => job.id) };
      }
      if (!options.tx) hints.publish([...new Set(rows.map(({ kind }) => batchKindTopic(kind)))]);
      return { id: batchId, created: true, jobIds: rows.map(({ id }) => id) };
    },

    announce: ({ kind }) => hints.publish([kindTopic(kind), batchKindTopic(kind)]),

    async createFollowUps(tx, newJobs, written) {
      const rows = newJobs.map(({ job, parentId }) => toRow(job, { parentId }));
      if (rows.length > 0) await insertAll(tx, rows);
      for (const { batchEnded, batchId } of written) {
        if (batchEnded !== null && batchId !== null) rows.push(...(await followBatch(tx, batchId)));
      }
      return [...new Set(rows.map(({ kind }) => kindTopic(kind)))];
    },
  };
  return enqueuer;

  function toRow(job: NewJob, place: Pick<JobRow, "batchId" | "sequence" | "parentId"> = {}): JobRow {
    const pipeline = registry.get(job.pipeline.kind);
    const input = parseInput(pipeline, job.input);
    const priority = job.priority ?? 0;
    if (!Number.isInteger(priority) || priority < priorityRange.min || priority > priorityRange.max) {
      throw new DocmillError(
        "INVALID_PRIORITY",
        `A priority is a whole number from ${priorityRange.min} to ${priorityRange.max}.`,
      );
    }
    return {
      id: newId(),
      kind: pipeline.kind,
      input: job.input,
      priority,
      delayMs: job.delayMs ?? 0,
      maxAttempts: pipeline.retry.attempts,
      whenLost: pipeline.options.whenLost ?? "retry",
      lockKey: pipeline.options.lockKey?.(input as never),
      perBatch: pipeline.options.perBatch,
      ...place,
    };
  }

  async function insertAll(target: Queryable, rows: readonly JobRow[]): Promise<void> {
    await insertRows(target, rows);
    observe?.({ type: "created", jobs: rows });
  }

  async function insertRows(target: Queryable, rows: readonly JobRow[], hint: string | null = null): Promise<void> {
    if ((await insertJobs(target, rows, clock, hint)) === rows.length) return;
    const keys = rows.flatMap(({ lockKey }) => lockKey ?? []);
    const [holder] = await target.query<{ id: string; lockKey: string }>(sql`
      select id, lock_key from jobs
      where lock_key = any (${keys}::text[]) and status in ('pending', 'running') and not id = any (${rows.map(({ id }) => id)}::uuid[])
      limit 1`);
    throw new LockHeld(holder?.lockKey ?? keys[0] ?? "?", holder?.id);
  }

  /** A holder whose worker died is dealt with at once, and one that ended meanwhile no longer counts. */
  async function withLockRetry<T>(row: JobRow, insert: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await insert();
      } catch (error) {
        if (!(error instanceof LockHeld) || row.lockKey === undefined || tries === lockTries) throw error;
        await rescueLostJobs({ db, clock, hints, createFollowUps: enqueuer.createFollowUps, observe });
        const [holder] = await db.query<{ lost: boolean }>(sql`
          select j.status = 'running' and (w.id is null or w.lost_at is not null or w.lease_expires_at < ${clock.now()}) as lost
          from jobs j left join workers w on w.id = j.worker_id
          where j.id = ${error.details?.jobId ?? null}::uuid and j.status in ('pending', 'running')`);
        if (holder && !holder.lost) throw error;
        // Someone else is just taking the lost holder back.
        if (holder) await clock.wait(lockRetryMs);
      }
    }
  }

  /** What is wrong with a pipeline's follow-up must not undo the end of its batch: it is said in the batch's stream. */
  async function followBatch(tx: Transaction, batchId: string): Promise<JobRow[]> {
    const [batch] = await tx.query<FinishedBatch & { kind: string }>(
      sql`select id, kind, status, data, total_jobs, completed_jobs, failed_jobs from batches where id = ${batchId}`,
    );
    const pipeline = batch && registry.find(batch.kind);
    if (!pipeline) return [];
    try {
      if (batch.status !== "cancelled") await describeEnd(tx, batch, pipeline);
      const jobs = (await pipeline.follow.afterBatch?.(batch, tx)) ?? [];
      const rows = jobs.map((job) => toRow(job));
      if (rows.length > 0) await insertAll(tx, rows);
      return rows;
    } catch (error) {
      if (sqlState(error) !== undefined || isConnectionError(error)) throw error;
      const { code, message } = toDocmillError(error);
      await tx.query(sql`
        with batch as (update batches set last_event = last_event + 1 where id = ${batchId} returning id, last_event)
        insert into event_rows (stream_id, number, type, data, created_at)
        select id, last_event, ${"batch_follow_up_failed" satisfies BatchEventType},
          ${JSON.stringify({ errorCode: code, errorMessage: message })}::jsonb, ${clock.now()} from batch`);
      return [];
    }
  }

  /** The event that tells of the end is the stream's last; nobody has seen it before the transaction commits. */
  async function describeEnd(tx: Transaction, batch: FinishedBatch, { options }: AnyPipeline): Promise<void> {
    if (!options.describeBatch) return;
    const described = await options.describeBatch(batch, tx);
    await tx.query(sql`
      update event_rows e set data = e.data || ${toJson(described)}::jsonb
      from batches b where b.id = ${batch.id} and e.stream_id = b.id and e.number = b.last_event`);
  }

  /** Merges the inserts of callers that come at the same time into one statement and one commit. */
  function shareInserts() {
    let waiting: { row: JobRow; resolve: (enqueued: Enqueued) => void; reject: (error: unknown) => void }[] = [];
    let inserting = false;
    const insertWaiting = async () => {
      inserting = true;
      const batch = waiting;
      waiting = [];
      const rows = batch.map(({ row }) => row);
      const topics = [...new Set(rows.map(({ kind }) => kindTopic(kind)))];
      const hint = hints.inline(topics);
      try {
        await insertRows(prepared, rows, hint);
        for (const { row, resolve } of batch) resolve({ id: row.id, created: true });
        if (hint === null) hints.publish(topics);
        else hints.tellHere(topics);
      } catch (error) {
        // One value that cannot be stored must not fail the jobs that came with it. After a lost connection nobody knows
        // whether the jobs are in: that is the callers' to decide, by key or by looking.
        if (batch.length === 1 || isConnectionError(error)) for (const { reject } of batch) reject(error);
        else
          await Promise.all(
            batch.map(({ row, resolve, reject }) =>
              insertRows(prepared, [row]).then(() => resolve({ id: row.id, created: true }), reject),
            ),
          );
      }
      inserting = false;
      if (waiting.length > 0) void insertWaiting();
    };
    return (row: JobRow) =>
      new Promise<Enqueued>((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        if (!inserting && waiting.length === 1) setImmediate(insertWaiting);
      });
  }
}

/** Checks a job's input against its pipeline, listing every issue. */
function parseInput(pipeline: AnyPipeline, input: unknown): unknown {
  return requireInput(pipeline, pipeline.inputSchema.safeParse(input));
}

/** The input, if it was found to be what its pipeline takes. */
export function requireInput(pipeline: AnyPipeline, parsed: z.ZodSafeParseResult<unknown>): unknown {
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const listed = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  throw new DocmillError("INVALID_INPUT", `The input of "${pipeline.kind}" is invalid: ${listed}`, {
    details: { issues },
  });
}

interface KeyedWork {
  jobId?: string | null;
  batchId?: string | null;
}

/** Runs `create` if the key is new; otherwise answers what the key led to before. Racing callers wait for each other. */
async function once(
  tx: Transaction,
  key: string,
  hash: string,
  work: KeyedWork,
  create: () => Promise<void>,
): Promise<KeyedWork | undefined> {
  if (key.length === 0 || key.length > maxIdempotencyKey) {
    throw new DocmillError("INVALID_IDEMPOTENCY_KEY", `An Idempotency-Key has 1 to ${maxIdempotencyKey} characters.`);
  }
  const inserted = await tx.query(sql`
    insert into idempotency_keys (key, request_hash, job_id, batch_id) values (${key}, ${hash}, ${work.jobId}, ${work.batchId})
    on conflict (key) do nothing returning key`);
  if (inserted.length === 1) {
    await create();
    return undefined;
  }
  const [known] = await tx.query<KeyedWork & { requestHash: string }>(
    sql`select request_hash, job_id, batch_id from idempotency_keys where key = ${key}`,
  );
  if (known?.requestHash !== hash) {
    throw new DocmillError(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key was used before with other content. Use a new key for new work.",
    );
  }
  return known;
}

function requestHash(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}
