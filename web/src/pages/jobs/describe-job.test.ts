import { expect, it } from "vitest";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { describeJob, tookMs } from "./describe-job.ts";

const now = new Date("2026-11-18T08:00:00.000Z").getTime();
const describeListing = (job: Partial<JobSummary>) => describeJob(makeJob({ stage: "list", ...job }), now);

it("says where a job is and what it said last", () => {
  expect(describeListing({})).toBe("List");
  expect(describeListing({ runAt: "2026-11-18T10:00:00.000Z" })).toBe("List · starts in 2 hr.");
  expect(describeListing({ errorMessage: "No answer." })).toBe("List · tries again after: No answer.");
  expect(describeListing({ status: "running", currentItem: "7" })).toBe("List · 7");
  expect(describeListing({ status: "running", currentItem: "7", message: "reading" })).toBe("List · reading");
  expect(describeListing({ status: "failed", errorMessage: "No answer." })).toBe("List · No answer.");
  expect(describeListing({ status: "completed", stage: null })).toBe("");
});

it("counts from the start to the end, or to the present", () => {
  const startedAt = "2026-11-18T07:59:50.000Z";
  expect(tookMs(makeJob({ status: "running", startedAt }), now)).toBe(10_000);
  expect(tookMs(makeJob({ status: "completed", startedAt, completedAt: "2026-11-18T07:59:51.000Z" }), now)).toBe(1_000);
  // It was started before, and waits for its next attempt.
  expect(tookMs(makeJob({ status: "pending", startedAt }), now)).toBeNull();
  expect(tookMs(makeJob({ status: "cancelled" }), now)).toBeNull();
});
