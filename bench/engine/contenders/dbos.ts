/** DBOS 5: workflows on a queue, a step for each step; its queue polls as often as it can be told to. */
import pg from "pg";
import { loadPeer } from "../../harness/peers.ts";
import { type BenchJob, type Contender, groupLimit, stepsOf, type Workload } from "../contender.ts";

interface Dbos {
  setConfig(config: object): void;
  registerWorkflow(work: (job: BenchJob) => Promise<void>, config: { name: string }): unknown;
  registerQueue(name: string, options: object): Promise<unknown>;
  runStep(step: () => Promise<void>, config: { name: string }): Promise<void>;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
}

interface DbosClient {
  enqueue(options: object, job: BenchJob): Promise<unknown>;
  enqueueInTransaction(client: pg.PoolClient, options: object, job: BenchJob): Promise<unknown>;
  destroy(): Promise<void>;
}

interface DbosModule {
  DBOS: Dbos;
  DBOSClient: { create(options: object): Promise<DbosClient> };
}

const applicationName = "bench";
const queueName = "bench";
const workflowName = "work";
const applicationVersion = "1";
const pollMs = 10;
const silent = { info() {}, debug() {}, warn() {}, error() {} };

export const dbos: Contender = {
  name: "@dbos-inc/dbos-sdk",
  workloads: ["one step", "ten steps", "groups of three"],
  unfinished: "select exists (select from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')) as unfinished",

  async install(url) {
    const stop = await dbos.startWorker(
      { url, workload: "one step", concurrency: 1, batching: false },
      () => undefined,
    );
    await stop();
  },

  async openProducer(url, workload) {
    const { DBOSClient } = await loadPeer<DbosModule>("@dbos-inc/dbos-sdk");
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    pool.on("error", () => undefined);
    const client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePool: pool,
      applicationName,
      logger: silent,
    });
    const optionsOf = ({ group }: BenchJob) => ({
      queueName,
      workflowName,
      appVersion: applicationVersion,
      ...(workload === "groups of three" ? { queuePartitionKey: String(group) } : {}),
    });
    return {
      async fill(jobs, openGate) {
        const connection = await pool.connect();
        await connection.query("begin");
        for (const job of jobs) await client.enqueueInTransaction(connection, optionsOf(job), job);
        await openGate();
        await connection.query("commit");
        connection.release();
      },
      addOne: async (job) => void (await client.enqueue(optionsOf(job), job)),
      async addMany(jobs) {
        for (const job of jobs) await client.enqueue(optionsOf(job), job);
      },
      async close() {
        await client.destroy();
        await pool.end();
      },
    };
  },

  async startWorker({ url, workload, concurrency }, step) {
    const { DBOS } = await loadPeer<DbosModule>("@dbos-inc/dbos-sdk");
    DBOS.setConfig({
      name: applicationName,
      systemDatabaseUrl: url,
      systemDatabasePoolSize: 20,
      applicationVersion,
      executorID: String(process.pid),
      runAdminServer: false,
      logger: silent,
    });
    DBOS.registerWorkflow(
      async (job) => {
        for (let number = 1; number <= stepsOf[workload]; number++) {
          await DBOS.runStep(async () => step(job), { name: `step${number}` });
        }
      },
      { name: workflowName },
    );
    await DBOS.launch();
    await DBOS.registerQueue(queueName, {
      ...limits(workload, concurrency),
      minPollingIntervalMs: pollMs,
      onConflict: "always_update",
    });
    return () => DBOS.shutdown();
  },
};

function limits(workload: Workload, concurrency: number): object {
  return workload === "groups of three" ? { partitionConcurrency: groupLimit } : { workerConcurrency: concurrency };
}
