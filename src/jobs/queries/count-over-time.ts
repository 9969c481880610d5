/**
 * How many jobs came, and how many ended, in stretches of time that follow each other. Nothing is stored for it: ids carry
 * the time they were made, and `completed_at` has a BRIN index. What it costs is the rows of that time.
 */
import type { JobState } from "../../contract/states.ts";
import type { Clock } from "../../db/clock.ts";
import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { firstIdAt } from "../new-id.ts";

/** Stretches by their starts, in milliseconds; each ends where the next begins. */
export interface Stretches {
  starts: readonly number[];
  /** Where the last one ends; left out, it is still going on. */
  end?: number;
}

/** After every id there is. */
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export async function readTime(db: Queryable, clock: Clock): Promise<number> {
  const [row] = await db.query<{ now: Date }>(sql`select ${clock.now()} as now`);
  return (row as { now: Date }).now.getTime();
}

/** For each stretch, from the primary key alone. */
export async function countCreated(db: Queryable, { starts, end }: Stretches): Promise<number[]> {
  const lows = starts.map(firstIdAt);
  const highs = [...lows.slice(1), end === undefined ? lastId : firstIdAt(end)];
  const rows = await db.query<{ jobs: number }>(sql`
    select (select count(*) from jobs where id >= stretch.low and id < stretch.high) as jobs
    from unnest(${lows}::uuid[], ${highs}::uuid[]) with ordinality as stretch (low, high, place)
    order by place`);
  return rows.map(({ jobs }) => jobs);
}

export interface EndedCount {
  /** Which stretch, from 0. */
  place: number;
  status: Extract<JobState, "completed" | "failed" | "cancelled">;
  jobs: number;
}

/** Stretches in which nothing ended are missing. */
export function countEnded(db: Queryable, { starts, end }: Stretches): Promise<EndedCount[]> {
  const times = starts.map((ms) => new Date(ms));
  const over = end === undefined ? "infinity" : new Date(end);
  return db.query<EndedCount>(sql`
    select width_bucket(completed_at, ${times}::timestamptz[]) - 1 as place, status, count(*) as jobs
    from jobs where completed_at >= ${times[0]} and completed_at < ${over} group by place, status`);
}
