/** Looks at the rows again and again while the run goes on: each look is one snapshot, and no limit may be passed in it. */
import { setTimeout as delay } from "node:timers/promises";
import { type Database, isConnectionError } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface Sampler {
  stop(): Promise<{ looks: number; exceeded: string[] }>;
}

const everyMs = 20;

export function startSampler(db: Database): Sampler {
  const exceeded = new Set<string>();
  let looks = 0;
  let stopped = false;
  const sampling = sample();
  return {
    async stop() {
      stopped = true;
      await sampling;
      return { looks, exceeded: [...exceeded] };
    },
  };

  async function sample(): Promise<void> {
    while (!stopped) {
      try {
        for (const { what, jobs } of await look()) exceeded.add(`${what}: ${jobs.join(", ")}`);
        looks++;
      } catch (error) {
        if (!isConnectionError(error)) throw error;
      }
      await delay(everyMs);
    }
  }

  function look() {
    return db.query<{ what: string; jobs: string[] }>(sql`
      with active as materialized (select id, kind, status, batch_id, limit_name, lock_key from jobs where status in ('pending', 'running'))
      select format('%s jobs run under the limit %s of %s', count(*), l.name, l.max_running) as what, array_agg(a.id::text) as jobs
      from active a join job_limits l on l.name = a.limit_name where a.status = 'running'
      group by l.name having count(*) > l.max_running
      union all
      select format('%s jobs of kind %s run in batch %s, where %s may', count(*), a.kind, a.batch_id, t.max_running), array_agg(a.id::text)
      from active a join batch_turns t using (batch_id, kind) where a.status = 'running'
      group by a.kind, a.batch_id, t.max_running having count(*) > t.max_running
      union all
      select format('%s jobs are active under the lock key %s', count(*), lock_key), array_agg(id::text)
      from active where lock_key is not null group by lock_key having count(*) > 1`);
  }
}
