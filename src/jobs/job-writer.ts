/**
 * Everything a worker writes for its jobs goes through here. Writes of jobs that run side by side are merged into one
 * statement and one commit: while one is under way the next ones gather, so the batch grows with the load and a lone
 * write never waits.
 *
 * After a lost connection nobody knows whether the last commit landed, or will still land: the server may have the
 * statement and not have come to it. Under a lease only its holder appends to a job's stream, so the stream's length
 * tells; and every write is made on the condition that the stream has the length it had before, so that of a write and
 * its repetition one lands.
 */
import type { Clock } from "../db/clock.ts";
import { type Database, isConnectionError, isDeadlockVictim, isDiskFull, type Transaction } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { sql } from "../db/sql.ts";
import type { FaultPoint } from "./fault-points.ts";
import { transitions } from "./lifecycle.ts";
import type { NewJob } from "./pipeline.ts";
import type { EventWrite, JobWrite } from "./queries/job-write.ts";
import { type WrittenJob, writeJobs } from "./queries/write-jobs.ts";
import { leaveHold, msSinceStart, type Reservation } from "./reservation.ts";

/** A worker's right to one job, as far as this process knows. */
export interface LeaseHandle {
  readonly jobId: string;
  readonly kind: string;
  readonly lease: number;
  readonly workerId: string;
  readonly batchId: string | null;
  readonly limitName: string | null;
  /** The length of the job's stream after the last write that landed. */
  lastEvent: number;
  /** Set while the job's row does not say yet that it was claimed: the next write starts it. */
  reservation: Reservation | undefined;
}

export interface WriteRequest {
  handle: LeaseHandle;
  write: Pick<JobWrite, "change" | "stage" | "skipped" | "items" | "progress" | "events">;
  /** Jobs created with it, in the same transaction. */
  newJobs?: NewJob[];
  /** The author's own writes, in the same transaction; what it returns becomes the output of the stage or item. */
  inTransaction?: (tx: Transaction) => Promise<unknown>;
}

export interface JobWriter {
  /** Resolves to false if the write was refused, because the job is no longer ours. */
  write(request: WriteRequest): Promise<boolean>;
  /** Resolves when everything handed in so far is written or refused. */
  drain(): Promise<void>;
  /** From now on a write that cannot reach the database is not tried again. */
  giveUp(): void;
  /** How many writes have not landed yet. */
  readonly backlog: number;
}

export interface JobWriterOptions {
  db: Database;
  /** For writes that carry no SQL of their authors'. */
  prepared: Database;
  clock: Clock;
  hints: Hints;
  fencing?: boolean;
  /** Creates follow-up jobs inside the given transaction and answers the topics to publish after it: those of the request and those that ended batches call for. */
  createFollowUps: (
    tx: Transaction,
    newJobs: readonly { job: NewJob; parentId: string }[],
    written: readonly WrittenJob[],
  ) => Promise<string[]>;
  /** Whether something follows on the end of a batch, so that a write that may end one needs a transaction around it. */
  followsBatches: boolean;
  onWritten: (jobs: readonly WrittenJob[]) => void;
  faultPoint: FaultPoint;
}

interface Pending extends WriteRequest {
  settle: (landed: boolean) => void;
  reject: (error: unknown) => void;
}

const maxMerged = 2_000;
/** So many writes are worth a statement of their own; fewer wait for those of the jobs that were just answered. */
const worthAStatement = 100;
const retryMs = 200;

