/** Docmill as it ships: leases, fencing, events and hints on. */
// biome-ignore lint/correctness/noUndeclaredDependencies: the project's own, not a second copy of bench/.
import { z } from "zod";
import { openDatabase, openPreparedDatabase, type Transaction } from "../../../src/db/database.ts";
import { openHints } from "../../../src/db/hints.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { createEngine } from "../../../src/jobs/engine.ts";
import { type AnyPipeline, type Pipeline, pipeline } from "../../../src/jobs/pipeline.ts";
import { writeEffect } from "../../../test/support/effects.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { type BenchJob, type Contender, groupLimit, stepsOf, type Workload, workloads } from "../contender.ts";

const input = z.object({ n: z.number(), group: z.number() });
type Step = (job: BenchJob) => Promise<void> | void;

export const docmill: Contender = {
  name: "docmill",
  workloads,
  // Each part has an index of its own; asked together they would read the table.
  unfinished: `select exists (select from jobs where status = 'running')
    or exists (select from jobs where status = 'pending') as unfinished`,

  async install(url) {
    await migrate({ url, logger });
  },

  async openProducer(url, workload) {
    const { db, engine, close } = open(url, workload, () => undefined);
    const kind = makePipeline(workload, () => undefined);
    const toJob = (job: BenchJob) => kind.job(job);
    const addAll = async (jobs: readonly BenchJob[], tx?: Transaction) => {
      if (workload !== "groups of three") return void (await engine.enqueueMany(jobs.map(toJob), { tx }));
      for (const group of Map.groupBy(jobs, (job) => job.group).values()) {
        await engine.createBatch({ pipeline: kind as unknown as AnyPipeline, jobs: group.map(toJob) }, { tx });
      }
    };
    return {
      async fill(jobs, openGate) {
        await db.transaction(async (tx) => {
          await addAll(jobs, tx);
          await openGate();
        });
        engine.announce(kind);
      },
      addOne: async (job) => void (await engine.enqueue(toJob(job))),
      addMany: (jobs) => addAll(jobs),
      close,
    };
  },

  async startWorker({ url, workload, concurrency, pollOnlyMs, leaseMs = 120_000 }, step) {
    const { engine, close } = open(url, workload, step, pollOnlyMs === undefined);
    const control = openDatabase({ url, logger, maxConnections: 2 });
    const worker = await engine.startWorker({
      control,
      version: "bench",
      slots: concurrency,
      leaseMs,
      heartbeatMs: leaseMs / 4,
      pollMs: pollOnlyMs ?? 2_000,
    });
    return async () => {
      await worker.stop(1_000);
      await control.close();
      await close();
    };
  },
};

function open(url: string, workload: Workload, step: Step, listen = true) {
  const db = openDatabase({ url, logger });
  const prepared = openPreparedDatabase({ url, logger });
  const hints = openHints({ db, listenUrl: listen ? url : null, logger });
  const engine = createEngine({
    db,
    prepared,
    hints,
    logger,
    pipelines: [makePipeline(workload, step) as unknown as AnyPipeline],
  });
  const close = async () => {
    await hints.close();
    await Promise.all([db.close(), prepared.close()]);
  };
  return { db, engine, close };
}

function makePipeline(workload: Workload, step: Step): Pipeline<BenchJob, object> {
  let made: Pipeline<BenchJob, object> = pipeline("bench", { input, perBatch: groupLimit });
  if (workload === "one effect") {
    return made.stage("stage1", async ({ input: given, job, commit }) => {
      await step(given);
      return commit((tx) => writeEffect(tx, job.id, "done"));
    });
  }
  for (let stage = 1; stage <= stepsOf[workload]; stage++) {
    made = made.stage(`stage${stage}`, (context) => step(context.input));
  }
  return made;
}
