/** What is said of a job while it runs, and where it goes on when it has stopped. */
import { expect, test } from "vitest";
import { makeBookJob, makeExtraction } from "../../testing/made-up/books.ts";
import { describeProgress, findResumePage } from "./describe-progress.ts";

const stats = (created: number) =>
  JSON.stringify({ page_errors: {}, stats: { subtopics_created: created, subtopics_merged: 3 } });

test("a running extraction says pages, the present one, subtopics and failures", () => {
  const job = makeExtraction({ progress_detail: stats(14) });
  expect(describeProgress(job)).toBe("78/100 pages (78 %) · now page 79 · 14 subtopics, 1 failed");
});

test("a finalization counts subtopics", () => {
  const job = makeBookJob({ job_type: "finalization", status: "running", total_items: 5, completed_items: 2 });
  expect(describeProgress(job)).toBe("2/5 subtopics (40 %)");
});

test("where the total is not known, only what is done is said", () => {
  expect(describeProgress(makeBookJob({ total_items: null, completed_items: 1 }))).toBe("1 page");
});

test("the page to resume from is the one that the server names", () => {
  const error_message = "Job interrupted (no heartbeat since 2031-05-04T10:00:00Z). Resume from page 79.";
  expect(findResumePage(makeBookJob({ status: "failed", error_message, last_completed_item: 90 }), 100)).toBe(79);
});

test("otherwise it is the one after the last that is done, or one before it that failed", () => {
  const job = makeBookJob({ status: "failed", error_message: "No space left", last_completed_item: 78 });
  expect(findResumePage(job, 100)).toBe(79);
  expect(findResumePage({ ...job, last_completed_item: null }, 100)).toBe(1);
  const progress_detail = JSON.stringify({ page_errors: { "23": { error: "Empty", error_type: "terminal" } } });
  expect(findResumePage({ ...job, progress_detail }, 100)).toBe(23);
});

test("after the last page there is none", () => {
  expect(findResumePage(makeBookJob({ status: "cancelled", last_completed_item: 10 }), 10)).toBeNull();
});
