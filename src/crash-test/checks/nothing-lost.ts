/** Nothing is lost: what was accepted is there and has ended, with exactly the children and follow-ups it calls for. */
import { sql } from "../../db/sql.ts";
import { plannedCodes } from "../work-input.ts";
import { type Check, type Evidence, find } from "./evidence.ts";

/** What the engine itself may fail a job with in such a run: its lease was lost, or the database was away too often. */
const engineCodes = ["LEASE_LOST", "DATABASE_UNAVAILABLE"];

export const checkNothingLost: Check = async (evidence) => {
  const { db, accepted, refusals } = evidence;
  const ids = [...accepted.values()].flatMap(({ jobIds }) => jobIds);
  return [
    {
      promise: "every accepted job is there",
      violations: await find(
        db,
        sql`select format('job %s was accepted and is not there', id) as what from unnest(${ids}::uuid[]) as a (id)
          where not exists (select from jobs j where j.id = a.id)`,
      ),
    },
    { promise: "creating, cancelling and retrying answer as promised", violations: [...refusals] },
    { promise: "every job has ended", violations: await find(db, unendedJobs) },
    { promise: "one idempotency key, one job", violations: await checkKeys(evidence) },
    { promise: "children and follow-ups are created exactly once", violations: await find(db, wrongChildren) },
    {
      promise: "no job failed but by plan, by a lost lease or without a database",
      violations: await find(
        db,
        sql`select format('job %s (%s) failed with %s: %s', id, kind, error_code, error_message) as what from jobs
          where status = 'failed' and not error_code = any (${[...plannedCodes, ...engineCodes]}::text[])
          union all
          select format('job %s lease %s logged %s: %s', e.job_id, e.lease, e.code, e.message) from job_errors e
          where not e.code = any (${[...plannedCodes, ...engineCodes]}::text[])`,
      ),
    },
  ];
};

const unendedJobs = sql`
  select format('job %s (%s) is %s, lease %s, attempt %s, run_at %s, last event %s (%s) at %s; worker %s; its turn %s', j.id, j.kind, j.status, j.lease,
    j.attempts, j.run_at, e.number, e.type, e.created_at,
    case when j.worker_id is null then 'none' when w.id is null then j.worker_id || ' has no row' else
      format('%s pid %s, heartbeat %s, lost at %s', w.id, w.pid, w.heartbeat_at, coalesce(w.lost_at::text, 'never')) end,
    case when t.batch_id is null then 'none' else format('at %s with %s of %s running', coalesce(t.turn_at::text, 'never'), t.running, t.max_running) end) as what
  from jobs j left join workers w on w.id = j.worker_id
  left join events e on e.stream_id = j.id and e.number = j.last_event
  left join batch_turns t on t.batch_id = j.batch_id and t.kind = j.kind
  where j.status in ('pending', 'running') order by j.id`;

async function checkKeys({ db, plan }: Evidence): Promise<string[]> {
  const keyed = plan.load.flatMap((entry) => (entry.type === "keyed" ? [entry.number] : []));
  return find(
    db,
    sql`select format('%s jobs came from load entry %s, which has one idempotency key', count(*), input ->> 'entry') as what
      from jobs where kind = 'crash.steps' and (input ->> 'entry')::integer = any (${keyed}::integer[])
      group by input ->> 'entry' having count(*) > 1
      union all
      select format('idempotency key %s leads to job %s, which is not there', key, job_id) from idempotency_keys k
      where job_id is not null and not exists (select from jobs j where j.id = k.job_id)`,
  );
}

/** A parent has its parts from the moment its first stage has its checkpoint, and one more child when it is complete. */
const wrongChildren = sql`
  select format('parent %s (%s) has %s parts and %s followers, wanted %s and %s', p.id, p.status, parts, followers, wanted_parts, wanted_followers) as what
  from (
    select p.id, p.status,
      (select count(*) from jobs c where c.parent_id = p.id and c.input ->> 'key' like 'part %') as parts,
      (select count(distinct c.input ->> 'key') from jobs c where c.parent_id = p.id and c.input ->> 'key' like 'part %') as different_parts,
      (select count(*) from jobs c where c.parent_id = p.id and c.input ->> 'key' = 'after') as followers,
      case when exists (select from job_stages s where s.job_id = p.id and s.name = 'split') then (p.input ->> 'pages')::integer else 0 end as wanted_parts,
      (p.status = 'completed')::integer as wanted_followers
    from jobs p where p.kind = 'crash.parent') p
  where parts <> wanted_parts or different_parts <> wanted_parts or followers <> wanted_followers`;
