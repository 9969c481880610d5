/** The worker processes there are, as `/api/workers` gives them: live ones, those that are stopping, and recently lost ones. */
import type { WorkerList } from "../contract/system.ts";
import { sql } from "../db/sql.ts";
import { type JobSource, rescueBeforeReading } from "./rescue-before-reading.ts";

type WorkerInfo = WorkerList["items"][number];
type WorkerRow = Omit<WorkerInfo, "startedAt" | "heartbeatAt" | "leaseExpiresAt"> &
  Record<"startedAt" | "heartbeatAt" | "leaseExpiresAt", Date>;

/** Lost ones are kept for a day; on a bad day there may be many, and only the latest are of interest. */
const mostLost = 50;

export async function readWorkers(source: JobSource): Promise<WorkerList> {
  await rescueBeforeReading(source);
  const rows = await source.db.query<WorkerRow>(sql`
    select w.id, w.host, w.pid, w.version, w.kinds, w.slots, w.started_at, w.heartbeat_at, w.lease_expires_at,
      (select count(*)::integer from jobs j where j.status = 'running' and j.worker_id = w.id) as running,
      case when w.lost_at is not null or w.lease_expires_at < ${source.clock.now()} then 'lost'
        when w.stopping then 'stopping' else 'alive' end as state
    from workers w
    where w.lost_at is null
      or w.id in (select id from workers where lost_at is not null order by lost_at desc limit ${mostLost})
    order by w.lost_at is not null, w.host, w.started_at desc, w.id`);
  return {
    items: rows.map((row) => ({
      ...row,
      startedAt: row.startedAt.toISOString(),
      heartbeatAt: row.heartbeatAt.toISOString(),
      leaseExpiresAt: row.leaseExpiresAt.toISOString(),
    })),
  };
}
