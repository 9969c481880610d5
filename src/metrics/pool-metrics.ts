/** What is looked at when somebody scrapes: the queue, connections and threads. Nothing is counted in between. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { QueuedKind } from "../jobs/queries/count-queue.ts";
import type { PoolUsage, PoolWatch } from "../threads/thread-pool.ts";
import { createBoundedLabel } from "./bounded-label.ts";

export interface PoolMetrics {
  watchQueue(read: () => Promise<readonly QueuedKind[]>): void;
  watchDatabase(pool: string, usage: () => { total: number; idle: number; waiting: number }): void;
  watchThreads(pool: string): PoolWatch;
}

/** A database that does not answer costs a scrape the numbers of the queue, not all the others. */
const longestReadMs = 3_000;
const mostKinds = 200;

export function createPoolMetrics(registry: Registry): PoolMetrics {
  const databases = new Map<string, Parameters<PoolMetrics["watchDatabase"]>[1]>();
  const pools = new Map<string, () => PoolUsage>();
  const registers = [registry];

  new Gauge({
    name: "docmill_db_connections",
    help: "Connections to the database: in use, idle, and how many callers wait for one. The pool `work` is for jobs and requests, `prepared` for claims and what workers write, `control` for heartbeats.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, usage] of databases) {
        const { total, idle, waiting } = usage();
        this.set({ pool, state: "used" }, total - idle);
        this.set({ pool, state: "idle" }, idle);
        this.set({ pool, state: "waiting" }, waiting);
      }
    },
  });
  new Gauge({
    name: "docmill_threads",
    help: "Threads that look into files, busy and idle, by what they are for.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, usage] of pools) {
        const { threads, busy } = usage();
        this.set({ pool, state: "busy" }, busy);
        this.set({ pool, state: "idle" }, threads - busy);
      }
    },
  });
  new Gauge({
    name: "docmill_thread_tasks_queued",
    help: "Tasks that wait for a thread.",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const [pool, usage] of pools) this.set({ pool }, usage().queued);
    },
  });
  new Counter({
    name: "docmill_threads_killed_total",
    help: "Threads that were ended at work, by reason: TIME_LIMIT, MEMORY_LIMIT, PARSER_CRASHED, CANCELLED and so on.",
    labelNames: ["pool", "reason"],
    registers,
    collect() {
      this.reset();
      for (const [pool, usage] of pools) {
        for (const [reason, count] of Object.entries(usage().killed)) this.inc({ pool, reason }, count);
      }
    },
  });

  return {
    watchQueue: (read) => watchQueue(registry, read),
    watchDatabase: (pool, usage) => void databases.set(pool, usage),
    watchThreads: (pool) => (usage) => void pools.set(pool, usage),
  };
}

function watchQueue(registry: Registry, read: () => Promise<readonly QueuedKind[]>): void {
  const kindOf = createBoundedLabel(mostKinds);
  const registers = [registry];
  // What was true when the database last answered is not shown as if it still were.
  const readOrNothing = () => Promise.race([read(), giveUp()]).catch(() => []);
  new Gauge({
    name: "docmill_queue_jobs",
    help: "Jobs that are pending or running, over all processes, as of a few seconds ago. Reported by docmill serve.",
    labelNames: ["kind", "state"],
    registers,
    async collect() {
      const kinds = await readOrNothing();
      this.reset();
      for (const { kind, pending, running } of kinds) {
        this.inc({ kind: kindOf(kind), state: "pending" }, pending);
        this.inc({ kind: kindOf(kind), state: "running" }, running);
      }
    },
  });
  new Gauge({
    name: "docmill_queue_oldest_seconds",
    help: "How long the oldest job that is due has been waiting, over all processes; 0 where none is due.",
    labelNames: ["kind"],
    registers,
    async collect() {
      const kinds = await readOrNothing();
      this.reset();
      for (const { kind, oldestWaitMs } of kinds) this.set({ kind: kindOf(kind) }, oldestWaitMs / 1000);
    },
  });
}

function giveUp(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error("The database does not answer.")), longestReadMs).unref();
  });
}
