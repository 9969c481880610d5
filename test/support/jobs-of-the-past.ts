/** Jobs as they would be in the table had they been created, and had they ended, at times of the test's choice. */
import type { JobState } from "../../src/contract/states.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { firstIdAt } from "../../src/jobs/new-id.ts";

export interface PastJob {
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Left out: it has not. */
  endedAt?: number;
  kind?: string;
  status?: Exclude<JobState, "running">;
  batchId?: string;
  sequence?: number;
}

/** Answers their ids; of two of the same millisecond the one that is named later is the newer one. */
export async function insertPastJobs(db: Database, jobs: readonly PastJob[]): Promise<string[]> {
  const rows = jobs.map(({ createdAt, endedAt, kind = "anything", batchId = null, sequence = null, ...job }, index) => {
    const status = job.status ?? (endedAt === undefined ? "pending" : "completed");
    const error = status === "failed" ? "X" : null;
    return {
      id: firstIdAt(createdAt).slice(0, -6) + index.toString(16).padStart(6, "0"),
      kind,
      status,
      batch_id: batchId,
      sequence,
      created_at: new Date(createdAt),
      completed_at: endedAt === undefined ? null : new Date(endedAt),
      error,
    };
  });
  await db.query(sql`
    insert into jobs (id, kind, status, batch_id, sequence, input, max_attempts, when_lost, created_at, run_at, completed_at,
      error_code, error_message)
    select id, kind, status, batch_id, sequence, '{}', 3, 'retry', created_at, created_at, completed_at, error, error
    from json_to_recordset(${JSON.stringify(rows)}) as r (id uuid, kind text, status text, batch_id uuid, sequence integer,
      created_at timestamptz, completed_at timestamptz, error text)`);
  return rows.map(({ id }) => id);
}
