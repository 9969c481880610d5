/** Made-up jobs: one that waits, of which a test names what it is about. */
import type { JobSummary } from "../../../../src/contract/jobs.ts";

export function makeJob(given: Partial<JobSummary> = {}): JobSummary {
  return {
    id: "job",
    kind: "document",
    status: "pending",
    priority: 0,
    batchId: null,
    sequence: null,
    parentId: null,
    lockKey: null,
    attempts: 0,
    maxAttempts: 3,
    stage: null,
    totalItems: null,
    completedItems: 0,
    failedItems: 0,
    currentItem: null,
    lastCompletedItem: null,
    message: null,
    createdAt: "2026-11-18T07:00:00.000Z",
    runAt: "2026-11-18T07:00:00.000Z",
    startedAt: null,
    heartbeatAt: null,
    completedAt: null,
    errorCode: null,
    errorMessage: null,
    lastEventId: 0,
    ...given,
  };
}
