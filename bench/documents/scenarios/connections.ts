/** Looking for the connections of one document of 500 passages in a library of 100,000. */
import { setTimeout as delay } from "node:timers/promises";
import { type Scenario, takeTurns } from "../../harness/bench.ts";
import { startDocmill } from "../../harness/docmill-server.ts";
import { withClient } from "../../harness/server.ts";
import { ownDocumentId } from "../fill-library.ts";
import { createFilled } from "../filled-database.ts";

const mostSeconds = 10;
const pollMs = 100;

interface Job {
  status: string;
  startedAt: string;
  completedAt: string;
}

export const connections: Scenario = {
  name: "connections",
  title: "connections of a document with a large library",
  async run(bench) {
    const { database, chunks, ownChunks } = await createFilled(bench);
    const server = await startDocmill({ env: { DATABASE_URL: database.url } });
    const found: number[] = [];
    try {
      const { measured, skipped } = await takeTurns(bench, [
        {
          case: `${ownChunks} chunks against ${chunks}`,
          contender: "docmill",
          unit: "s",
          async measure() {
            await withClient(database.url, (client) => client.query("truncate connections"));
            const input = { documentId: ownDocumentId };
            const { id } = await server.post<{ id: string }>("/api/jobs", { kind: "detect_connections", input });
            const seconds = await untilDone(id);
            found.push(await countConnections(database.url));
            return seconds;
          },
        },
      ]);
      const worst = Math.max(...(measured[0]?.values ?? [Number.NaN]));
      return {
        scenario: this.name,
        measured: [...measured, { case: "connections found", contender: "docmill", unit: "", values: found }],
        skipped,
        bars: [{ what: "worst, s", value: worst, sense: "at most", bar: mostSeconds }],
      };
    } finally {
      await server.stop();
      await database.drop();
    }

    async function untilDone(id: string): Promise<number> {
      for (;;) {
        const job = await server.get<Job>(`/api/jobs/${id}`);
        if (job.status === "completed") return (Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1_000;
        if (job.status === "failed") throw new Error(`the job failed: ${JSON.stringify(job)}`);
        await delay(pollMs);
      }
    }
  },
};

function countConnections(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>("select count(*) from connections");
    return Number(rows[0]?.count);
  });
}
