/**
 * A worker: claims jobs while it has free slots, runs them, keeps its lease, notices what was taken from it, and takes
 * back what dead workers left. Nothing here is needed for correctness by anyone else: kill it at any instant.
 */
import type { Clock } from "../db/clock.ts";
import { type Database, isConnectionError } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import { grownStreams } from "../events/topics.ts";
import type { Logger } from "../logger.ts";
import type { CallSlots } from "./call-slots.ts";
import type { Enqueuer } from "./enqueue.ts";
import { JobCancelled, LeaseLost, ShuttingDown } from "./errors.ts";
import { type FaultPoint, noFaults } from "./fault-points.ts";
import { type EngineObserver, noObserver, type RunOutcome } from "./happenings.ts";
import { type HeldJob, HeldJobs } from "./held-jobs.ts";
import { jobFailed, jobReleased } from "./job-events.ts";
import { describeRun, describeSubject, type RunFields, type RunParts } from "./job-run.ts";
import { createJobWriter, type WriteRequest } from "./job-writer.ts";
import { openLedger } from "./ledger.ts";
import { isGone, thisProcess } from "./process-identity.ts";
import { type ClaimedJob, claimJobs } from "./queries/claim-jobs.ts";
import { findTaken, findUnknown, forgetHolds } from "./queries/held-by-worker.ts";
import { saveLimits } from "./queries/save-limits.ts";
import { tidyTurns } from "./queries/tidy-turns.ts";
import type { WrittenJob } from "./queries/write-jobs.ts";
import type { Registry } from "./registry.ts";
import { rescueLostJobs } from "./rescue-lost-jobs.ts";
import { runJob } from "./run-job.ts";
import { createRunTimes } from "./run-times.ts";
import { createTimers } from "./timers.ts";
import { anyJob, batchKindTopic, kindTopic } from "./topics.ts";
import { untilAnswered } from "./until-answered.ts";
import { lookAround, type Neighbourhood, registerWorker, removeWorker, renewLease } from "./worker-lease.ts";

export interface WorkerOptions {
  db: Database;
  /** For claims, and for what is written for jobs without SQL of their authors'. */
  prepared: Database;
  /** A connection of its own for heartbeats, so that no job can keep them waiting. */
  control: Database;
  registry: Registry;
  enqueuer: Pick<Enqueuer, "createFollowUps">;
  clock: Clock;
  hints: Hints;
  logger: Logger;
  version: string;
  slots: number;
  leaseMs: number;
  heartbeatMs: number;
  pollMs: number;
  /** Where paid calls wait for their turn; left out, they do not. */
  callSlots?: CallSlots;
  observe?: EngineObserver;
  faultPoint?: FaultPoint;
  /** Only the crash test's planted bug turns this off. */
  fencing?: boolean;
}

export interface Worker {
  readonly id: string;
  /** Jobs claimed and not yet settled. */
  readonly holding: number;
  /** Stops claiming, lets jobs reach their next checkpoint within `graceMs`, hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** Claims ahead of free slots as many jobs as the slots finish in this time, so that short jobs never wait for a claim. */
const claimAheadMs = 25;
const maxClaim = 4_000;
/** The row of a job that was claimed ahead and has run for so long says that it runs. Most such jobs are over before. */
const shortRunMs = 10;
/**
 * Jobs that do nothing end without ever leaving the processor to anyone: after so many the next claim and the writes of
 * those that have ended get their turn. Measured: 500 in one go cost a third of the rate, with one process.
 */
const startsPerTurn = 64;
/** A job that was claimed ahead and could not be started for so long is handed back for others. */
const longestWaitMs = 1_000;
const watchMs = 750;
const neighbourCheckMs = 500;
/** Unwritten completions beyond this hold their slots: the database is behind, and claiming more would not help. */
const maxBacklog = 4_000;
const mostInVain = 3;
/** After so long those who had the rest of the queue locked have taken what they wanted; if not, after twice as long. */
const contendedMs = 10;
const longestContendedMs = 250;
const controlRetryMs = 500;
/** How long the last writes of a worker that stops may take to land. */
const longestLandingMs = 5_000;

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { db, prepared, control, clock, hints, logger, registry, slots } = options;
  const observe = options.observe ?? noObserver;
  const faultPoint = options.faultPoint ?? noFaults;
  const identity = thisProcess();
  const kinds = registry.pipelines.map(({ kind, options: { limit } }) => ({ kind, limitName: limit?.name ?? null }));
  const facts = { identity, version: options.version, kinds: kinds.map(({ kind }) => kind), slots };

