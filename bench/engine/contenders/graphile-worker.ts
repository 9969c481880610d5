/** graphile-worker 0.18: local queue and batched completion at its best, `get_job` one by one otherwise. */
import pg from "pg";
import { loadPeer } from "../../harness/peers.ts";
import { type BenchJob, type Contender, groupLimit, type Workload } from "../contender.ts";

interface JobSpec {
  identifier: string;
  payload: BenchJob;
  queueName?: string;
}

interface GraphileWorker {
  Logger: new (factory: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJob(identifier: string, payload: BenchJob, spec: Pick<JobSpec, "queueName">): Promise<unknown>;
    addJobs(specs: readonly JobSpec[]): Promise<unknown>;
    release(): Promise<void>;
  }>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
}

const identifier = "bench";
const usualFetch = 500;

export const graphileWorker: Contender = {
  name: "graphile-worker",
  workloads: ["one step", "groups of three"],
  unfinished: "select exists (select from graphile_worker._private_jobs) as unfinished",

  async install(connectionString) {
    const utils = await (await load()).makeWorkerUtils({ connectionString, logger: await silence() });
    await utils.migrate();
    await utils.release();
  },

  async openProducer(connectionString, workload) {
    const pgPool = openPool(connectionString, 10);
    const utils = await (await load()).makeWorkerUtils({ pgPool, logger: await silence() });
    return {
      async fill(jobs, openGate) {
        const client = await pgPool.connect();
        await client.query("begin");
        const specs = jobs.map((job) => ({ identifier, payload: job, queue_name: queueName(job, workload) }));
        // What addJobs sends; it has no way to take part in a transaction.
        await client.query(
          `select from graphile_worker.add_jobs(
            array(select json_populate_recordset(null::graphile_worker.job_spec, $1::json)), false)`,
          [JSON.stringify(specs)],
        );
        await openGate();
        await client.query("commit");
        client.release();
      },
      addOne: async (job) => void (await utils.addJob(identifier, job, { queueName: queueName(job, workload) })),
      addMany: async (jobs) =>
        void (await utils.addJobs(
          jobs.map((payload) => ({ identifier, payload, queueName: queueName(payload, workload) })),
        )),
      async close() {
        await utils.release();
        await pgPool.end();
      },
    };
  },

  async startWorker({ url, workload, concurrency, batching, fetchSize = usualFetch }, step) {
    const pgPool = openPool(url, Math.max(10, Math.min(concurrency, 40)));
    const batched = { localQueue: { size: fetchSize }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
    const runner = await (await load()).run({
      pgPool,
      noHandleSignals: true,
      logger: await silence(),
      taskList: { [identifier]: (payload: BenchJob) => step(payload) },
      preset: {
        worker: {
          concurrentJobs: concurrency,
          pollInterval: 2_000,
          ...(batching && workload === "one step" ? batched : {}),
        },
      },
    });
    return async () => {
      await runner.stop();
      await pgPool.end();
    };
  },
};

/** Jobs of one named queue run one after the other, so three queues a group keep its limit. */
function queueName({ n, group }: BenchJob, workload: Workload): string | undefined {
  return workload === "groups of three" ? `${group}/${Math.floor(n / 100) % groupLimit}` : undefined;
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function load(): Promise<GraphileWorker> {
  return loadPeer<GraphileWorker>("graphile-worker");
}

async function silence(): Promise<object> {
  const { Logger } = await load();
  return new Logger(() => () => undefined);
}
