/**
 * A worker's row: who it is, what it serves, and until when its word counts. One heartbeat renews the lease on all its
 * jobs, on a timer and a connection of its own, whatever the jobs are doing.
 */
import type { Clock } from "../db/clock.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { newId } from "./new-id.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { forgetHolds } from "./queries/held-by-worker.ts";

export interface KindDurations {
  [kind: string]: { jobs: number; meanMs: number };
}

export interface LeaseTerms {
  clock: Clock;
  leaseMs: number;
}

export interface WorkerFacts {
  identity: ProcessIdentity;
  version: string;
  kinds: readonly string[];
  slots: number;
}

/** Writes a new worker row and answers its id. */
export async function registerWorker(
  db: Queryable,
  { identity, version, kinds, slots }: WorkerFacts,
  { clock, leaseMs }: LeaseTerms,
): Promise<string> {
  const id = newId();
  await db.query(sql`
    insert into workers (id, host, boot_id, pid_namespace, pid, process_started, version, kinds, slots, started_at, heartbeat_at, lease_expires_at)
    values (${id}, ${identity.host}, ${identity.bootId}, ${identity.pidNamespace}, ${identity.pid}, ${identity.processStarted},
      ${version}, ${kinds}::text[], ${slots}, ${clock.now()}, ${clock.now()}, ${clock.now()} + ${leaseMs} * interval '1 ms')`);
  return id;
}

/** Renews the lease. False: others have taken this worker's jobs back, and it must not go on under this id. */
export async function renewLease(
  db: Queryable,
  worker: { id: string; stopping: boolean; durations: KindDurations },
  { clock, leaseMs }: LeaseTerms,
): Promise<boolean> {
  const rows = await db.query(sql`
    update workers set heartbeat_at = ${clock.now()}, lease_expires_at = ${clock.now()} + ${leaseMs} * interval '1 ms',
      stopping = ${worker.stopping}, durations = ${JSON.stringify(worker.durations)}::jsonb
    where id = ${worker.id} and lost_at is null returning id`);
  return rows.length === 1;
}

/** Takes the worker's row away once it holds no job. */
export async function removeWorker(db: Queryable, id: string): Promise<void> {
  await forgetHolds(db, id);
  await db.query(sql`delete from workers w where w.id = ${id} and not ${holdsJobs}`);
}

/** Whether worker `w` has jobs, or holds of which nobody knows that they are of no use. */
export const holdsJobs = sql`(exists (select from jobs j where j.worker_id = w.id and j.status = 'running')
  or exists (select from holds h where h.worker_id = w.id))`;

/** Of workers lost long ago, whose rows are of no use to anyone. */
const isForgotten = (clock: Clock) => sql`w.lost_at < ${clock.now()} - interval '1 day' and not ${holdsJobs}`;

/** Answers how many there were. */
export async function forgetLostWorkers(db: Queryable, clock: Clock): Promise<number> {
  const gone = await db.query(sql`delete from workers w where ${isForgotten(clock)} returning 1 as gone`);
  return gone.length;
}

/** How many `forgetLostWorkers` would remove. */
export async function countForgettable(db: Queryable, clock: Clock): Promise<number> {
  const [row] = await db.query<{ workers: number }>(
    sql`select count(*) as workers from workers w where ${isForgotten(clock)}`,
  );
  return row?.workers ?? 0;
}

export interface Neighbourhood {
  /** Other live workers that this process can see in /proc. */
  neighbours: (ProcessIdentity & { id: string })[];
  /** Whether some worker's lease has run out, or one that is lost or forgotten still has jobs. */
  someLost: boolean;
  /** Whether jobs of batches of these kinds wait. */
  batchesWait: boolean;
  /** Whether some batch seemed to have nothing to start. */
  someLookedEmpty: boolean;
}

/** One look per poll at who else is there and what waits. */
export async function lookAround(
  db: Queryable,
  self: { id: string; identity: ProcessIdentity; kinds: readonly string[] },
  clock: Clock,
): Promise<Neighbourhood> {
  const here = self.identity;
  const rows = await db.query<
    ProcessIdentity & {
      id: string;
      lost: boolean;
      near: boolean;
      batchesWait: boolean;
      lookedEmpty: boolean;
      orphans: boolean;
    }
  >(sql`
    select w.id, w.host, w.boot_id, w.pid_namespace, w.pid, w.process_started,
      w.boot_id = ${here.bootId} and w.pid_namespace = ${here.pidNamespace} and w.lost_at is null as near,
      case when w.lost_at is null then w.lease_expires_at < ${clock.now()}
        else ${holdsJobs} end as lost,
      exists (select from batch_turns t where t.turn_at is not null and t.running < t.max_running and t.kind = any (${self.kinds}::text[])) as batches_wait,
      exists (select from batch_turns t where t.looked_empty) as looked_empty,
      exists (select from jobs j where j.status = 'running' and not exists (select from workers w where w.id = j.worker_id))
        or exists (select from holds h where not exists (select from workers w where w.id = h.worker_id)) as orphans
    from workers w`);
  return {
    neighbours: rows.filter(({ id, near, lost }) => id !== self.id && near && !lost),
    someLost: rows.some(({ id, lost, orphans }) => orphans || (id !== self.id && lost)),
    batchesWait: rows.some(({ batchesWait }) => batchesWait),
    someLookedEmpty: rows.some(({ lookedEmpty }) => lookedEmpty),
  };
}