  const held = new HeldJobs();
  const runTimes = createRunTimes();
  const timers = createTimers();
  let busySlots = 0;
  let claiming = false;
  let claimUnderWay: Promise<void> = Promise.resolve();
  /** Until then a claim whose answer was lost may still land. */
  let inDoubtUntil = 0;
  /** True after a claim that found less than it wanted: not worth asking again before something changes. */
  let dry = false;
  /** Claims in a row that gave nothing: a job that someone else has locked must not keep us asking. */
  let inVain = 0;
  let claimAgain = false;
  let batchesWait = true;
  let startedInTurn = 0;
  let waitingForTurn = false;
  let startsTold: NodeJS.Timeout | undefined;
  let othersWaitedFor: NodeJS.Timeout | undefined;
  let stopping = false;
  let neighbours: Neighbourhood["neighbours"] = [];

  await saveLimits(control, registry);
  let workerId = await registerWorker(control, facts, options);
  const ledger = openLedger({ db, clock, workerId: () => workerId, slots: options.callSlots, observe });
  const writer = createJobWriter({
    db,
    prepared,
    clock,
    hints,
    fencing: options.fencing,
    faultPoint,
    createFollowUps: options.enqueuer.createFollowUps,
    followsBatches: registry.pipelines.some(({ follow, options }) => follow.afterBatch ?? options.describeBatch),
    onWritten,
  });

  const runParts: RunParts = {
    writer,
    ledger,
    clock,
    logger,
    observe,
    read: (statement) => untilAnswered(clock, () => db.query(statement)),
    stopping: () => stopping,
  };

  const unsubscribe = hints.subscribe((changed) => {
    const batchesChanged = changed === null || facts.kinds.some((kind) => changed.has(batchKindTopic(kind)));
    if (batchesChanged) batchesWait = true;
    if (batchesChanged || facts.kinds.some((kind) => changed.has(kindTopic(kind)))) wake();
    if (changed === null || changed.has(anyJob) || held.hasOneOf(changed)) void watch();
  });
  timers.every(options.heartbeatMs, heartbeat);
  timers.every(options.pollMs, poll);
  // Who was claimed since the last look was not taken from us yet, as far as anyone would notice.
  timers.every(watchMs, () => watch(performance.now() - watchMs));
  timers.every(neighbourCheckMs, checkNeighbours);
  await poll();
  await checkNeighbours();
  logger.info({ workerId, slots, kinds: facts.kinds }, "worker started");

  return {
    get id() {
      return workerId;
    },
    get holding() {
      return held.size;
    },
    stop,
  };

  // --- claiming and running ---

  function wake(): void {
    dry = false;
    inVain = 0;
    claimAgain = claiming;
    void claim();
  }

  /** Nobody tells when a lock goes. Unlike after news of more work, claims in vain are counted on. */
  function wakeAfterOthers(): void {
    const waitMs = Math.min(longestContendedMs, contendedMs * 2 ** inVain);
    othersWaitedFor ??= setTimeout(() => {
      othersWaitedFor = undefined;
      dry = false;
      void claim();
    }, waitMs);
  }

  function claim(): Promise<void> {
    const ahead = Math.min(maxClaim, Math.floor((slots * claimAheadMs) / runTimes.meanMs));
    const want = Math.min(maxClaim, slots - busySlots + ahead - held.readyCount);
    // Half a store ahead is enough: asking for single jobs would cost more than they do.
    if (claiming || stopping || dry || want <= ahead / 2 || writer.backlog > maxBacklog || kinds.length === 0)
      return claimUnderWay;
    claiming = true;
    claimUnderWay = claimNow(want);
    return claimUnderWay;
  }

