/** Connections that a process keeps to its database when it has nothing to do: what it has more of after work has leaked. */
import { setTimeout as delay } from "node:timers/promises";
import { now } from "../harness/clock.ts";
import { withClient } from "../harness/server.ts";

/** A pool closes what it has not needed for 10 s: the fewest seen in somewhat more than that are those it keeps. */
const windowMs = 13_000;
const lookMs = 200;

/** Looks until as few are open as `enough`, or until the time is over in which the pools let go of theirs. */
export function countConnections(databaseUrl: string, enough = 0): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    let fewest = Number.POSITIVE_INFINITY;
    const until = now() + windowMs;
    while (now() < until && fewest > enough) {
      const { rows } = await client.query<{ count: number }>(`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
      fewest = Math.min(fewest, rows[0]?.count ?? 0);
      await delay(lookMs);
    }
    return fewest;
  });
}

/** How many more there are than before, when all is quiet again. */
export async function countLeaked(databaseUrl: string, before: number): Promise<number> {
  return Math.max(0, (await countConnections(databaseUrl, before)) - before);
}
