/** The columns every reader of documents wants, with the state of the document's job, and how they become JSON. */
import type { DocumentState, DocumentSummary, ProcessingStage } from "../../../contract/documents.ts";
import type { JobState } from "../../../contract/states.ts";
import { sql } from "../../../jobs/index.ts";
import { stageOf } from "../processing-stages.ts";

export interface DocumentRecord {
  id: string;
  filename: string;
  title: string | null;
  contentType: string | null;
  format: string | null;
  size: number | null;
  sha256: string | null;
  sourceUrl: string | null;
  jobId: string;
  generation: number;
  pageCount: number | null;
  chunkCount: number;
  fieldCount: number;
  tableCount: number;
  createdAt: Date;
  processedAt: Date | null;
  /** Null once the job has been removed: then what the document has is all there is to say. */
  jobStatus: JobState | null;
  totalItems: number | null;
  completedItems: number | null;
  failedItems: number | null;
  message: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  doneStages: string[];
}

/** Of `documents d left join jobs j on j.id = d.job_id`. */
export const documentColumns = sql`
  d.id, d.filename, d.title, d.content_type, d.format, d.size, d.sha256, d.source_url, d.job_id, d.generation,
  d.page_count, d.chunk_count, d.field_count, d.table_count, d.created_at, d.processed_at,
  j.status as job_status, j.total_items, j.completed_items, j.failed_items, j.message, j.error_code, j.error_message,
  case when j.status = 'completed' then '{}' else array(select s.name from job_stages s where s.job_id = j.id) end as done_stages`;

const stateOf: Record<JobState, DocumentState> = {
  pending: "Processing",
  running: "Processing",
  completed: "Ready",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** The states of jobs that a document in this state may have. */
export function jobStatesOf(state: DocumentState): JobState[] {
  return (Object.keys(stateOf) as JobState[]).filter((job) => stateOf[job] === state);
}

export function toDocumentSummary(row: DocumentRecord): DocumentSummary {
  const { jobStatus, doneStages, generation, totalItems, completedItems, failedItems, message, ...rest } = row;
  const status = jobStatus ?? (generation > 0 ? "completed" : "failed");
  return {
    ...rest,
    status: stateOf[status],
    stage: stageOf(status, doneStages) satisfies ProcessingStage,
    progress: { totalItems, completedItems: completedItems ?? 0, failedItems: failedItems ?? 0, message },
    createdAt: row.createdAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
  };
}
