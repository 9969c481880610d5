/** What was read to its end is told as finished, whether or not the swimmer was in it. */
import { expect, test } from "vitest";
import { makeBatch } from "../../testing/made-up/batches.ts";
import { describeFinished } from "./describe-finished.ts";

test("a batch is finished when every sheet was read", () => {
  const ended = { totalJobs: 3, completedAt: "2031-06-14T07:00:00.000Z" };
  const batches = [
    makeBatch({ ...ended, id: "found", status: "completed", completedJobs: 3 }),
    makeBatch({ ...ended, id: "in some", status: "partial", completedJobs: 1, failedJobs: 2, withoutSwimmer: 2 }),
    makeBatch({ ...ended, id: "in none", status: "failed", failedJobs: 3, withoutSwimmer: 3 }),
    makeBatch({ ...ended, id: "broken", status: "partial", completedJobs: 1, failedJobs: 2, withoutSwimmer: 1 }),
    makeBatch({ ...ended, id: "stopped", status: "cancelled", completedJobs: 1 }),
  ];
  const lines = describeFinished({ documents: [], batches, books: [], jobs: [] });
  expect(lines.map(({ key, outcome }) => [key, outcome])).toEqual([
    ["batch found", "3 sheets read"],
    ["batch in some", "3 sheets read"],
    ["batch in none", "3 sheets read · swimmer not found"],
  ]);
});
