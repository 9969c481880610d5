/** Nobody writes for a job without holding it, and nobody holds it twice: from the streams, the history and the effects. */
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { readEvents, type StreamEvent } from "../../events/read-events.ts";
import { transitions } from "../../jobs/lifecycle.ts";
import { type Check, find } from "./evidence.ts";
import { replayStream } from "./replay-stream.ts";

const atOnce = 200;
const wholeStream = 1_000_000;

export const checkLeases: Check = async ({ db }) => {
  const { late, untold } = await checkStories(db);
  const moves = Object.values(transitions).flatMap(({ from, to }) => from.map((state) => `${state} → ${to}`));
  return [
    { promise: "no event after a lost lease", violations: late },
    { promise: "one event for each change of state, in order", violations: untold },
    {
      promise: "no effect after a lost lease",
      violations: await find(
        db,
        sql`select format('job %s: process %s wrote stage %s %s under lease %s at %s, when the job was %s under lease %s',
            job_id, pid, stage, item, lease, at, status_then, lease_then) as what
          from crash.effects where status_then is distinct from 'running' or lease_then <> lease`,
      ),
    },
    {
      promise: "states change only as the lifecycle has it, each claim with a lease of its own",
      violations: await find(
        db,
        sql`select format('job %s went from %s to %s under lease %s at %s', job_id, was, became, lease, at) as what from crash.job_history
          where was is not null and not (was || ' → ' || became) = any (${moves}::text[])
          union all
          select format('job %s was claimed %s times under lease %s', job_id, count(*), lease) from crash.job_history
          where became = 'running' group by job_id, lease having count(*) > 1`,
      ),
    },
    {
      promise: "what waits is in the queue or held by a worker, once",
      violations: await find(
        db,
        sql`select format('job %s is pending under lease %s and is %s times in the queue, %s times in holds', j.id, j.lease, queued, held) as what
          from (
            select j.id, j.lease,
              (select count(*) from queue q where j.id = any (q.job_ids) and q.lease = j.lease) as queued,
              (select count(*) from holds h, unnest(h.job_ids, h.leases) as e (job_id, lease) where e.job_id = j.id and e.lease = j.lease) as held
            from jobs j where j.status = 'pending' and j.batch_id is null) j
          where queued + held <> 1
          union all
          select format('job %s is in the queue under lease %s, and it is %s under lease %s', e.job_id, q.lease, coalesce(j.status, 'gone'), j.lease)
          from queue q cross join unnest(q.job_ids) as e (job_id) left join jobs j on j.id = e.job_id where j.id is null or j.status <> 'pending' or j.lease <> q.lease`,
      ),
    },
    {
      promise: "no job is left with a lost worker",
      violations: await find(
        db,
        sql`select format('job %s runs on worker %s, which %s', j.id, j.worker_id, case when w.id is null then 'has no row' else 'was lost at ' || w.lost_at end) as what
          from jobs j left join workers w on w.id = j.worker_id where j.status = 'running' and (w.id is null or w.lost_at is not null)`,
      ),
    },
  ];
};

async function checkStories(db: Database): Promise<{ late: string[]; untold: string[] }> {
  const late: string[] = [];
  const untold: string[] = [];
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const jobs = await db.query<{ id: string; history: string[] }>(sql`
      select j.id, (select array_agg(h.became order by h.number) from crash.job_history h where h.job_id = j.id) as history
      from jobs j where j.id > ${after}::uuid order by j.id limit ${atOnce}`);
    const events = Map.groupBy(await readAll(db, jobs), ({ streamId }) => streamId);
    for (const { id, history } of jobs) {
      const { states, violations } = replayStream(events.get(id) ?? []);
      late.push(...violations.map((what) => `job ${id}: ${what}`));
      if (states.join() !== history.join())
        untold.push(`job ${id} was ${history.join(" → ")}; its stream tells ${states.join(" → ")}`);
    }
    const last = jobs.at(-1);
    if (!last) return { late, untold };
    after = last.id;
  }
}

function readAll(db: Database, jobs: readonly { id: string }[]): Promise<StreamEvent[]> {
  return readEvents(
    db,
    jobs.map(({ id }) => ({ streamId: id, after: 0 })),
    wholeStream,
  );
}