  async function claimNow(want: number): Promise<void> {
    const startedAt = performance.now();
    const startable = Math.max(0, slots - busySlots - held.readyCount);
    const spentHolds = held.takeSpentHolds();
    try {
      const { jobs, more, contended, emptyTurns } = await claimJobs(prepared, {
        workerId,
        kinds,
        count: want,
        ahead: want > startable,
        spentHolds,
        clock,
        batches: batchesWait,
      });
      observe({ type: "claimed", jobs: jobs.length, claimMs: performance.now() - startedAt });
      inVain = jobs.length > 0 ? 0 : inVain + 1;
      dry = jobs.length < want && !(more && jobs.length > 0);
      if (dry && emptyTurns > 0 && inVain <= mostInVain) {
        // Batches that have ended may fill the window a claim looks through, and hide one that has just come.
        await tidyTurns(db, clock);
        dry = false;
      }
      if (dry && contended) wakeAfterOthers();
      held.holdAll(jobs, workerId);
      hints.publish(grownStreams(jobs));
    } catch (error) {
      dry = true;
      inDoubtUntil = performance.now() + options.leaseMs;
      logger.warn({ err: error }, "claim failed; trying again at the next poll");
    } finally {
      claiming = false;
    }
    if (claimAgain) {
      claimAgain = false;
      dry = false;
    }
    startReady();
  }

  function startReady(): void {
    while (!stopping && busySlots < slots && held.readyCount > 0) {
      if (startedInTurn === startsPerTurn) {
        goOnNextTurn();
        return;
      }
      startedInTurn++;
      const entry = held.takeReady() as HeldJob;
      if (entry.abort.aborted) held.drop(entry);
      else void runHeld(entry);
    }
    if (busySlots < slots || held.readyCount === 0) void claim();
  }

  function goOnNextTurn(): void {
    void claim();
    if (waitingForTurn) return;
    waitingForTurn = true;
    setImmediate(() => {
      waitingForTurn = false;
      startedInTurn = 0;
      startReady();
    });
  }

  async function runHeld(entry: HeldJob): Promise<void> {
    const { job, handle, abort, claimedAt } = entry;
    busySlots++;
    const startedAt = performance.now();
    if (handle.reservation) {
      handle.reservation.startedAt = startedAt;
      tellStartsSoon();
    }
    let freed = false;
    const freeSlot = () => {
      if (freed) return;
      freed = true;
      busySlots--;
      runTimes.measure(job.kind, performance.now() - startedAt);
      startReady();
    };
    let outcome: RunOutcome | undefined;
    try {
      outcome = await runJob(job, handle, {
        parts: runParts,
        pipeline: registry.get(job.kind),
        waitMs: job.waitedMs + startedAt - claimedAt,
        abort,
        onHandedIn() {
          // The work is done; the slot need not wait for the commit.
          if (writer.backlog <= maxBacklog) freeSlot();
        },
      });
    } catch (error) {
      await settleAfter(error, entry);
      outcome = isConnectionError(error) ? "lost" : "failed";
    } finally {
      outcome ??= "lost";
      observe({ type: "ended", jobId: job.id, kind: job.kind, outcome, runMs: performance.now() - startedAt });
      held.letGo(entry);
      freeSlot();
    }
  }

  function tellStartsSoon(): void {
    startsTold ??= setTimeout(() => {
      startsTold = undefined;
      tellStarts();
    }, shortRunMs);
  }

  /** Jobs that were claimed ahead and are not over at once: their rows are to say that they run. */
  function tellStarts(): void {
    for (const { job, handle } of held.untold(performance.now() - shortRunMs)) {
      writer.write({ handle, write: { events: [] } }).catch((error: unknown) => {
        logger.warn({ err: error, ...describeHeld(job) }, "the start of a job could not be written");
      });
    }
    if (held.untold(Number.POSITIVE_INFINITY).length > 0) tellStartsSoon();
  }

