/** Work is named as people know it, and what belongs together is one line. */
import { expect, test } from "vitest";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { makeBatch } from "../../testing/made-up/batches.ts";
import { makeBook } from "../../testing/made-up/books.ts";
import { makeUnreadDocument } from "../../testing/made-up/documents.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { describeWork, type WorkSources } from "./describe-work.ts";

const makeRunningJob = (given: Partial<JobSummary>) =>
  makeJob({ status: "running", startedAt: "2031-05-04T10:00:00.000Z", ...given });
const describe = (sources: Partial<WorkSources>) =>
  describeWork({ running: [], waiting: [], documents: [], batches: [], books: [], ...sources });

test("a document is named by its title, or else by its file", () => {
  const lines = describe({
    running: [makeRunningJob({ id: "a" })],
    documents: [
      makeUnreadDocument({ id: "1", jobId: "a", title: "Annual report" }),
      makeUnreadDocument({ id: "2", jobId: "b", filename: "minutes.docx", stage: "pending" }),
    ],
  });
  expect(lines).toMatchObject([
    { title: "Annual report", state: "running", done: 4, total: 10, message: "Reading" },
    { title: "minutes.docx", state: "pending" },
  ]);
  expect(lines[0]?.link).toEqual({ to: "/documents/$documentId", params: { documentId: "1" } });
});

test("a batch of fifteen sheets is one line", () => {
  const sheet = (sequence: number) =>
    makeRunningJob({ id: `sheet ${sequence}`, kind: "heat_sheet", batchId: "batch", sequence });
  const lines = describe({
    running: [sheet(4), sheet(5), sheet(6)],
    waiting: Array.from({ length: 9 }, (_, place) => ({ ...sheet(7 + place), status: "pending" as const })),
    batches: [
      makeBatch({
        swimmerName: "Runa Elmford",
        status: "running",
        totalJobs: 15,
        completedJobs: 2,
        failedJobs: 2,
        withoutSwimmer: 1,
      }),
      makeBatch({ id: "old", status: "completed" }),
    ],
  });
  expect(lines).toMatchObject([
    { title: "Heat sheets for Runa Elmford", done: 3, failed: 1, total: 15, message: "3 sheets being read" },
  ]);
});

test("sheets of a batch that is not among the newest lead to it all the same", () => {
  const sheets = ["1", "2"].map((id) => makeRunningJob({ id, kind: "heat_sheet", batchId: "older" }));
  expect(describe({ running: sheets })).toMatchObject([
    { title: "Heat sheets", link: { params: { batchId: "older" } }, message: "2 jobs" },
  ]);
});

test("a book is named by its title, with what is being done to it", () => {
  const job = makeRunningJob({ kind: "ocr_batch", lockKey: "book:book", totalItems: 10, completedItems: 3 });
  expect(describe({ running: [job], books: [makeBook()] })).toMatchObject([
    { title: "Work Made Easy", message: "Reading scanned pages", done: 3, total: 10, link: { to: "/books/$bookId" } },
  ]);
});

test("other jobs are one line a kind: alone they lead to the job, together to the list", () => {
  const lines = describe({
    running: [
      makeRunningJob({ id: "1", kind: "detect_connections", startedAt: "2031-05-04T09:00:00.000Z" }),
      makeRunningJob({ id: "2", kind: "thumbnails.make", message: "page 3" }),
    ],
    waiting: [makeJob({ id: "3", kind: "detect_connections" })],
  });
  expect(lines).toMatchObject([
    { title: "Finding connections between documents", message: "2 jobs", link: { to: "/jobs" } },
    { title: "Thumbnails make", message: "page 3", link: { to: "/jobs/$jobId", params: { jobId: "2" } } },
  ]);
});

test("a job that was started between the two questions counts once", () => {
  const job = makeRunningJob({ kind: "ocr_batch", lockKey: "book:book" });
  const lines = describe({ running: [job], waiting: [{ ...job, status: "pending" }], books: [makeBook()] });
  expect(lines).toMatchObject([{ state: "running" }]);
});

test("what runs stands before what waits, the oldest first", () => {
  const at = (hour: number) => `2031-05-04T${String(hour).padStart(2, "0")}:00:00.000Z`;
  const lines = describe({
    running: [makeRunningJob({ id: "late", startedAt: at(12) }), makeRunningJob({ id: "early", startedAt: at(11) })],
    documents: [
      makeUnreadDocument({ id: "waits long", jobId: "x", createdAt: at(1) }),
      makeUnreadDocument({ id: "runs late", jobId: "late" }),
      makeUnreadDocument({ id: "runs early", jobId: "early" }),
      makeUnreadDocument({ id: "waits", jobId: "y", createdAt: at(2) }),
    ],
  });
  expect(lines.map(({ key }) => key.replace("document ", ""))).toEqual([
    "runs early",
    "runs late",
    "waits long",
    "waits",
  ]);
});
