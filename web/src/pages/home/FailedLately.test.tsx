// @vitest-environment happy-dom
/** What failed is found by the counts, and its button does what puts it right. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import type { Stats } from "../../../../src/contract/system.ts";
import { startFakeServer } from "../../testing/fake-server.ts";
import { makeBatch } from "../../testing/made-up/batches.ts";
import { makeBook, makeBookJob } from "../../testing/made-up/books.ts";
import { makeDocument } from "../../testing/made-up/documents.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { makeCounts } from "../../testing/made-up/system.ts";
import { closeApp, renderInApp } from "../../testing/open-app.tsx";
import { FailedLately } from "./FailedLately.tsx";

const justNow = new Date().toISOString();
const listOf = (...items: JobSummary[]) => ({ items, nextCursor: null });
const failed = (job: Partial<JobSummary>) => listOf(makeJob({ status: "failed", completedAt: justNow, ...job }));
const answers = {
  "GET /api/documents": () => ({ items: [], nextCursor: null }),
  "GET /api/batch": () => ({ items: [], nextCursor: null }),
  "GET /api/jobs": () => listOf(),
  "GET /admin/books": () => ({ books: [makeBook()] }),
};

/** Counts that say that one job of each kind has failed. */
function countsOf(...kinds: string[]): Partial<Stats> {
  return { byKind: Object.fromEntries(kinds.map((kind) => [kind, makeCounts({ failed: 1 })])) };
}

afterEach(closeApp);

test("says so when nothing has failed", async () => {
  startFakeServer(answers);
  renderInApp(<FailedLately />);
  expect(await screen.findByText("Nothing has failed in the last seven days.")).toBeDefined();
});

test.each([
  [
    "a document",
    {
      "GET /api/documents": () => ({
        items: [makeDocument({ title: "Report", status: "Failed", createdAt: justNow, errorMessage: "Damaged." })],
      }),
    },
    "Try again: Report",
    "POST /api/documents/document/retry",
  ],
  [
    "a batch",
    {
      "GET /api/batch": () => ({
        items: [makeBatch({ swimmerName: "Runa Elmford", status: "failed", failedJobs: 2, completedAt: justNow })],
      }),
    },
    "Try again: Heat sheets for Runa Elmford",
    "POST /api/batch/batch/retry",
  ],
  [
    "another job",
    { "GET /api/jobs?kind=batch_mail&state=failed&limit=50": () => failed({ id: "mail", kind: "batch_mail" }) },
    "Try again: Sending mail about heat sheets",
    "POST /api/jobs/mail/retry",
  ],
])("tries again: %s", async (_, more, button, call) => {
  const server = startFakeServer({ ...answers, ...more, [call]: () => ({}) });
  renderInApp(<FailedLately />);
  await server.tellActivity([], { stats: countsOf("batch_mail") });
  await userEvent.click(await screen.findByRole("button", { name: button }));
  await vi.waitFor(() => expect(server.writes).toEqual([call]));
});

test("leads to a book whose job failed last", async () => {
  const server = startFakeServer({
    ...answers,
    "GET /api/jobs?kind=extraction&state=failed&limit=50": () =>
      failed({ id: "job", kind: "extraction", lockKey: "book:book", errorMessage: "The worker was lost." }),
    "GET /admin/books/book/jobs/latest?job_type=extraction": () => makeBookJob({ status: "failed" }),
  });
  renderInApp(<FailedLately />);
  await server.tellActivity([], { stats: countsOf("extraction") });
  expect(await screen.findByText("Writing guidelines failed: The worker was lost.")).toBeDefined();
  expect(screen.getByRole("link", { name: "Resume: Work Made Easy" }).getAttribute("href")).toBe("/books/book");
});
