/** What the event that ends a batch says besides its counts: how many swims there are in all, and what each sheet gave. */
import type { SheetOutcome } from "../../contract/batches.ts";
import { mergeSwims } from "../../heatsheets/merge-swims.ts";
import type { FinishedBatch, Transaction } from "../../jobs/index.ts";
import { listResults } from "./queries/list-results.ts";
import { listSheetJobs } from "./queries/list-sheet-jobs.ts";

export async function describeBatch({ id }: FinishedBatch, tx: Transaction) {
  const jobs = await listSheetJobs(tx, id);
  const results = jobs.map(
    (job): SheetOutcome => ({
      jobId: job.id,
      sequence: job.sequence,
      filename: job.filename,
      status: job.status,
      resultCode: job.resultCode,
      meetName: job.meetName,
      eventCount: job.eventCount,
      cached: job.cached,
      errorCode: job.errorCode,
    }),
  );
  return { totalEvents: mergeSwims(await listResults(tx, id)).length, results };
}
