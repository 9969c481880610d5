/**
 * pg-boss 12 with big batches, fetched and completed by a loop of ours: its own `work` polls every half second at the
 * soonest, which would measure the poll.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { loadPeer } from "../../harness/peers.ts";
import { type BenchJob, type Contender, groupLimit, type Workload } from "../contender.ts";

interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

interface FetchedJob {
  id: string;
  data: BenchJob;
}

interface Boss {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean }): Promise<void>;
  on(event: "error", listener: (error: Error) => void): void;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: object, options: object): Promise<unknown>;
  insert(name: string, jobs: readonly object[], options?: { db?: Executor }): Promise<unknown>;
  fetch(name: string, options: object): Promise<FetchedJob[]>;
  complete(name: string, ids: readonly string[]): Promise<unknown>;
}

interface PgBossModule {
  PgBoss: new (options: object) => Boss;
}

const queue = "bench";
const usualFetch = 500;
const idleMs = 5;

export const pgBoss: Contender = {
  name: "pg-boss",
  workloads: ["one step", "groups of three"],
  unfinished: "select exists (select from pgboss.job where state < 'completed') as unfinished",

  async install(url) {
    const boss = await open(url, { migrate: true });
    await boss.createQueue(queue, { partition: true });
    await boss.stop({ graceful: false });
  },

  async openProducer(url, workload) {
    const boss = await open(url);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    return {
      async fill(jobs, openGate) {
        const client = await pool.connect();
        await client.query("begin");
        await boss.insert(
          queue,
          jobs.map((job) => ({ data: job, ...groupOf(job, workload) })),
          {
            db: { executeSql: (text, values) => client.query(text, values) },
          },
        );
        await openGate();
        await client.query("commit");
        client.release();
      },
      addOne: async (job) => void (await boss.send(queue, job, groupOf(job, workload))),
      addMany: async (jobs) =>
        void (await boss.insert(
          queue,
          jobs.map((job) => ({ data: job, ...groupOf(job, workload) })),
        )),
      async close() {
        await pool.end();
        await boss.stop({ graceful: false });
      },
    };
  },

  async startWorker({ url, workload, concurrency, batching, fetchSize = usualFetch }, step) {
    const boss = await open(url);
    const stopping = new AbortController();
    const fetch = () =>
      boss.fetch(queue, {
        batchSize: batching ? fetchSize : concurrency,
        ...(workload === "groups of three" ? { groupConcurrency: groupLimit } : {}),
      });
    const work = async () => {
      let next: Promise<FetchedJob[]> | undefined;
      while (!stopping.signal.aborted) {
        const jobs = await (next ?? fetch());
        next = jobs.length > 0 ? fetch() : undefined;
        await Promise.all(jobs.map(({ data }) => step(data)));
        if (jobs.length > 0)
          await boss.complete(
            queue,
            jobs.map(({ id }) => id),
          );
        else await delay(idleMs);
      }
      await next;
    };
    const working = work();
    return async () => {
      stopping.abort();
      await working;
      await boss.stop({ graceful: false });
    };
  },
};

function groupOf({ group }: BenchJob, workload: Workload): object {
  return workload === "groups of three" ? { group: { id: String(group) } } : {};
}

async function open(connectionString: string, options: { migrate: boolean } = { migrate: false }): Promise<Boss> {
  const { PgBoss } = await loadPeer<PgBossModule>("pg-boss");
  const boss = new PgBoss({ connectionString, max: 10, supervise: false, schedule: false, ...options });
  boss.on("error", () => undefined);
  await boss.start();
  return boss;
}
