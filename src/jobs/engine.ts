/** Puts the engine together for one process: what creates work, what people do to it, what reads it, what runs it. */
import { type Clock, databaseClock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import type { Logger } from "../logger.ts";
import { type AbandonOptions, abandonUnstarted } from "./abandon-unstarted.ts";
import { openCallSlots } from "./call-slots.ts";
import { createEnqueuer, type Enqueuer } from "./enqueue.ts";
import type { EngineObserver } from "./happenings.ts";
import { openLedger, type PaidCall } from "./ledger.ts";
import { newId } from "./new-id.ts";
import { createPersonActions, type PersonActions } from "./person-actions.ts";
import type { AnyPipeline } from "./pipeline.ts";
import { forgetBatch } from "./queries/forget-batch.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export interface EngineOptions {
  db: Database;
  /** Connections that keep statements prepared, for those that come with every job; left out, these go through `db` too. */
  prepared?: Database;
  hints: Hints;
  logger: Logger;
  pipelines: readonly AnyPipeline[];
  /** Paid calls under way at once, over all processes; left out, there is no limit. */
  maxPaidCalls?: number;
  clock?: Clock;
  /** Told what happens, for metrics, traces and tests. */
  observe?: EngineObserver;
}

type RunningOptions = Pick<
  WorkerOptions,
  "control" | "version" | "slots" | "leaseMs" | "heartbeatMs" | "pollMs" | "faultPoint" | "fencing"
>;

export interface Engine extends Enqueuer, PersonActions {
  readonly db: Database;
  readonly hints: Hints;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly observe: EngineObserver | undefined;
  /** A paid call that a person asks for, outside of any job. */
  remember<Answer>(call: PaidCall<Answer>, signal: AbortSignal): Promise<Answer>;
  /** Fails jobs that nobody has started and nobody is there to start; answers how many. */
  abandonUnstarted(options: AbandonOptions): Promise<number>;
  /** Removes a batch that has ended; false if there is none. */
  forgetBatch(batchId: string): Promise<boolean>;
  startWorker(options: RunningOptions): Promise<Worker>;
}

export function createEngine(options: EngineOptions): Engine {
  const { db, prepared = db, hints, logger, pipelines, maxPaidCalls, clock = databaseClock, observe } = options;
  const registry = createRegistry(pipelines);
  const enqueuer = createEnqueuer({ db, prepared, clock, hints, registry, observe });
  const actions = createPersonActions({ db, clock, hints, createFollowUps: enqueuer.createFollowUps, observe });
  // No worker has this id: a call that is cut off here may be taken over by anyone at once.
  const caller = newId();
  const callSlots = maxPaidCalls === undefined ? undefined : openCallSlots({ db, clock, max: maxPaidCalls });
  const ledger = openLedger({ db, clock, workerId: () => caller, slots: callSlots, observe });
  return {
    ...enqueuer,
    ...actions,
    db,
    hints,
    clock,
    registry,
    observe,
    remember: (call, signal) => ledger.remember(null, call, signal),
    abandonUnstarted: (jobs) =>
      abandonUnstarted({ db, clock, hints, createFollowUps: enqueuer.createFollowUps, observe }, jobs),
    forgetBatch: (batchId) => forgetBatch(db, batchId),
    startWorker: (running) =>
      startWorker({ ...running, db, prepared, hints, clock, logger, registry, enqueuer, callSlots, observe }),
  };
}
