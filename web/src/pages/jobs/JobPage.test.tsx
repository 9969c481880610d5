// @vitest-environment happy-dom
/** A job's page follows its stream, says why it waits, and goes on after a retry. */
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { JobDetail } from "../../../../src/contract/jobs.ts";
import { type FakeServer, startFakeServer } from "../../testing/fake-server.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

const waitingJob: JobDetail = {
  ...makeJob({ kind: "word-count", stage: "list" }),
  input: { documentId: "01a1ed79-77e4-725a-857d-0fb4ef5fea13" },
  result: null,
  detail: null,
  stages: [
    { name: "list", status: "pending", startedAt: null, finishedAt: null, durationMs: null },
    { name: "count", status: "pending", startedAt: null, finishedAt: null, durationMs: null },
  ],
  items: { completed: 0, failed: 0, errors: [] },
  errorLog: [],
  spend: { paidCalls: 0, hits: 0, tokensIn: 0, tokensOut: 0, cost: null },
  worker: null,
  waiting: { reason: "queue", explanation: "4 jobs of its kind go first.", position: 4, estimatedStartAt: null },
};
let job: JobDetail;
let events: number[];
let server: FakeServer;

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, place) => first + place);
const anEvent = (number: number) => ({
  streamId: job.id,
  number,
  type: "job_progress",
  data: {},
  createdAt: "2026-11-18T07:00:01.000Z",
});
const anItem = (status: string | undefined) => ({
  stage: "count",
  key: "a.txt",
  status,
  output: status === "failed" ? null : 133,
  error: status === "failed" ? { error: "The page is blank.", error_type: "terminal", code: "BLANK" } : null,
  finishedAt: "2026-11-18T07:00:01.000Z",
});
const shownEvents = () =>
  [...screen.getByRole("list", { name: /^Events/ }).children].map((event) =>
    Number(event.firstElementChild?.textContent),
  );

beforeEach(() => {
  job = waitingJob;
  events = [];
  server = startFakeServer({
    "GET /api/jobs/job": () => job,
    "POST /api/jobs/job/retry": () => {
      job = { ...job, status: "pending", lastEventId: job.lastEventId + 1 };
      return job;
    },
    "GET /api/jobs/job/events": ({ query: { after, limit } }) => {
      const kept = events.filter((number) => number > Number(after ?? 0)).slice(0, Number(limit));
      return { items: kept.map(anEvent), lastEventId: job.lastEventId };
    },
    "GET /api/jobs/job/items": ({ query: { state } }) => ({ items: [anItem(state)], nextCursor: null }),
  });
});

afterEach(closeApp);

const stream = "/api/jobs/job/stream";

it("says why it waits and what it belongs to", async () => {
  openApp("/jobs/job");
  await screen.findByText("4 jobs of its kind go first.");
  expect(screen.getByText(/Number 5 of its kind/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the document" }).getAttribute("href")).toMatch(
    /^\/documents\/01a1ed79/,
  );
});

it("looks again when its stream says that something happened", async () => {
  openApp("/jobs/job");
  await screen.findByText("4 jobs of its kind go first.");
  await server.tell(stream, { type: "state_sync", eventId: 0, ...job });
  job = { ...job, status: "running", waiting: null, message: "counting", lastEventId: 1 };
  await server.tell(stream, { type: "job_started", eventId: 1 });
  await screen.findByText("counting");
  expect(screen.queryByText("4 jobs of its kind go first.")).toBeNull();
});

it("asks once for many events", async () => {
  openApp("/jobs/job");
  await screen.findByText("4 jobs of its kind go first.");
  const before = server.asked.length;
  await server.tell(stream, ...numbers(1, 10).map((eventId) => ({ type: "job_progress", eventId })));
  await vi.waitFor(() => expect(server.asked).toHaveLength(before + 1));
});

it("shows events from the newest back, and brings what has come since", async () => {
  job = { ...job, lastEventId: 60 };
  events = numbers(1, 60);
  openApp("/jobs/job");
  await userEvent.click(await screen.findByRole("button", { name: /^Events/ }));
  await vi.waitFor(() => expect(shownEvents()).toEqual(numbers(11, 60).toReversed()));
  await userEvent.click(screen.getByRole("button", { name: "Show older events" }));
  await vi.waitFor(() => expect(shownEvents()).toEqual(numbers(1, 60).toReversed()));
  expect(screen.queryByRole("button", { name: "Show older events" })).toBeNull();

  job = { ...job, lastEventId: 62 };
  events = numbers(1, 62);
  await server.tell(stream, { type: "job_progress", eventId: 62 });
  await vi.waitFor(() => expect(shownEvents()).toEqual(numbers(1, 62).toReversed()));
});

it("does not ask again and again for events that are not kept", async () => {
  job = { ...job, lastEventId: 60 };
  openApp("/jobs/job");
  await userEvent.click(await screen.findByRole("button", { name: /^Events/ }));
  await screen.findByText("They are not kept any more.");
  await server.tell(stream, { type: "state_sync", eventId: 60, ...job });
  expect(server.calls.filter((call) => call.includes("/events"))).toHaveLength(1);
});

it("lists failed items first, and asks once although their count differs from the job's", async () => {
  const error = { error: "The page is blank.", error_type: "terminal", code: "BLANK" } as const;
  job = { ...job, items: { completed: 5, failed: 3, errors: [{ stage: "count", key: "a.txt", ...error }] } };
  openApp("/jobs/job");
  await userEvent.click(await screen.findByRole("button", { name: /^Items/ }));
  await screen.findByText("BLANK: The page is blank.");
  await userEvent.click(screen.getByRole("radio", { name: "Done 5" }));
  await screen.findByText("133");
  await server.tell(stream, { type: "state_sync", eventId: 0, ...job });
  const calls = server.calls.filter((call) => call.includes("/items"));
  expect(calls.map((call) => /state=(\w+)/.exec(call)?.[1])).toEqual(["failed", "completed"]);
});

it("shows what went wrong, and follows it again after a retry", async () => {
  job = {
    ...job,
    status: "failed",
    attempts: 1,
    waiting: null,
    errorCode: "NO_FILES",
    errorMessage: "There is no .txt file.",
    errorLog: [
      {
        attempt: 1,
        code: "NO_FILES",
        message: "There is no .txt file.",
        retryable: false,
        stage: "list",
        workerId: null,
        createdAt: "2026-11-18T07:00:01.000Z",
      },
    ],
    lastEventId: 2,
  };
  openApp("/jobs/job");
  await screen.findByRole("heading", { name: "Failed attempts" });
  expect(screen.getAllByText("There is no .txt file.")).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: /Retry/ }));
  await screen.findByRole("button", { name: "Cancel" });
  job = { ...job, status: "completed", lastEventId: 4 };
  await server.tell(stream, { type: "job_completed", eventId: 4 });
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull());
});

it("says so where there is no such job", async () => {
  openApp("/jobs/01a1ed79-7763-727a-b68f-000000000000");
  await screen.findByRole("heading", { name: "There is no such job" });
});
