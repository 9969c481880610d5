import { describe, expect, it } from "vitest";
import type { SheetJob } from "../../../../../src/contract/batches.ts";
import { makeBatch, makeSheet } from "../../../testing/made-up/batches.ts";
import { applyBatchEvent, type BatchEvent, type BatchPicture } from "./apply-batch-event.ts";

const start: BatchEvent = {
  type: "state_sync",
  eventId: 0,
  batch: makeBatch({ totalJobs: 3 }),
  jobs: [1, 2, 3].map((sequence) => makeSheet(sequence)),
};

function progress(eventId: number, sequence: number, stage: SheetJob["stage"], message: string): BatchEvent {
  return { type: "job_progress", eventId, jobId: `sheet-${sequence}`, stage, message };
}

function completed(eventId: number, sequence: number): BatchEvent {
  const result = { resultCode: `code-${sequence}`, eventCount: 2, meetName: "Harbour Cup", cached: false };
  return { type: "job_completed", eventId, jobId: `sheet-${sequence}`, ...result };
}

function failed(eventId: number, sequence: number): BatchEvent {
  const failure = { errorCode: "ENCRYPTED_PDF", errorMessage: "It has a password.", retriable: false, retryCount: 0 };
  return { type: "job_failed", eventId, jobId: `sheet-${sequence}`, ...failure };
}

function ended(eventId: number, status: "completed" | "partial", states: SheetJob["status"][]): BatchEvent {
  const results = states.map((state, index) => ({
    jobId: `sheet-${index + 1}`,
    sequence: index + 1,
    filename: `${index + 1}.pdf`,
    status: state,
    resultCode: state === "completed" ? `code-${index + 1}` : null,
    meetName: state === "completed" ? "Harbour Cup" : null,
    eventCount: state === "completed" ? 2 : null,
    cached: false,
    errorCode: state === "failed" ? "ENCRYPTED_PDF" : null,
  }));
  return { type: "batch_completed", eventId, status, results };
}

/** A run in which one sheet fails, in the order the server tells it. */
const run: BatchEvent[] = [
  start,
  { type: "batch_started", eventId: 1 },
  progress(2, 1, "checking", "Checking the file"),
  progress(3, 2, "downloading", "Downloading 2.pdf"),
  progress(4, 1, "extracting", "Looking for Nora Seewald"),
  completed(5, 1),
  failed(6, 2),
  progress(7, 3, "checking", "Checking the file"),
  completed(8, 3),
  ended(9, "partial", ["completed", "failed", "completed"]),
];

function show(events: readonly BatchEvent[]): BatchPicture {
  const picture = events.reduce<BatchPicture | undefined>(applyBatchEvent, undefined);
  if (!picture) throw new Error("there is no picture");
  return picture;
}

const states = ({ jobs }: BatchPicture) => jobs.map(({ status }) => status);

describe("what is shown of a batch", () => {
  it("follows a run from its first event to its last", () => {
    const running = show(run.slice(0, 5));
    expect(running.batch).toMatchObject({ status: "running", completedJobs: 0, lastEventId: 4 });
    expect(running.jobs[0]).toMatchObject({ status: "running", stage: "extracting" });
    expect(running.jobs[0]?.progressMessage).toBe("Looking for Nora Seewald");

    const picture = show(run);
    expect(picture.batch).toMatchObject({ status: "partial", completedJobs: 2, failedJobs: 1, lastEventId: 9 });
    expect(picture.jobs[0]).toMatchObject({ stage: "done", resultCode: "code-1", meetName: "Harbour Cup" });
    expect(picture.jobs[0]?.progressMessage).toBeNull();
    expect(picture.jobs[1]).toMatchObject({ stage: "failed", error: "It has a password.", errorCode: "ENCRYPTED_PDF" });
  });

  it("counts sheets that the swimmer is not in, until they are read again", () => {
    const failure = { errorMessage: "Not in this sheet.", retriable: false, retryCount: 0 };
    const missing: BatchEvent = {
      type: "job_failed",
      eventId: 7,
      jobId: "sheet-3",
      errorCode: "SWIMMER_NOT_FOUND",
      ...failure,
    };
    const before = [...run.slice(0, 7), missing];
    expect(show(before).batch).toMatchObject({ failedJobs: 2, withoutSwimmer: 1 });
    const again: BatchEvent = { type: "batch_retried", eventId: 8, retriedJobs: 2 };
    expect(show([...before, again]).batch).toMatchObject({ failedJobs: 0, withoutSwimmer: 0 });
  });

  it("is the same when events come twice or a replay begins before what is known", () => {
    const twice = run.flatMap((event) => [event, event]);
    expect(show(twice)).toEqual(show(run));
    expect(show([...run.slice(0, 8), ...run.slice(3)])).toEqual(show(run));
  });

  it("is what a state_sync says, whatever was known before", () => {
    expect(show([...run, start])).toEqual(show([start]));
  });

  it("waits for a state_sync before anything else", () => {
    expect(applyBatchEvent(undefined, completed(5, 1))).toBeUndefined();
  });

  it("puts a sheet that will be tried again back to waiting, with the reason", () => {
    const { jobs } = show([...run.slice(0, 4), progress(5, 2, "queued", "Retry 1 after TIMEOUT, in 2 s")]);
    expect(jobs[1]).toMatchObject({ status: "pending", progressMessage: "Retry 1 after TIMEOUT, in 2 s" });
  });

  it("cancels what had not ended and keeps what had", () => {
    const picture = show([...run.slice(0, 6), { type: "batch_cancelled", eventId: 6 }]);
    expect(states(picture)).toEqual(["completed", "cancelled", "cancelled"]);
    expect(picture.batch).toMatchObject({ status: "cancelled", completedJobs: 1, failedJobs: 0 });
  });

  it("starts all stopped sheets again without their errors", () => {
    const picture = show([...run, { type: "batch_retried", eventId: 10, retriedJobs: 1 }]);
    expect(states(picture)).toEqual(["completed", "pending", "completed"]);
    expect(picture.jobs[1]).toMatchObject({ stage: "queued", error: null, errorCode: null });
    expect(picture.batch).toMatchObject({ failedJobs: 0, completedAt: null });
    expect(picture.unclear).toBe(false);
  });

  it("says that it does not know which sheet was started again, until a state_sync tells", () => {
    const cancelled: BatchEvent = { type: "batch_cancelled", eventId: 6 };
    const events = [...run.slice(0, 6), cancelled, { type: "batch_retried", eventId: 7, retriedJobs: 1 } as const];
    expect(show(events).unclear).toBe(true);
    expect(show([...events, start]).unclear).toBe(false);
  });

  it("takes from the end what no event of its own has told", () => {
    const picture = show([...run.slice(0, 6), ended(6, "partial", ["completed", "cancelled", "completed"])]);
    expect(states(picture)).toEqual(["completed", "cancelled", "completed"]);
    expect(picture.jobs[2]).toMatchObject({ stage: "done", resultCode: "code-3" });
  });

  it("counts on over events that are not for people", () => {
    const unknown = { type: "batch_follow_up_failed", eventId: 10 } as unknown as BatchEvent;
    const picture = show([...run, unknown]);
    expect(picture.batch.lastEventId).toBe(10);
    expect(picture.jobs).toEqual(show(run).jobs);
  });
});
