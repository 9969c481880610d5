// @vitest-environment happy-dom
/** Generating guidelines: what is shown while it runs and when it has stopped, and that it goes on from there. */
import { useQuery } from "@tanstack/react-query";
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BookJob, StartedJob } from "../../../../../src/contract/books.ts";
import { oneBook } from "../../../api/books.ts";
import { type FakeServer, startFakeServer } from "../../../testing/fake-server.ts";
import { makeBookOf, makeExtraction, makePages } from "../../../testing/made-up/books.ts";
import { closeApp, renderInApp } from "../../../testing/open-app.tsx";
import { GenerationPanel } from "./GenerationPanel.tsx";

const lost = "Job interrupted (no heartbeat since 2031-05-04T10:00:00Z). Resume from page 79.";
const running = makeExtraction({
  job_id: "1",
  progress_detail: JSON.stringify({ stats: { subtopics_created: 14, subtopics_merged: 3 } }),
});
const failed: BookJob = { ...running, status: "failed", current_item: null, error_message: lost };
const started: StartedJob = {
  job_id: "2",
  status: "started",
  start_page: 79,
  end_page: 100,
  total_pages: 22,
  message: "Guideline generation started for pages 79-100",
};
const generate = "POST /admin/books/book/generate-guidelines";

let job: BookJob | null;
let looks: number;
let answer: StartedJob;
let server: FakeServer;

const bookWith = (extraction: BookJob | null) => makeBookOf(makePages(100, { status: "approved" }), { extraction });

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime("2031-05-04T10:12:34.000Z");
  looks = 0;
  answer = started;
  server = startFakeServer({
    "GET /admin/books/book": () => bookWith(job),
    "GET /admin/books/book/jobs/latest?job_type=extraction": () => {
      looks++;
      return job;
    },
    [generate]: () => answer,
  });
});

afterEach(() => {
  closeApp();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Shown() {
  const { data: book } = useQuery(oneBook("book"));
  return book ? <GenerationPanel book={book} /> : null;
}

async function show(first: BookJob | null): Promise<void> {
  job = first;
  renderInApp(<Shown />);
  // The router, then the book, then its job.
  for (let step = 0; step < 5; step++) await pass(10);
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });

async function click(name: string | RegExp): Promise<void> {
  fireEvent.click(button(name));
  await pass(0);
}

test("a running job shows how far it is, on what and for how long, counting up", async () => {
  await show(running);
  const line = screen.getByTestId("job-progress");
  expect(line.textContent).toMatch(
    /^78\/100 pages \(78 %\) · now page 79 · 14 subtopics, 1 failed · 12m 34s · you can leave this page$/,
  );
  job = { ...running, completed_items: 80, current_item: 82 };
  await pass(3_000);
  expect(line.textContent).toContain("80/100 pages (80 %) · now page 82");
  expect(line.textContent).toContain("12m 37s");
});

test("5.5 Resume asks for what is left, and the new job is polled to its end", async () => {
  await show(failed);
  expect(screen.getByRole("alert").textContent).toContain(lost);
  await pass(30_000);
  const idle = looks;

  job = { ...running, job_id: "2", completed_items: 0, total_items: 22, current_item: 79 };
  await click("Resume from page 79");
  expect(server.writes).toEqual([generate]);
  expect(server.bodyOf(generate)).toEqual({ resume: true });
  expect(looks).toBe(idle + 1);
  expect(screen.getByTestId("job-progress").textContent).toContain("0/22 pages (0 %) · now page 79");

  job = { ...job, completed_items: 5, current_item: 84 };
  await pass(3_000);
  expect(screen.getByTestId("job-progress").textContent).toContain("5/22 pages (22 %) · now page 84");

  job = { ...job, status: "completed", completed_items: 22, completed_at: "2031-05-04T10:14:00.000Z" };
  await pass(3_000);
  expect(screen.getByText("Generated, 1 page failed")).toBeDefined();
  const ended = looks;
  await pass(30_000);
  expect(looks).toBe(ended);
});

test("a job that is found failed by polling alone can be resumed, though no stream has told of it", async () => {
  await show(running);
  job = failed;
  await pass(3_000);
  await pass(10);
  expect(button("Resume from page 79").disabled).toBe(false);
});

test("a cancelled job can be resumed too, or begun anew with a range", async () => {
  await show({ ...failed, status: "cancelled", error_message: null });
  expect(button("Resume from page 79")).toBeDefined();
  await click("Restart");
  fireEvent.change(screen.getByLabelText("To page"), { target: { value: "50" } });
  await click("Generate");
  expect(server.bodyOf(generate)).toEqual({ start_page: 1, end_page: 50, auto_sync_to_db: false });
});

test("where nothing is left, that is said", async () => {
  await show({ ...failed, status: "completed", error_message: null, failed_items: 0 });
  answer = { ...started, job_id: null, status: "already_complete", message: "All pages already processed" };
  await click("Generate what is missing");
  expect(screen.getByText(/All pages already processed/)).toBeDefined();
});

test("pages that failed are listed with their errors", async () => {
  const page_errors = { "23": { error: "The page has no text", error_type: "terminal" } };
  await show({ ...failed, status: "completed", error_message: null, progress_detail: JSON.stringify({ page_errors }) });
  expect(screen.getByLabelText("Pages that failed").textContent).toBe("Page 23: The page has no text");
});

test.each([running, failed])("7.3 malformed progress_detail is passed over ($status)", async (given) => {
  await show({ ...given, progress_detail: '{"page_errors": {"23": {"err' });
  const text = document.body.textContent ?? "";
  expect(text).toContain("78/100 pages (78 %)");
  expect(text).not.toContain("subtopics");
});

test("without a job there is the form, with all pages chosen", async () => {
  await show(null);
  expect(screen.getByLabelText<HTMLInputElement>("From page").value).toBe("1");
  expect(screen.getByLabelText<HTMLInputElement>("To page").value).toBe("100");
  expect(screen.getByText("All pages are approved.")).toBeDefined();
});
