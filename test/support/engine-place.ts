/** A database of its own with an engine on it in the test's process, which runs nothing until asked. */
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { ServerName } from "./postgres-servers.ts";
import { createTestDatabase } from "./test-database.ts";
import { openTestEngine, type TestEngine } from "./test-engine.ts";
import { until } from "./until.ts";

export interface EnginePlace {
  url: string;
  db: Database;
  engine: TestEngine;
  /** Resolves when every one of these jobs, or all there are, has ended. */
  allEnded(jobIds?: readonly string[]): Promise<void>;
  /** Resolves when some statement waits for a lock that another one holds. */
  someoneWaits(): Promise<void>;
  close(): Promise<void>;
}

export async function openEnginePlace(options: {
  pipelines: readonly object[];
  server?: ServerName;
}): Promise<EnginePlace> {
  const { url, db, drop } = await createTestDatabase({ server: options.server });
  const engine = openTestEngine({ url, pipelines: options.pipelines, listenUrl: null });
  return {
    url,
    db,
    engine,
    async allEnded(jobIds) {
      const chosen = jobIds ? sql`id = any (${jobIds}::uuid[])` : sql`true`;
      await until(async () => {
        const active = await db.query(
          sql`select from jobs where status in ('pending', 'running') and ${chosen} limit 1`,
        );
        return active.length === 0;
      });
    },
    async someoneWaits() {
      await until(async () => {
        const waiting = await db.query(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
    },
    async close() {
      await engine.close();
      await drop();
    },
  };
}
