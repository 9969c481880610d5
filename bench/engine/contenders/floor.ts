/** The floor: hand-written batched SQL without leases, fencing, retries or events. Nothing durable is faster. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { withClient } from "../../harness/server.ts";
import { type BenchJob, type Contender, groupLimit, stepsOf, type WorkerSettings } from "../contender.ts";
import { shareWrites } from "../share-writes.ts";
import * as statements from "./floor-sql.ts";

interface Claimed {
  id: string;
  payload: BenchJob;
}

const usualFetch = 500;
const idleMs = 5;

export const floor: Contender = {
  name: "floor",
  workloads: ["one step", "ten steps", "groups of three"],
  unfinished: "select exists (select from floor_jobs where state in (0, 1)) as unfinished",

  install: (url) => withClient(url, async (client) => void (await client.query(statements.tables))),

  async openProducer(url) {
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    const add = async (target: pg.Pool | pg.PoolClient, jobs: readonly BenchJob[]) => {
      const groups = jobs.map(({ group }) => group);
      await target.query(statements.addGroups, [[...new Set(groups)]]);
      await target.query(statements.addMany, [groups, jobs.map((job) => JSON.stringify(job))]);
    };
    const addShared = shareWrites((jobs: BenchJob[]) => add(pool, jobs));
    return {
      async fill(jobs, openGate) {
        const client = await pool.connect();
        await client.query("begin");
        await add(client, jobs);
        await openGate();
        await client.query("commit");
        client.release();
      },
      addOne: addShared,
      addMany: (jobs) => add(pool, jobs),
      close: () => pool.end(),
    };
  },

  async startWorker(settings, step) {
    const pool = new pg.Pool({ connectionString: settings.url, max: 4 });
    const stopping = new AbortController();
    const running = work(pool, settings, step, stopping.signal);
    return async () => {
      stopping.abort();
      await running;
      await pool.end();
    };
  },
};

type Step = (job: BenchJob) => Promise<void> | void;

async function work(pool: pg.Pool, settings: WorkerSettings, step: Step, signal: AbortSignal): Promise<void> {
  const { workload, concurrency, fetchSize = usualFetch } = settings;
  const grouped = workload === "groups of three";
  const size = settings.batching ? fetchSize : concurrency;
  const claim = async (): Promise<Claimed[]> => {
    const found = grouped
      ? await pool.query<Claimed>(statements.claimInGroups, [process.pid, size, groupLimit])
      : await pool.query<Claimed>(statements.claim, [process.pid, size]);
    return found.rows;
  };
  const complete = shareWrites((jobs: Claimed[]) => {
    const ids = jobs.map(({ id }) => id);
    return grouped
      ? pool.query(statements.completeInGroups, [ids, jobs.map(({ payload }) => payload.group)])
      : pool.query(statements.complete, [ids]);
  });
  const save = shareWrites((saved: { id: string; number: number; last: boolean }[]) =>
    pool.query(statements.saveSteps, [
      saved.map(({ id }) => id),
      saved.map(({ number }) => number),
      saved.flatMap(({ id, last }) => (last ? [id] : [])),
    ]),
  );
  const run = async (job: Claimed) => {
    const steps = stepsOf[workload];
    if (steps === 1) {
      await step(job.payload);
      return complete(job);
    }
    for (let number = 1; number <= steps; number++) {
      await step(job.payload);
      await save({ id: job.id, number, last: number === steps });
    }
  };

  // Claims ahead while the jobs before are still being completed, never more than one batch.
  let next: Promise<Claimed[]> | undefined;
  const busy = new Set<Promise<void>>();
  while (!signal.aborted) {
    const jobs = await (next ?? claim());
    next = jobs.length > 0 ? claim() : undefined;
    for (const job of jobs) {
      const done = run(job).finally(() => busy.delete(done));
      busy.add(done);
      while (busy.size >= Math.max(concurrency, settings.batching ? 2 * size : 0)) await Promise.race(busy);
    }
    if (jobs.length === 0) await delay(idleMs);
  }
  await next;
  await Promise.all(busy);
}
