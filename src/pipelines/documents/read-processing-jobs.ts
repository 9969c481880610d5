/** A document's history: every job that worked on it, newest first, in the words of its first users. */
import type { ProcessingJob } from "../../contract/documents.ts";
import type { JobState } from "../../contract/states.ts";
import { type Database, sql } from "../../jobs/index.ts";
import { documentKind } from "./pipeline.ts";
import { stageOf, stageWords } from "./processing-stages.ts";
import { documentNotFound } from "./queries/find-document-job.ts";
import { isDocumentJob } from "./queries/is-document-job.ts";

const statusWords: Record<JobState, ProcessingJob["status"]> = {
  pending: "PENDING",
  running: "PROCESSING",
  completed: "COMPLETED",
  failed: "FAILED",
  cancelled: "CANCELLED",
};

interface JobRecord {
  id: string;
  kind: string;
  status: JobState;
  attempts: number;
  maxAttempts: number;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  heartbeatAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  totalItems: number | null;
  completedItems: number;
  failedItems: number;
  stages: { name: string; startedAt: string; finishedAt: string }[] | null;
  errors: ProcessingJob["error_log"] | null;
}

/** A document has few; whoever reprocessed it more often sees the latest. */
const mostJobs = 200;

/** Throws NOT_FOUND. */
export async function readProcessingJobs(db: Database, documentId: string): Promise<ProcessingJob[]> {
  const rows = await db.query<JobRecord>(sql`
    select j.id, j.kind, j.status, j.attempts, j.max_attempts, j.created_at, j.started_at, j.completed_at, w.heartbeat_at,
      j.error_code, j.error_message, j.total_items, j.completed_items, j.failed_items,
      (select jsonb_agg(jsonb_build_object('name', s.name, 'startedAt', s.started_at, 'finishedAt', s.finished_at)
         order by s.finished_at, s.name) from job_stages s where s.job_id = j.id) as stages,
      (select jsonb_agg(jsonb_build_object('attempt', e.attempt, 'code', e.code, 'message', e.message,
         'worker', e.worker_id, 'time', e.created_at) order by e.lease) from job_errors e where e.job_id = j.id) as errors
    from jobs j left join workers w on w.id = j.worker_id
    where j.input ->> 'documentId' = ${documentId} and ${isDocumentJob}
    order by j.id desc limit ${mostJobs}`);
  if (rows.length === 0) {
    const [known] = await db.query(sql`select from documents where id = ${documentId}`);
    if (!known) throw documentNotFound(documentId);
  }
  return rows.map(toProcessingJob);
}

function toProcessingJob(row: JobRecord): ProcessingJob {
  const stages = row.stages ?? [];
  return {
    id: row.id,
    kind: row.kind,
    status: statusWords[row.status],
    attempts: row.attempts,
    max_attempts: row.maxAttempts,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
    heartbeat_at: row.heartbeatAt?.toISOString() ?? null,
    error_code: row.errorCode,
    error_message: row.errorMessage,
    error_log: (row.errors ?? []).map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() })),
    ...describeStages(row, stages),
    total_items: row.totalItems,
    completed_items: row.completedItems,
    failed_items: row.failedItems,
  };
}

type StageWords = Pick<ProcessingJob, "processing_stage" | "completed_stages" | "stage_timestamps">;

function describeStages(
  { kind, status, completedAt }: JobRecord,
  stages: NonNullable<JobRecord["stages"]>,
): StageWords {
  const timestamps: Record<string, string> = {};
  const done = stages.map(({ name }) => name);
  if (kind !== documentKind) {
    for (const { name, finishedAt } of stages) timestamps[name] = new Date(finishedAt).toISOString();
    return { processing_stage: status, completed_stages: done, stage_timestamps: timestamps };
  }
  const reached: string[] = [];
  for (const { name, startedAt, finishedAt } of stages) {
    const words = stageWords.find((stage) => stage.name === name);
    if (!words) continue;
    timestamps[words.during] ??= new Date(startedAt).toISOString();
    if (words.done === undefined) continue;
    timestamps[words.done] = new Date(finishedAt).toISOString();
    reached.push(words.done);
  }
  if (status === "completed" && completedAt !== null) {
    // The completion is the last stage's checkpoint.
    for (const last of ["embedded", "complete"]) timestamps[last] = completedAt.toISOString();
    reached.push("embedded", "complete");
  }
  return { processing_stage: stageOf(status, done), completed_stages: reached, stage_timestamps: timestamps };
}