export function createJobWriter(options: JobWriterOptions): JobWriter {
  const { db, prepared, clock } = options;
  let queue: Pending[] = [];
  /** Jobs with a write under way: their next one waits, so that each job's writes land in order. */
  const busy = new Set<string>();
  /** What the merged statement on its way writes. */
  let underWay: readonly Pending[] | undefined;
  let givenUp = false;
  let scheduled = false;
  let backlog = 0;
  let solosWaiting = 0;
  let drained: (() => void)[] = [];

  return {
    write(request) {
      return new Promise<boolean>((settle, reject) => {
        backlog++;
        const { handle, write, newJobs, inTransaction } = request;
        if (inTransaction) solosWaiting++;
        if (handle.reservation) handle.reservation.toldSoon = true;
        queue.push({ handle, write, newJobs, inTransaction, settle, reject });
        schedule();
      });
    },
    giveUp() {
      givenUp = true;
    },
    drain: () => (backlog === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
    get backlog() {
      return backlog;
    },
  };

  /** Writes made in the same turn of the event loop go together, those of jobs that were just answered among them. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startNext();
    });
  }

  function startNext(): void {
    if (solosWaiting > 0) for (const solo of takeSolos()) void land([solo]).finally(() => release([solo]));
    if (underWay === undefined) flush();
  }

  function flush(): void {
    const merged = takeMergeable();
    if (merged.length === 0) return;
    underWay = merged;
    const end = () => {
      if (underWay === merged) underWay = undefined;
    };
    const answered = () => {
      end();
      // Before the jobs that were answered go on: PostgreSQL need not wait for them where others are ready.
      if (queue.length >= worthAStatement) flush();
    };
    void land(merged, answered).finally(() => {
      end();
      release(merged);
    });
  }

  /** Writes that carry the author's own SQL run alone: its failure must not undo another job's checkpoint. */
  function takeSolos(): Pending[] {
    const solos = take((pending) => pending.inTransaction !== undefined);
    solosWaiting -= solos.length;
    return solos;
  }

  function takeMergeable(): Pending[] {
    return take((pending) => pending.inTransaction === undefined, true);
  }

  /** The first waiting writes of each job that is not busy, of the wanted sort only; marks their jobs busy. */
  function take(wanted: (pending: Pending) => boolean, many = false): Pending[] {
    const taken: Pending[] = [];
    const blocked = new Set<string>();
    const left: Pending[] = [];
    // A worker may hold a job again while writes of its earlier lease still wait: those never go together.
    const leases = new Map<string, number>();
    for (const pending of queue) {
      const { jobId, lease } = pending.handle;
      const otherLease = (leases.get(jobId) ?? lease) !== lease;
      if (busy.has(jobId) || blocked.has(jobId) || otherLease || !wanted(pending) || taken.length >= maxMerged) {
        blocked.add(jobId);
        left.push(pending);
      } else {
        taken.push(pending);
        leases.set(jobId, lease);
        // What comes after a change of state is a write of its own, for the fence to refuse.
        if (!many || pending.write.change) blocked.add(jobId);
      }
    }
    if (taken.length > 0) queue = left;
    for (const { handle } of taken) busy.add(handle.jobId);
    return taken;
  }

  function release(landed: readonly Pending[]): void {
    for (const { handle } of landed) busy.delete(handle.jobId);
    backlog -= landed.length;
    if (backlog === 0) {
      for (const resolve of drained) resolve();
      drained = [];
    }
    schedule();
  }

  /** `answered` is told as soon as nothing of it is on its way any more. */
  async function land(pendings: readonly Pending[], answered?: () => void): Promise<void> {
    const groups = mergeByJob(pendings);
    try {
      const landed = await writeUntilAnswered(groups);
      answered?.();
      for (const group of groups) {
        const ok = landed.has(group.handle.jobId);
        if (ok) group.handle.lastEvent += eventCount(group);
        // Landed or refused: either way its place in the hold means nothing any more.
        leaveHold(group.handle);
        for (const { settle } of group.members) settle(ok);
      }
    } catch (error) {
      // One unwritable value must not fail the other jobs and items that shared its statement.
      if (groups.length > 1) await Promise.all(groups.map((group) => land(group.members)));
      else if (pendings.length > 1) for (const pending of pendings) await land([pending]);
      else for (const { reject } of pendings) reject(error);
    }
  }

  async function writeUntilAnswered(groups: readonly MergedWrite[]): Promise<Set<string>> {
    const landed = new Set<string>();
    const remaining = () => (landed.size === 0 ? groups : groups.filter(({ handle }) => !landed.has(handle.jobId)));
    for (let inDoubt = false; ; ) {
      try {
        if (inDoubt) for (const id of await findLanded(remaining())) landed.add(id);
        if (remaining().length > 0) for (const { id } of await writeOnce(remaining())) landed.add(id);
        // Refused because the first try has landed after all, just now?
        if (inDoubt && remaining().length > 0) for (const id of await findLanded(remaining())) landed.add(id);
        return landed;
      } catch (error) {
        if (givenUp || !(isConnectionError(error) || isDeadlockVictim(error) || isDiskFull(error))) throw error;
        inDoubt ||= isConnectionError(error);
        await clock.wait(retryMs);
      }
    }
  }

  async function writeOnce(groups: readonly MergedWrite[]): Promise<WrittenJob[]> {
    const [only] = groups;
    await options.faultPoint("commit.before", groups);
    const statement = (target: Pick<Transaction, "query">) => writeJobs(target, groups.map(toJobWrite), options);

    let written: WrittenJob[];
    let topics: string[] = [];
    const finish = async (tx: Transaction, rows: WrittenJob[]) => {
      const landed = new Set(rows.map(({ id }) => id));
      // The author's own SQL may have added some by now.
      const newJobs = groups.flatMap(({ handle: { jobId }, newJobs }) =>
        landed.has(jobId) ? newJobs.map((job) => ({ job, parentId: jobId })) : [],
      );
      topics = await options.createFollowUps(tx, newJobs, rows);
      await options.faultPoint("commit.inside", groups);
      return rows;
    };
    const mayEndBatch = groups.some(({ handle, write }) => handle.batchId !== null && write.change !== undefined);
    const createsJobs = groups.some(({ newJobs }) => newJobs.length > 0);
    if (only?.inTransaction || createsJobs || (options.followsBatches && mayEndBatch)) {
      const target = only?.inTransaction ? db : prepared;
      written = await target.transaction(async (tx) => {
        if (only?.inTransaction) {
          const held = await holdInTransaction(tx, only.handle);
          if (!held) return [];
          await only.inTransaction(tx);
          return finish(tx, await writeJobs(tx, [toJobWrite({ ...only, handle: held })], options));
        }
        return finish(tx, await statement(tx));
      });
    } else {
      const sent = statement(prepared);
      // Its failure is dealt with below, also if it comes while the fault point still takes its time.
      sent.catch(() => undefined);
      await options.faultPoint("commit.inside", groups);
      written = await sent;
    }
    await options.faultPoint("commit.after", groups);
    options.onWritten(written);
    options.hints.publish(topics);
    return written;
  }

  /**
   * The fence for the author's own statements: the row stays locked until the transaction ends. They never run for a job
   * whose row does not say that it runs. Answers the handle as it is inside of the transaction, if the job is still ours.
   */
  async function holdInTransaction(tx: Transaction, handle: LeaseHandle): Promise<LeaseHandle | undefined> {
    if (handle.reservation) {
      const started = await writeJobs(tx, [toJobWrite({ handle, write: { events: [] } })], options);
      return started.length === 1 ? { ...handle, lastEvent: handle.lastEvent + 1, reservation: undefined } : undefined;
    }
    const { jobId, lease, lastEvent } = handle;
    const held =
      options.fencing === false
        ? sql`true`
        : sql`status = 'running' and lease = ${lease} and last_event = ${lastEvent}`;
    const rows = await tx.query(sql`select from jobs where id = ${jobId} and ${held} for no key update`);
    return rows.length === 1 ? handle : undefined;
  }

  async function findLanded(groups: readonly MergedWrite[]): Promise<string[]> {
    // A write without events leaves no trace to go by; it is made again, and its author's SQL is told to expect that.
    const traced = groups.filter((group) => eventCount(group) > 0);
    const expected = traced.map((group) => ({
      id: group.handle.jobId,
      lease: group.handle.lease,
      last_event: group.handle.lastEvent + eventCount(group),
      status: group.write.change ? transitions[group.write.change.transition].to : "running",
    }));
    const rows = await db.query<{ id: string }>(sql`
      select j.id from jobs j
      join json_to_recordset(${JSON.stringify(expected)}) as w (id uuid, lease integer, last_event integer, status text) on w.id = j.id
      where j.lease = w.lease and j.last_event = w.last_event and j.status = w.status`);
    return rows.map(({ id }) => id);
  }
}

export interface MergedWrite extends Omit<WriteRequest, "newJobs"> {
  newJobs: readonly NewJob[];
  members: Pending[];
}

function toJobWrite({ handle, write }: Pick<WriteRequest, "handle" | "write">): JobWrite {
  const { jobId, kind, lease, lastEvent, workerId, limitName, batchId, reservation } = handle;
  return {
    jobId,
    lease,
    afterEvent: lastEvent,
    workerId,
    limitName,
    alone: batchId === null && limitName === null ? { kind } : undefined,
    starts: reservation && { workerId, msAgo: msSinceStart(reservation) },
    change: write.change,
    stage: write.stage,
    skipped: write.skipped,
    items: write.items,
    progress: write.progress,
    events: write.events,
  };
}

/** How many a write adds to the job's stream: a start that was not told yet comes first. */
function eventCount({ handle, write }: Pick<WriteRequest, "handle" | "write">): number {
  return write.events.length + (handle.reservation ? 1 : 0);
}

const noJobs: readonly NewJob[] = [];

/** All writes of one job as one: items and events in order, progress by its latest word. */
function mergeByJob(pendings: readonly Pending[]): MergedWrite[] {
  const merged = new Map<string, MergedWrite>();
  for (const pending of pendings) {
    const { handle, write, newJobs = noJobs, inTransaction } = pending;
    const group = merged.get(handle.jobId);
    if (group) {
      group.members.push(pending);
      group.newJobs = [...group.newJobs, ...newJobs];
      group.write = {
        change: write.change,
        stage: group.write.stage ?? write.stage,
        skipped: [...(group.write.skipped ?? []), ...(write.skipped ?? [])],
        items: [...(group.write.items ?? []), ...(write.items ?? [])],
        progress: { ...group.write.progress, ...write.progress },
        events: appendEvents(group.write.events, write.events),
      };
    } else {
      merged.set(handle.jobId, { handle, write, newJobs, inTransaction, members: [pending] });
    }
  }
  return [...merged.values()];
}

/** Progress that was overtaken before it was written needs no event of its own. */
function appendEvents(events: readonly EventWrite[], more: readonly EventWrite[]): EventWrite[] {
  const [last, first] = [events.at(-1), more[0]];
  const overtaken =
    last?.type === "job_progress" && first?.type === "job_progress" && last.data.message === first.data.message;
  return [...(overtaken ? events.slice(0, -1) : events), ...more];
}
