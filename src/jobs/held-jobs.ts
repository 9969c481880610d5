/** The jobs a worker has claimed and not yet settled: those that run, and those that wait here for a slot. */
import { JobAbort } from "./job-abort.ts";
import type { LeaseHandle } from "./job-writer.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import { jobOf } from "./topics.ts";

export interface HeldJob {
  job: ClaimedJob;
  handle: LeaseHandle;
  abort: JobAbort;
  claimedAt: number;
}

export class HeldJobs {
  readonly #byId = new Map<string, HeldJob>();
  #ready: HeldJob[] = [];
  #whenNone: (() => void)[] = [];

  get size(): number {
    return this.#byId.size;
  }

  /** How many of them wait for a slot. */
  get readyCount(): number {
    return this.#ready.length;
  }

  ids(): string[] {
    return [...this.#byId.keys()];
  }

  all(): HeldJob[] {
    return [...this.#byId.values()];
  }

  hold(job: ClaimedJob, workerId: string): void {
    const { id: jobId, kind, lease, batchId, limitName, lastEvent } = job;
    const handle = { jobId, kind, lease, workerId, batchId, limitName, lastEvent };
    const entry = { job, handle, abort: new JobAbort(), claimedAt: performance.now() };
    this.#byId.set(jobId, entry);
    this.#ready.push(entry);
  }

  takeReady(): HeldJob | undefined {
    return this.#ready.shift();
  }

  /** Those that have waited for a slot since before then; all of them, if left out. */
  takeAllReady(claimedBefore = Number.POSITIVE_INFINITY): HeldJob[] {
    const { waiting = [], left = [] } = Object.groupBy(this.#ready, ({ claimedAt }) =>
      claimedAt < claimedBefore ? "waiting" : "left",
    );
    this.#ready = left;
    return waiting;
  }

  /** The same job may be held again by now, under a later lease: that one stays. */
  letGo(entry: HeldJob): void {
    if (this.#byId.get(entry.job.id) === entry) this.#byId.delete(entry.job.id);
    if (this.#byId.size === 0) for (const resolve of this.#whenNone.splice(0)) resolve();
  }

  /** Whether one of the jobs that were taken from their workers, by these topics, is here. */
  hasOneOf(topics: ReadonlySet<string>): boolean {
    for (const topic of topics) {
      const jobId = jobOf(topic);
      if (jobId !== undefined && this.#byId.has(jobId)) return true;
    }
    return false;
  }

  untilNone(): Promise<void> {
    return this.#byId.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenNone.push(resolve));
  }
}
