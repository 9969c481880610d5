/**
 * BullMQ 6 on its PostgreSQL backend. Limits by group are not in the open edition: a queue for each group with a global
 * concurrency of three stands in for them.
 */
import pg from "pg";
import { loadPeer } from "../../harness/peers.ts";
import { type BenchJob, type Contender, groupLimit, type Workload } from "../contender.ts";

interface Closable {
  close(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

interface Queue extends Closable {
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: BenchJob): Promise<unknown>;
  addBulk(jobs: readonly { name: string; data: BenchJob }[]): Promise<unknown>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  setGlobalConcurrency(concurrency: number): Promise<unknown>;
}

interface Worker extends Closable {
  waitUntilReady(): Promise<unknown>;
}

interface BullMq {
  createPostgresBackend: unknown;
  withBackend(factory: unknown): {
    Queue: new (name: string, options: object) => Queue;
    Worker: new (name: string, work: (job: { data: BenchJob }) => Promise<void>, options: object) => Worker;
  };
}

/** As many groups as the bench has. */
const groups = 100;
const jobName = "bench";

export const bullmq: Contender = {
  name: "bullmq",
  workloads: ["one step", "groups of three"],
  unfinished: "select exists (select from bullmq.job where state in ('waiting', 'active', 'delayed')) as unfinished",

  async install(url) {
    const { Queue } = await load();
    const queue = new Queue("bench", { connection: { connectionString: url, migrate: true } });
    await queue.waitUntilReady();
    await queue.close();
  },

  async openProducer(url, workload) {
    const { Queue } = await load();
    const pool = openPool(url, 10);
    const queues = new Map<string, Queue>();
    for (const name of queueNames(workload)) {
      const queue = new Queue(name, { connection: pool });
      queue.on("error", () => undefined);
      await queue.waitUntilReady();
      if (workload === "groups of three") await queue.setGlobalConcurrency(groupLimit);
      queues.set(name, queue);
    }
    const addMany = async (jobs: readonly BenchJob[]) => {
      for (const [name, some] of Map.groupBy(jobs, (job) => queueOf(job, workload))) {
        await queues.get(name)?.addBulk(some.map((data) => ({ name: jobName, data })));
      }
    };
    return {
      async fill(jobs, openGate) {
        // It cannot add jobs inside a caller's transaction; a paused queue hides them as well.
        await Promise.all([...queues.values()].map((queue) => queue.pause()));
        await addMany(jobs);
        await openGate();
        await Promise.all([...queues.values()].map((queue) => queue.resume()));
      },
      addOne: async (job) => void (await queues.get(queueOf(job, workload))?.add(jobName, job)),
      addMany,
      async close() {
        await Promise.all([...queues.values()].map((queue) => queue.close()));
        await pool.end();
      },
    };
  },

  async startWorker({ url, workload, concurrency }, step) {
    const { Worker } = await load();
    // Each worker keeps one of the pool's connections for LISTEN.
    const pool = openPool(url, queueNames(workload).length + 20);
    const options = { connection: pool, concurrency: workload === "groups of three" ? groupLimit : concurrency };
    const workers = queueNames(workload).map((name) => {
      const worker = new Worker(name, async ({ data }) => step(data), options);
      worker.on("error", () => undefined);
      return worker;
    });
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    return async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await pool.end();
    };
  },
};

function queueNames(workload: Workload): string[] {
  return workload === "groups of three" ? Array.from({ length: groups }, (_, group) => `bench-${group}`) : ["bench"];
}

function queueOf({ group }: BenchJob, workload: Workload): string {
  return workload === "groups of three" ? `bench-${group}` : "bench";
}

function openPool(connectionString: string, max: number): pg.Pool {
  // A pool of the caller's is used as it is, so the schema its tables are in must be on the path.
  const pool = new pg.Pool({ connectionString, max, options: "-c search_path=bullmq" });
  pool.setMaxListeners(0);
  pool.on("error", () => undefined);
  return pool;
}

async function load() {
  const { createPostgresBackend, withBackend } = await loadPeer<BullMq>("bullmq");
  return withBackend(createPostgresBackend);
}