  function describeHeld(job: ClaimedJob): RunFields {
    const pipeline = registry.get(job.kind);
    return describeRun(job, describeSubject(pipeline, pipeline.inputSchema.safeParse(job.input)));
  }

  /** The end of the job could not be written. Its lease stays, so it is still ours. */
  async function settleAfter(error: unknown, { job, handle }: HeldJob): Promise<void> {
    const about = { err: error, ...describeHeld(job) };
    // The worker stops without its database: the job has done nothing wrong and goes on elsewhere.
    if (isConnectionError(error)) return logger.warn(about, "job is left to its lease");
    // A value PostgreSQL refuses, say.
    logger.error(about, "job could not be settled");
    await writer.write({ handle, write: unsettled(error, job) }).catch((again: unknown) => {
      // Still ours by the table, and nobody runs it: the next poll hands it back.
      inDoubtUntil = performance.now() + options.leaseMs;
      logger.error({ ...about, err: again }, "job will be handed back");
    });
  }

  function onWritten(jobs: readonly WrittenJob[]): void {
    observe({ type: "written", jobs });
    const changed = grownStreams(jobs);
    for (const { kind, batchId, status, was } of jobs) {
      // A freed place may be what someone's next job waits for, here or elsewhere.
      if (status === was) continue;
      if (batchId !== null) changed.push(batchKindTopic(kind));
      else if (status === "pending" || registry.find(kind)?.options.limit) changed.push(kindTopic(kind));
    }
    hints.publish([...new Set(changed)]);
  }

  // --- keeping the lease, noticing what is gone ---

  async function heartbeat(): Promise<void> {
    try {
      if (await renewLease(control, { id: workerId, stopping, durations: runTimes.byKind }, options)) return;
      logger.warn({ workerId, jobs: held.size }, "lease lost: others have taken this worker's jobs back");
      observe({ type: "lost" });
      for (const { abort, job } of held.all()) abort.abort(new LeaseLost(job.id));
      for (const entry of held.takeAllReady()) held.letGo(entry);
      workerId = await registerWorker(control, facts, options);
    } catch (error) {
      if (!isConnectionError(error)) logger.error({ err: error }, "heartbeat failed");
      await clock.wait(controlRetryMs);
      if (!stopping) await heartbeat();
    }
  }

  async function poll(): Promise<void> {
    if (performance.now() < inDoubtUntil) await handBackUnknown();
    wake();
    handBackWaiting();
    try {
      const around = await lookAround(control, { id: workerId, ...facts }, clock);
      neighbours = around.neighbours;
      if (around.batchesWait !== batchesWait) {
        batchesWait = around.batchesWait;
        wake();
      }
      if (around.someLost) await rescue([]);
      if (around.someLookedEmpty) await tidyTurns(control, clock);
    } catch (error) {
      if (!isConnectionError(error)) logger.error({ err: error }, "looking for lost jobs failed");
    }
  }

  async function checkNeighbours(): Promise<void> {
    const gone = neighbours.filter((neighbour) => isGone(neighbour, identity)).map(({ id }) => id);
    if (gone.length === 0) return;
    neighbours = neighbours.filter(({ id }) => !gone.includes(id));
    await rescue(gone).catch((error: unknown) =>
      logger.warn({ err: error }, "rescue failed; trying again at the next poll"),
    );
  }

  async function rescue(gone: readonly string[]): Promise<void> {
    const jobs = await rescueLostJobs({
      db: control,
      clock,
      hints,
      createFollowUps: options.enqueuer.createFollowUps,
      gone,
      observe,
    });
    if (jobs > 0) logger.info({ jobs }, "jobs of lost workers taken back");
  }

