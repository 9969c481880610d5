import { expect, it } from "vitest";
import { describeJob, tookMs } from "./describe-job.ts";
import { aJob } from "./testing/a-job.ts";

const now = new Date("2026-11-18T08:00:00.000Z").getTime();

it("says where a job is and what it said last", () => {
  expect(describeJob(aJob(), now)).toBe("List");
  expect(describeJob(aJob({ runAt: "2026-11-18T10:00:00.000Z" }), now)).toBe("List · starts in 2 hr.");
  expect(describeJob(aJob({ errorMessage: "No answer." }), now)).toBe("List · tries again after: No answer.");
  expect(describeJob(aJob({ status: "running", currentItem: "7" }), now)).toBe("List · 7");
  expect(describeJob(aJob({ status: "running", currentItem: "7", message: "reading" }), now)).toBe("List · reading");
  expect(describeJob(aJob({ status: "failed", errorMessage: "No answer." }), now)).toBe("List · No answer.");
  expect(describeJob(aJob({ status: "completed", stage: null }), now)).toBe("");
});

it("counts from the start to the end, or to the present", () => {
  const startedAt = "2026-11-18T07:59:50.000Z";
  expect(tookMs(aJob({ status: "running", startedAt }), now)).toBe(10_000);
  expect(tookMs(aJob({ status: "completed", startedAt, completedAt: "2026-11-18T07:59:51.000Z" }), now)).toBe(1_000);
  // It was started before, and waits for its next attempt.
  expect(tookMs(aJob({ status: "pending", startedAt }), now)).toBeNull();
  expect(tookMs(aJob({ status: "cancelled" }), now)).toBeNull();
});
