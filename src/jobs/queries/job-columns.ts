/** The columns every reader of jobs wants, and how they become what `/api/jobs` gives. */
import type { JobSummary } from "../../contract/jobs.ts";
import { sql } from "../../db/sql.ts";
import type { Registry } from "../registry.ts";

export interface JobRecord {
  id: string;
  kind: string;
  status: JobSummary["status"];
  priority: number;
  batchId: string | null;
  sequence: number | null;
  parentId: string | null;
  lockKey: string | null;
  attempts: number;
  maxAttempts: number;
  totalItems: number | null;
  completedItems: number;
  failedItems: number;
  currentItem: string | null;
  lastCompletedItem: string | null;
  message: string | null;
  createdAt: Date;
  runAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  lastEvent: number;
  heartbeatAt: Date | null;
  /** Stages with a checkpoint; not read for completed jobs, which are in none. */
  doneStages: string[];
}

/** Of `jobs j left join workers w on w.id = j.worker_id`. */
export const jobColumns = sql`
  j.id, j.kind, j.status, j.priority, j.batch_id, j.sequence, j.parent_id, j.lock_key, j.attempts, j.max_attempts,
  j.total_items, j.completed_items, j.failed_items, j.current_item, j.last_completed_item, j.message,
  j.created_at, j.run_at, j.started_at, j.completed_at, j.error_code, j.error_message, j.last_event, w.heartbeat_at,
  case when j.status = 'completed' then '{}' else array(select s.name from job_stages s where s.job_id = j.id) end as done_stages`;

export function toJobSummary(row: JobRecord, registry: Registry): JobSummary {
  const { lastEvent, doneStages, ...job } = row;
  return {
    ...job,
    stage: currentStage(row, registry),
    createdAt: row.createdAt.toISOString(),
    runAt: row.runAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    heartbeatAt: row.heartbeatAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    lastEventId: lastEvent,
  };
}

/** The first stage that has no checkpoint. */
function currentStage({ kind, status, doneStages }: JobRecord, registry: Registry): string | null {
  if (status === "completed") return null;
  return registry.find(kind)?.stages.find(({ name }) => !doneStages.includes(name))?.name ?? null;
}
