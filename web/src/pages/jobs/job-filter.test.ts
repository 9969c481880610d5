import { expect, it } from "vitest";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { belongsTo, isNarrowed, readFilter } from "./job-filter.ts";

const now = new Date("2026-11-18T08:30:00.000Z").getTime();

it("reads what an address says and leaves out what it does not know", () => {
  expect(readFilter({ kind: "document", state: "failed", age: "24h" })).toEqual({
    kind: "document",
    state: "failed",
    batch: undefined,
    newerThanMs: 86_400_000,
  });
  expect(isNarrowed(readFilter({ state: "odd", age: "3y" }))).toBe(false);
  expect(isNarrowed(readFilter({ batch: "b" }))).toBe(true);
});

it("tells whether a job belongs", () => {
  const job = makeJob({ kind: "document", status: "failed", batchId: "b", createdAt: "2026-11-18T08:00:00.000Z" });
  expect(belongsTo({}, job, now)).toBe(true);
  expect(belongsTo({ kind: "document", state: "failed", batch: "b", newerThanMs: 3_600_000 }, job, now)).toBe(true);
  expect(belongsTo({ kind: "extraction" }, job, now)).toBe(false);
  expect(belongsTo({ state: "running" }, job, now)).toBe(false);
  expect(belongsTo({ batch: "other" }, job, now)).toBe(false);
  expect(belongsTo({ newerThanMs: 60_000 }, job, now)).toBe(false);
});
