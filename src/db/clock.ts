/**
 * Time, as the engine sees it: the database's clock, written into each statement, so that machines with wrong clocks
 * agree on who holds a lease. Tests put a clock of their own in its place.
 */
import type { Queryable } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

export interface Clock {
  /** An SQL expression for the present moment. */
  now(): Sql;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const databaseClock: Clock = {
  now: () => sql`now()`,
  wait(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    });
  },
};

/** The present in milliseconds, by the database's clock or this machine's: by the one that is behind, so that nothing seems older than it is. */
export async function readEarlierTime(db: Queryable): Promise<number> {
  const [row] = await db.query<{ ms: number }>(sql`select extract(epoch from now())::float8 * 1000 as ms`);
  return Math.min(row?.ms ?? 0, Date.now());
}
