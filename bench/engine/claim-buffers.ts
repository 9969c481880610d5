/** How many buffers a claim touches to find and take its jobs, as EXPLAIN counts them. Takes nothing: it is undone. */
import type pg from "pg";
import { databaseClock as clock } from "../../src/db/clock.ts";
import type { Queryable } from "../../src/db/database.ts";
import { thisProcess } from "../../src/jobs/process-identity.ts";
import { claimJobs } from "../../src/jobs/queries/claim-jobs.ts";
import { registerWorker } from "../../src/jobs/worker-lease.ts";

const count = 100;
const leaseMs = 60_000;

interface Explained {
  Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number; "Actual Rows": number };
}

export async function countClaimBuffers(client: pg.Client): Promise<number> {
  const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
  const plain: Queryable = {
    query: async <Row extends object>(statement: Parameters<Queryable["query"]>[0]) => {
      const { text, values } = statement.compile();
      return (await run(text, values)) as Row[];
    },
  };
  let explained: Explained | undefined;
  const explaining: Queryable = {
    async query(statement) {
      const { text, values } = statement.compile();
      await run("savepoint before", []);
      const [answer] = await run(`explain (analyze, buffers, timing off, format json) ${text}`, values);
      explained = (answer as { "QUERY PLAN": Explained[] })["QUERY PLAN"][0];
      await run("rollback to before", []);
      return plain.query(statement);
    },
  };
  await client.query("begin");
  try {
    const facts = { identity: thisProcess(), version: "bench", kinds: ["bench"], slots: 1 };
    const workerId = await registerWorker(plain, facts, { clock, leaseMs });
    const kinds = [{ kind: "bench", limitName: null }];
    await claimJobs(explaining, { workerId, kinds, count, clock, batches: false });
  } finally {
    await client.query("rollback");
  }
  if (explained?.Plan["Actual Rows"] !== count) throw new Error("the claim that was explained found too few jobs");
  return explained.Plan["Shared Hit Blocks"] + explained.Plan["Shared Read Blocks"];
}
