// @vitest-environment happy-dom
/** What failed is found by the counts, and its button does what puts it right. */
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import type { Stats } from "../../../../src/contract/system.ts";
import { FailedLately } from "./FailedLately.tsx";
import { startFakeServer } from "./testing/fake-server.ts";
import { makeBatch, makeBook, makeBookJob, makeDocument, makeJob } from "./testing/made-up.ts";
import { renderInApp } from "./testing/render-in-app.tsx";

const justNow = new Date().toISOString();
const listOf = (...items: JobSummary[]) => ({ items, nextCursor: null });
const failed = (job: Partial<JobSummary>) => listOf(makeJob({ status: "failed", completedAt: justNow, ...job }));
const answers = {
  "GET /api/documents": () => ({ items: [], nextCursor: null }),
  "GET /api/batch": () => ({ items: [], nextCursor: null }),
  "GET /api/jobs": () => listOf(),
  "GET /admin/books": () => ({ books: [makeBook({})] }),
};

/** Counts that say that one job of each kind has failed. */
function countsOf(...kinds: string[]): Partial<Stats> {
  const counts = { pending: 0, running: 0, completed: 0, failed: 1, cancelled: 0, meanRunMs: null, served: true };
  return { byKind: Object.fromEntries(kinds.map((kind) => [kind, counts])) };
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

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
      "GET /api/batch": () => ({ items: [makeBatch({ status: "failed", failedJobs: 15, completedAt: justNow })] }),
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
  await server.tell([], countsOf("batch_mail"));
  await userEvent.click(await screen.findByRole("button", { name: button }));
  await vi.waitFor(() => expect(server.calls).toEqual([call]));
});

test("leads to a book whose job failed last", async () => {
  const server = startFakeServer({
    ...answers,
    "GET /api/jobs?kind=extraction&state=failed&limit=50": () =>
      failed({ id: "job", kind: "extraction", lockKey: "book:book", errorMessage: "The worker was lost." }),
    "GET /admin/books/book/jobs/latest?job_type=extraction": () => makeBookJob({ status: "failed" }),
  });
  renderInApp(<FailedLately />);
  await server.tell([], countsOf("extraction"));
  expect(await screen.findByText("Writing guidelines failed: The worker was lost.")).toBeDefined();
  expect(screen.getByRole("link", { name: "Go to Work Made Easy and resume" }).getAttribute("href")).toBe(
    "/books/book",
  );
});
