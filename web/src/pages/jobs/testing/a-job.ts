/** Jobs for tests: complete, with what matters given. */
import type { JobSummary } from "../../../../../src/contract/jobs.ts";

export function aJob(given: Partial<JobSummary> = {}): JobSummary {
  return {
    id: "01a1ed79-7763-727a-b68f-7d160953c1f6",
    kind: "word-count",
    status: "pending",
    priority: 0,
    batchId: null,
    sequence: null,
    parentId: null,
    lockKey: null,
    attempts: 0,
    maxAttempts: 3,
    stage: "list",
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
