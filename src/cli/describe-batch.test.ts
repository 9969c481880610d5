import { describe, expect, it } from "vitest";
import type { BatchDetail, BatchResults, MergedSwimEvent } from "../contract/batches.ts";
import { describeResults } from "./describe-batch.ts";

const id = "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e";

function makeSwim(changed: Partial<MergedSwimEvent>): MergedSwimEvent {
  const source = { sequence: 1, page: 1, bbox: null, by: "parser" as const };
  return {
    eventNumber: 1,
    eventName: "Girls 50 Yard Freestyle",
    heatNumber: 2,
    lane: 3,
    swimmerName: "Elmford, Runa",
    sessionDate: "2031-06-14",
    source,
    sources: [source],
    ...changed,
  };
}

function makeResults(changed: Partial<BatchResults>): BatchResults {
  const base = {
    swimmerName: "Runa Elmford",
    totalEvents: 0,
    sources: [],
    events: [],
    warnings: [],
    failedSources: [],
  };
  return { success: true, ...base, ...changed };
}

const detail = (status: BatchDetail["batch"]["status"], jobs: Partial<BatchDetail["jobs"][number]>[] = []) =>
  ({ batch: { id, status, totalJobs: 2, completedJobs: 1, failedJobs: 0 }, jobs }) as unknown as BatchDetail;

describe("a schedule in words", () => {
  it("has a heading for each day and session, and a line for each swim", () => {
    const events = [
      makeSwim({ heatStartTime: "08:05", estimated: true, totalHeats: 4, seedTime: "31.20", sessionName: "Morning" }),
      makeSwim({ eventNumber: 7, sessionName: "Evening", relay: { team: "TIDE", letter: "B", leg: 2, members: [] } }),
      makeSwim({ eventNumber: 9, sessionDate: null, heatNumber: null, lane: null, rank: 12 }),
    ];
    expect(describeResults(makeResults({ events }), detail("completed"))).toBe(`Runa Elmford: 3 swims

2031-06-14, Morning
  ~08:05  #1 Girls 50 Yard Freestyle: heat 2 of 4, lane 3, seed 31.20

2031-06-14, Evening
   --:--  #7 Girls 50 Yard Freestyle: heat 2, lane 3, relay B leg 2

Day not known
   --:--  #9 Girls 50 Yard Freestyle: rank 12
`);
  });

  it("says what is missing and why, what to note, and that more is to come", () => {
    const failed = { sequence: 2, filename: null, errorCode: "TIMEOUT", errorMessage: "Too slow.", retriable: true };
    const results = makeResults({ warnings: ["a.pdf: page 3 is a scan"], failedSources: [failed] });
    const cancelled = { status: "cancelled" as const, filename: "c.pdf", sequence: 3 };
    expect(describeResults(results, detail("running", [cancelled]))).toBe(`\
Not finished: 1 of 2 sheets done so far. Look again: docmill results ${id}

No swims of Runa Elmford were found.

Please note:
  a.pdf: page 3 is a scan

Not read:
  sheet 2: Too slow. (TIMEOUT)
  c.pdf: cancelled
Try again: docmill heats --retry ${id}
`);
  });

  it("lets no sheet steer the terminal", () => {
    const events = [makeSwim({ eventName: "Girls\u001b[2J 50\nFree" })];
    const text = describeResults(makeResults({ events }), detail("completed"));
    expect(text).toContain("#1 Girls [2J 50 Free: ");
    expect(text).not.toContain("\u001b");
  });
});