  /** Finds the jobs that are no longer ours and aborts them. */
  async function watch(before = Number.POSITIVE_INFINITY): Promise<void> {
    // The answer is about these: by then we may hold one of the jobs again, under a new lease.
    const ours = held.all().filter(({ abort, claimedAt }) => !abort.aborted && claimedAt <= before);
    if (ours.length === 0) return;
    const aborts = new Map(ours.map(({ job, abort }) => [job.id, abort]));
    try {
      const taken = await findTaken(
        control,
        ours.map(({ job }) => job),
      );
      for (const { id, status } of taken) {
        // Those whose last write is just landing are not running either; they need no abort, and mind none.
        aborts.get(id)?.abort(status === "cancelled" ? new JobCancelled(id) : new LeaseLost(id));
      }
    } catch (error) {
      if (!isConnectionError(error)) logger.error({ err: error }, "watching running jobs failed");
    }
  }

  /** Jobs claimed ahead that no slot has come free for are better off with another worker. */
  function handBackWaiting(): void {
    const waiting = held.takeAllReady(performance.now() - longestWaitMs);
    if (waiting.length === 0) return;
    runTimes.distrust();
    for (const entry of waiting) void release(entry, "no slot came free");
  }

  /** Jobs that a claim took without our hearing of it are ours by the table, and nobody runs them. */
  async function handBackUnknown(): Promise<void> {
    await claimUnderWay;
    if (claiming) return;
    claiming = true;
    try {
      for (const unknown of await findUnknown(control, workerId, held.ids())) {
        const event = jobReleased("the claim's answer was lost", unknown.lease);
        await writer.write({ handle: unknown, write: { change: { transition: "release" }, events: [event] } });
      }
      await forgetHolds(control, workerId);
    } catch (error) {
      if (!isConnectionError(error)) logger.error({ err: error }, "handing back unknown jobs failed");
    } finally {
      claiming = false;
    }
  }

  async function release(entry: HeldJob, reason: string): Promise<void> {
    const { job, handle } = entry;
    const write: WriteRequest["write"] = {
      change: { transition: "release" },
      events: [jobReleased(reason, job.lease)],
    };
    await writer.write({ handle, write }).catch((error: unknown) => {
      logger.warn({ err: error, ...describeHeld(job) }, "job is left to its lease");
    });
    held.letGo(entry);
  }

  // --- stopping ---

  async function stop(graceMs: number): Promise<void> {
    stopping = true;
    unsubscribe();
    await heartbeat();
    // What no longer needs waiting for must not keep the process from ending.
    const over = new AbortController();
    await Promise.race([claimUnderWay, clock.wait(longestLandingMs, over.signal)]);
    const handedBack = held.takeAllReady().map((entry) => release(entry, "worker shutting down"));
    const graceful = held.untilNone();
    await Promise.race([graceful, clock.wait(graceMs, over.signal)]);
    for (const { abort } of held.all()) abort.abort(new ShuttingDown());
    // A stage that ignores its signal is not waited for: its job is handed back, and the fence keeps its writes out.
    await Promise.race([graceful, clock.wait(Math.min(graceMs, longestWaitMs), over.signal)]);
    handedBack.push(...held.all().map((entry) => release(entry, "worker shutting down")));
    // Without a database nothing can be handed back; the leases run out instead.
    const landed = Promise.allSettled(handedBack).then(() => writer.drain());
    await Promise.race([landed, clock.wait(longestLandingMs, over.signal)]);
    over.abort();
    writer.giveUp();
    timers.stop();
    clearTimeout(startsTold);
    clearTimeout(othersWaitedFor);
    await removeWorker(control, workerId).catch((error: unknown) => {
      logger.warn({ err: error, workerId }, "the database is away; jobs held here go on once their lease has run out");
    });
    logger.info({ workerId }, "worker stopped");
  }
}

function unsettled(error: unknown, job: ClaimedJob): WriteRequest["write"] {
  const message = error instanceof Error ? error.message : String(error);
  const failure = {
    code: "NOT_STORABLE",
    message: `The end of the job could not be stored: ${message}`,
    retryable: false,
  };
  return { change: { transition: "fail", error: failure }, events: [jobFailed(failure, job.attempts, job.lease)] };
}
