/** What each contender must be able to do. An adapter is as thin as can be: what is measured is the contender. */

/** What the jobs of a measurement do. */
export const workloads = ["one step", "ten steps", "groups of three", "one effect"] as const;
export type Workload = (typeof workloads)[number];

export const stepsOf: Record<Workload, number> = {
  "one step": 1,
  "ten steps": 10,
  "groups of three": 1,
  "one effect": 1,
};
export const groupLimit = 3;

export interface BenchJob {
  n: number;
  /** For "groups of three": at most three jobs of a group may run at once. */
  group: number;
}

export interface WorkerSettings {
  url: string;
  workload: Workload;
  concurrency: number;
  /** Fetch and complete many at a time, at the best settings known. Without it: one by one, where that is the default. */
  batching: boolean;
  /** How many jobs are fetched at a time where batching is on; each contender has a size that is good for it. */
  fetchSize?: number;
  /** Find work by polling alone, this often. */
  pollOnlyMs?: number;
  /** How soon a silent worker counts as lost. */
  leaseMs?: number;
}

export interface Producer {
  /** Adds all jobs so that workers see them at the same moment: as soon as `open` resolves. */
  fill(jobs: readonly BenchJob[], open: () => Promise<void>): Promise<void>;
  /** The contender's own way to add one job. */
  addOne(job: BenchJob): Promise<void>;
  /** The contender's own way to add many. */
  addMany(jobs: readonly BenchJob[]): Promise<void>;
  close(): Promise<void>;
}

export interface Contender {
  name: string;
  /** Makes its tables. */
  install(url: string): Promise<void>;
  openProducer(url: string, workload: Workload): Promise<Producer>;
  /** Starts working; calls `step` for every step of every job. Answers how to stop. */
  startWorker(settings: WorkerSettings, step: (job: BenchJob) => Promise<void> | void): Promise<() => Promise<void>>;
  /** SQL that answers whether any job is not finished, as `unfinished`. */
  unfinished: string;
  workloads: readonly Workload[];
}
