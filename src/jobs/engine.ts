/** Puts the engine together for one process: what creates work, what people do to it, what reads it, what runs it. */
import { type Clock, databaseClock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import type { Logger } from "../logger.ts";
import { type AbandonOptions, abandonUnstarted } from "./abandon-unstarted.ts";
import { openCallSlots } from "./call-slots.ts";
import { createEnqueuer, type Enqueuer } from "./enqueue.ts";
import { openLedger, type PaidCall } from "./ledger.ts";
import { newId } from "./new-id.ts";
import { createPersonActions, type PersonActions } from "./person-actions.ts";
import type { AnyPipeline } from "./pipeline.ts";
import { forgetBatch } from "./queries/forget-batch.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export interface EngineOptions {
  db: Database;
  hints: Hints;
  logger: Logger;
  pipelines: readonly AnyPipeline[];
  /** Paid calls under way at once, over all processes; left out, there is no limit. */
  maxPaidCalls?: number;
  clock?: Clock;
}

type RunningOptions = Pick<
  WorkerOptions,
  "control" | "version" | "slots" | "leaseMs" | "heartbeatMs" | "pollMs" | "observe" | "faultPoint" | "fencing"
>;

export interface Engine extends Enqueuer, PersonActions {
  readonly db: Database;
  readonly hints: Hints;
  readonly clock: Clock;
  readonly registry: Registry;
  /** A paid call that a person asks for, outside of any job. */
  remember<Answer>(call: PaidCall<Answer>, signal: AbortSignal): Promise<Answer>;
  /** Fails jobs that nobody has started and nobody is there to start; answers how many. */
  abandonUnstarted(options: AbandonOptions): Promise<number>;
  /** Removes a batch that has ended; false if there is none. */
  forgetBatch(batchId: string): Promise<boolean>;
  startWorker(options: RunningOptions): Promise<Worker>;
}

export function createEngine(options: EngineOptions): Engine {
  const { db, hints, logger, pipelines, maxPaidCalls, clock = databaseClock } = options;
  const registry = createRegistry(pipelines);
  const enqueuer = createEnqueuer({ db, clock, hints, registry });
  const actions = createPersonActions({ db, clock, hints, createFollowUps: enqueuer.createFollowUps });
  // No worker has this id: a call that is cut off here may be taken over by anyone at once.
  const caller = newId();
  const callSlots = maxPaidCalls === undefined ? undefined : openCallSlots({ db, clock, max: maxPaidCalls });
  const ledger = openLedger({ db, clock, workerId: () => caller, slots: callSlots });
  return {
    ...enqueuer,
    ...actions,
    db,
    hints,
    clock,
    registry,
    remember: (call, signal) => ledger.remember(null, call, signal),
    abandonUnstarted: (jobs) => abandonUnstarted({ db, clock, hints, createFollowUps: enqueuer.createFollowUps }, jobs),
    forgetBatch: (batchId) => forgetBatch(db, batchId),
    startWorker: (running) => startWorker({ ...running, db, hints, clock, logger, registry, enqueuer, callSlots }),
  };
}
