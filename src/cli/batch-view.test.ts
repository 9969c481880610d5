import { describe, expect, it } from "vitest";
import type { BatchDetail, SheetJob } from "../contract/batches.ts";
import {
  applyBatchEvent,
  type BatchView,
  describeSheet,
  describeSheetEvent,
  lastStep,
  viewBatch,
  viewNewBatch,
} from "./batch-view.ts";

const ids = ["0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d21", "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d22"] as const;

function makeJob(id: string, changed: Partial<SheetJob> = {}): SheetJob {
  return {
    id,
    sequence: 1,
    filename: "program.pdf",
    sourceUrl: null,
    status: "pending",
    stage: "queued",
    progressMessage: null,
    resultCode: null,
    meetName: null,
    eventCount: null,
    cached: false,
    error: null,
    errorCode: null,
    retriable: false,
    retryCount: 0,
    ...changed,
  };
}

function makeDetail(status: BatchDetail["batch"]["status"], jobs: SheetJob[]): Pick<BatchDetail, "batch" | "jobs"> {
  return { batch: { status } as BatchDetail["batch"], jobs };
}

const running = viewBatch(makeDetail("running", [makeJob(ids[0]), makeJob(ids[1])]));
const event = (type: string, data: Record<string, unknown>) => ({ number: 1, type, data });
const apply = (view: BatchView, type: string, data: Record<string, unknown>) =>
  applyBatchEvent(view, event(type, data));

describe("a batch that is watched", () => {
  it("moves the sheet that an event is of, and no other", () => {
    const after = apply(running, "job_progress", { jobId: ids[1], stage: "extracting", message: "Looking" });
    expect(after.sheets[0]).toBe(running.sheets[0]);
    expect(after.sheets[1]).toMatchObject({ status: "running", stage: "extracting", reached: 4 });
    expect(after.sheets.map(describeSheet)).toEqual(["queued", "extracting: Looking"]);
  });

  it("fills the bar of what is read and leaves that of what failed where it was", () => {
    const checked = apply(running, "job_progress", { jobId: ids[0], stage: "checking", message: null });
    const failed = apply(checked, "job_failed", { jobId: ids[0], errorCode: "INVALID_PDF", errorMessage: "Damaged." });
    const both = apply(failed, "job_completed", { jobId: ids[1], eventCount: 1, cached: true });
    expect(both.sheets.map(({ reached }) => reached)).toEqual([2, lastStep]);
    expect(both.sheets.map(describeSheet)).toEqual([
      "failed (INVALID_PDF): Damaged.",
      "done: 1 swim, known from before",
    ]);
  });

  it("gives a retry and an end a line of their own, and progress none", () => {
    const tell = (type: string, data: Record<string, unknown>) => {
      const [sheet] = apply(running, type, { jobId: ids[0], ...data }).sheets;
      return sheet && describeSheetEvent(event(type, data), sheet);
    };
    expect(tell("job_progress", { stage: "queued", message: "Retry 1 after TIMEOUT, in 1 s" })).toBe(
      "Retry 1 after TIMEOUT, in 1 s",
    );
    expect(tell("job_completed", { eventCount: 2 })).toBe("done: 2 swims");
    expect(tell("job_progress", { stage: "checking", message: "Checking" })).toBeUndefined();
  });

  it("ends as its last event says, is opened by a retry, and cancelled with what had not ended", () => {
    const done = apply(running, "job_completed", { jobId: ids[0], eventCount: 3 });
    expect(apply(done, "batch_completed", { status: "partial" }).status).toBe("partial");
    expect(apply({ ...done, status: "partial" }, "batch_retried", { retriedJobs: 1 }).status).toBe("running");
    const cancelled = apply(done, "batch_cancelled", { cancelledJobs: 1 });
    expect(cancelled.status).toBe("cancelled");
    expect(cancelled.sheets.map(({ status }) => status)).toEqual(["completed", "cancelled"]);
  });

  it("is as the server says it is when events are no longer kept", () => {
    const sync = makeDetail("completed", [makeJob(ids[0], { status: "completed", stage: "done", eventCount: 4 })]);
    expect(apply(running, "state_sync", { ...sync })).toMatchObject({
      status: "completed",
      sheets: [{ reached: lastStep, eventCount: 4 }],
    });
  });

  it("is told from its beginning when it is new, whatever became of it meanwhile", () => {
    const job = makeJob(ids[0], { status: "failed", stage: "failed", errorCode: "TIMEOUT", error: "Too slow." });
    const view = viewNewBatch({ jobs: [job] });
    expect(view).toMatchObject({ status: "pending", sheets: [{ name: "program.pdf", reached: 0, errorCode: null }] });
    expect(view.sheets.map(describeSheet)).toEqual(["queued"]);
  });

  it("stays as it is after an event of a kind it does not know", () => {
    expect(apply(running, "sheet_admired", { jobId: ids[0] })).toBe(running);
  });
});
