/** How many sheets of a batch were at work at once: looked at while it happens, and told afterwards from what jobs wrote. */
import pg from "pg";
import { withClient } from "../harness/server.ts";

export interface RunningWatch {
  stop(): Promise<{ most: number; looks: number }>;
}

/** Counts running sheets by batch, as fast as the database answers. Each look is one moment: it sees one snapshot. */
export async function watchRunning(url: string): Promise<RunningWatch> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let over = false;
  let most = 0;
  let looks = 0;
  const watching = (async () => {
    while (!over) {
      const { rows } = await client.query<{ running: number }>(`
        select count(*)::integer as running from jobs where status = 'running' and batch_id is not null
        group by batch_id order by 1 desc limit 1`);
      most = Math.max(most, rows[0]?.running ?? 0);
      looks++;
    }
  })();
  return {
    async stop() {
      over = true;
      await watching;
      await client.end();
      return { most, looks };
    },
  };
}

export interface TotalConcurrency {
  /** Of the time in which a job surely ran: from what it first wrote after its claim to the beginning of its end. */
  sure: number;
  /**
   * From the claim's event on. Its time is when the claim was sent, before it looked: a job that ended in between counts
   * twice, so that one more than there ever was may come out.
   */
  claimed: number;
}

interface Span {
  from: number;
  to: number;
}

interface EventRow {
  jobId: string;
  batchId: string;
  type: string;
  /** Milliseconds. */
  at: number;
}

/** What jobs write when they are no longer at work. */
const ends = new Set(["job_completed", "job_failed", "job_cancelled", "job_retrying", "job_released", "job_lost"]);

/** The most of any of these batches. */
export async function replayConcurrency(url: string, batchIds: readonly string[]): Promise<TotalConcurrency> {
  const rows = await withClient(url, async (client) => {
    const result = await client.query<EventRow>(
      `select e.stream_id as "jobId", j.batch_id as "batchId", e.type, (extract(epoch from e.created_at) * 1000)::float8 as at
      from jobs j join events e on e.stream_id = j.id where j.batch_id = any ($1::uuid[]) order by e.stream_id, e.number`,
      [batchIds],
    );
    return result.rows;
  });
  let sure = 0;
  let claimed = 0;
  for (const ofBatch of Map.groupBy(rows, ({ batchId }) => batchId).values()) {
    const jobs = [...Map.groupBy(ofBatch, ({ jobId }) => jobId).values()].map(findSpans);
    sure = Math.max(sure, mostAtOnce(jobs.flatMap((spans) => spans.sure)));
    claimed = Math.max(claimed, mostAtOnce(jobs.flatMap((spans) => spans.claimed)));
  }
  return { sure, claimed };
}

/** The times of one job, whose events come in their order. */
function findSpans(events: readonly EventRow[]): Record<keyof TotalConcurrency, Span[]> {
  const spans: Record<keyof TotalConcurrency, Span[]> = { sure: [], claimed: [] };
  let claimedAt: number | undefined;
  let sureAt: number | undefined;
  for (const { type, at } of events) {
    if (type === "job_started") {
      [claimedAt, sureAt] = [at, undefined];
      continue;
    }
    sureAt ??= at;
    if (!ends.has(type) || claimedAt === undefined) continue;
    spans.claimed.push({ from: claimedAt, to: at });
    spans.sure.push({ from: sureAt, to: at });
    claimedAt = undefined;
  }
  return spans;
}

function mostAtOnce(spans: readonly Span[]): number {
  const changes = spans.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  let running = 0;
  let most = 0;
  // Of a moment in which one ends and another begins, the end comes first.
  for (const { by } of changes.sort((one, other) => one.at - other.at || one.by - other.by)) {
    running += by;
    most = Math.max(most, running);
  }
  return most;
}
