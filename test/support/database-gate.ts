/** Locks held by a test, to stop other processes at a chosen place in their transactions for as long as it wants. */
import pg from "pg";
import { until } from "./until.ts";

export interface DatabaseGate extends AsyncDisposable {
  /** Resolves when so many statements wait behind a lock. */
  waiting(count?: number): Promise<void>;
  /** Does something in the transaction that holds the locks. */
  run(statement: string): Promise<void>;
  open(): Promise<void>;
}

/** Runs a statement that takes locks, and keeps them until the gate is opened. */
export async function closeGate(databaseUrl: string, lock: string): Promise<DatabaseGate> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that failed leaves its gate closed; the database is dropped all the same.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("begin");
  await client.query(lock);
  let closed = true;
  const open = async () => {
    if (!closed) return;
    closed = false;
    await client.query("commit");
    await client.end();
  };
  return {
    waiting: (count = 1) => lockWaiters(client, count),
    async run(statement) {
      await client.query(statement);
    },
    open,
    [Symbol.asyncDispose]: open,
  };
}

function lockWaiters(client: pg.Client, count: number): Promise<void> {
  return until(async () => {
    // Within a transaction the first look would be the last.
    await client.query("select pg_stat_clear_snapshot()");
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length >= count;
  }).then(() => undefined);
}
