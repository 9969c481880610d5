/** Failures are named as people know them, with the server's reason, as long as nobody has put them right. */
import { expect, test } from "vitest";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { makeBatch } from "../../testing/made-up/batches.ts";
import { makeBook } from "../../testing/made-up/books.ts";
import { makeDocument } from "../../testing/made-up/documents.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { describeFailures, type FailureSources } from "./describe-failures.ts";

const now = Date.parse("2031-05-04T12:00:00.000Z");
const earlier = (days: number) => new Date(now - days * 24 * 3_600_000).toISOString();
const failedJob = (job: Partial<JobSummary>) =>
  makeJob({ status: "failed", completedAt: earlier(0), errorMessage: "No answer in time.", ...job });
const describe = (sources: Partial<FailureSources>) =>
  describeFailures({ jobs: [], documents: [], batches: [], books: [], unresumed: new Set(), ...sources }, now);

test("a document that was read again and failed has failed now, however old it is", () => {
  const document = makeDocument({
    status: "Failed",
    title: "Report",
    errorMessage: "The PDF is damaged.",
    createdAt: earlier(30),
  });
  expect(describe({ documents: [document] })).toEqual([]);
  expect(describe({ documents: [document], jobs: [failedJob({ id: document.jobId })] })).toMatchObject([
    { title: "Report", why: "The PDF is damaged.", at: earlier(0), fix: { by: "document", id: "document" } },
  ]);
});

test("a batch says how many of its sheets failed, and why one did", () => {
  const batch = makeBatch({ status: "partial", totalJobs: 4, failedJobs: 2, completedAt: earlier(1) });
  const sheet = failedJob({ kind: "heat_sheet", batchId: "batch", errorMessage: "The PDF is protected." });
  expect(describe({ batches: [batch], jobs: [sheet] })).toMatchObject([
    { why: "2 of 4 sheets failed: The PDF is protected.", fix: { by: "batch", id: "batch" } },
  ]);
});

test("a sheet that the swimmer is not in is no failure", () => {
  const only = makeBatch({ id: "only", status: "failed", failedJobs: 2, withoutSwimmer: 2, completedAt: earlier(1) });
  const both = makeBatch({ status: "failed", failedJobs: 2, withoutSwimmer: 1, completedAt: earlier(1) });
  const jobs = [
    failedJob({
      id: "1",
      kind: "heat_sheet",
      batchId: "batch",
      errorCode: "SWIMMER_NOT_FOUND",
      errorMessage: "Not in.",
    }),
    failedJob({
      id: "2",
      kind: "heat_sheet",
      batchId: "batch",
      errorCode: "ENCRYPTED_PDF",
      errorMessage: "Protected.",
    }),
  ];
  expect(describe({ batches: [only, both], jobs })).toMatchObject([
    { key: "batch batch", why: "1 of 2 sheets failed: Protected." },
  ]);
});

test("a document that no other try would help is opened instead", () => {
  const document = makeDocument({ status: "Failed", errorCode: "ENCRYPTED_PDF", createdAt: earlier(1) });
  expect(describe({ documents: [document] })).toMatchObject([{ fix: { by: "hand", verb: "Open" } }]);
});

test("a book that was resumed since has not failed", () => {
  const job = failedJob({ id: "old", kind: "extraction", lockKey: "book:book" });
  const sources = { jobs: [job], books: [makeBook()] };
  expect(describe({ ...sources, unresumed: new Set(["newer"]) })).toEqual([]);
  expect(describe({ ...sources, unresumed: new Set(["old"]) })).toMatchObject([
    {
      title: "Work Made Easy",
      why: "Writing guidelines failed: No answer in time.",
      fix: { by: "hand", verb: "Resume" },
    },
  ]);
});

test("other jobs of a kind are one line, and are tried again together", () => {
  const jobs = ["1", "2"].map((id) => failedJob({ id, kind: "batch_webhook" }));
  expect(describe({ jobs })).toMatchObject([
    {
      title: "Telling another service about heat sheets (2 jobs)",
      why: "No answer in time.",
      fix: { by: "jobs", ids: ["1", "2"] },
    },
  ]);
});

test("the newest comes first, and after a week nothing is said any more", () => {
  const jobs = [8, 3, 1].map((days) =>
    failedJob({ id: `${days}`, kind: `kind-${days}`, completedAt: earlier(days), errorMessage: null }),
  );
  expect(describe({ jobs })).toMatchObject([
    { key: "kind kind-1", why: "The server gave no reason." },
    { key: "kind kind-3" },
  ]);
});
