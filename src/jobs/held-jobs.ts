/** The jobs a worker has claimed and not yet settled: those that run, and those that wait here for a slot. */
import { JobAbort } from "./job-abort.ts";
import type { LeaseHandle } from "./job-writer.ts";
import type { ClaimedJob } from "./queries/claim-jobs.ts";
import { type Hold, leaveHold } from "./reservation.ts";
import { jobOf } from "./topics.ts";

export interface HeldJob {
  job: ClaimedJob;
  handle: LeaseHandle;
  abort: JobAbort;
  claimedAt: number;
}

/** So many that were taken from the list are kept in it at the most. */
const mostTaken = 1_000;

export class HeldJobs {
  readonly #byId = new Map<string, HeldJob>();
  #ready: HeldJob[] = [];
  /** Where the first of those stands that still wait: taking it out of the list would move all others. */
  #next = 0;
  #spentHolds: string[] = [];
  #whenNone: (() => void)[] = [];

  get size(): number {
    return this.#byId.size;
  }

  /** How many of them wait for a slot. */
  get readyCount(): number {
    return this.#ready.length - this.#next;
  }

  ids(): string[] {
    return [...this.#byId.keys()];
  }

  all(): HeldJob[] {
    return [...this.#byId.values()];
  }

  /** What one claim has brought. */
  holdAll(jobs: readonly ClaimedJob[], workerId: string): void {
    const ahead = jobs.filter(({ holdId }) => holdId !== null);
    const hold = ahead[0] && this.#openHold(ahead[0].holdId as string, ahead.length);
    const claimedAt = performance.now();
    for (const job of jobs) {
      const { id: jobId, kind, lease, batchId, limitName, lastEvent, holdId } = job;
      const reservation = hold && holdId !== null ? { hold, startedAt: 0, toldSoon: false } : undefined;
      const handle = { jobId, kind, lease, workerId, batchId, limitName, lastEvent, reservation };
      const entry = { job, handle, abort: new JobAbort(), claimedAt };
      this.#byId.set(jobId, entry);
      this.#ready.push(entry);
    }
  }

  #openHold(id: string, left: number): Hold {
    return { id, left, onEmpty: (spent) => this.#spentHolds.push(spent) };
  }

  /** Holds that no job is in any more, for whoever removes their rows. */
  takeSpentHolds(): string[] {
    return this.#spentHolds.splice(0);
  }

  /** Those that have been running since before then, and of which no row says so, now or soon. */
  untold(startedBefore: number): HeldJob[] {
    const found: HeldJob[] = [];
    for (const entry of this.#byId.values()) {
      const { reservation } = entry.handle;
      if (!reservation || reservation.toldSoon || reservation.startedAt === 0) continue;
      if (reservation.startedAt <= startedBefore) found.push(entry);
    }
    return found;
  }

  takeReady(): HeldJob | undefined {
    const entry = this.#ready[this.#next];
    if (entry !== undefined) this.#next++;
    if (this.#next === this.#ready.length || this.#next >= mostTaken) this.#setReady(this.#ready.slice(this.#next));
    return entry;
  }

  /** Those that have waited for a slot since before then; all of them, if left out. */
  takeAllReady(claimedBefore = Number.POSITIVE_INFINITY): HeldJob[] {
    const { waiting = [], left = [] } = Object.groupBy(this.#ready.slice(this.#next), ({ claimedAt }) =>
      claimedAt < claimedBefore ? "waiting" : "left",
    );
    this.#setReady(left);
    return waiting;
  }

  #setReady(entries: HeldJob[]): void {
    this.#ready = entries;
    this.#next = 0;
  }

  /** One that was seen to be no longer ours before it was started. */
  drop(entry: HeldJob): void {
    leaveHold(entry.handle);
    this.letGo(entry);
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
