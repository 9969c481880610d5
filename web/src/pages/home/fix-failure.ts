/** What "Try again" does to something that failed. */
import { retryBatch } from "../../api/batches.ts";
import { retryDocument } from "../../api/documents.ts";
import { retryJob } from "../../api/jobs.ts";
import type { Fix } from "./describe-failures.ts";

export async function fixFailure(fix: Fix): Promise<void> {
  switch (fix.by) {
    case "document":
      await retryDocument(fix.id);
      return;
    case "batch":
      await retryBatch(fix.id);
      return;
    case "jobs":
      for (const id of fix.ids) await retryJob(id);
  }
}
