// @vitest-environment happy-dom
/** A job's page follows its stream, says why it waits, and goes on after a retry. */
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { JobDetail } from "../../../../src/contract/jobs.ts";
import { aJob } from "./testing/a-job.ts";
import { type FakeServer, openApp, startFakeServer } from "./testing/open-app.tsx";

const waitingJob: JobDetail = {
  ...aJob(),
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
let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("scrollTo", () => undefined);
  job = waitingJob;
  server = startFakeServer({
    answer({ method, path }) {
      if (method === "POST") job = { ...job, status: "pending", lastEventId: job.lastEventId + 1 };
      return path.startsWith(`/api/jobs/${job.id}`) ? job : undefined;
    },
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const stream = `/api/jobs/${waitingJob.id}/stream`;

it("says why it waits and what it belongs to", async () => {
  openApp(`/jobs/${job.id}`);
  await screen.findByText("4 jobs of its kind go first.");
  expect(screen.getByText(/Number 5 of its kind/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the document" }).getAttribute("href")).toMatch(
    /^\/documents\/01a1ed79/,
  );
});

it("looks again when its stream says that something happened", async () => {
  openApp(`/jobs/${job.id}`);
  await screen.findByText("4 jobs of its kind go first.");
  await server.tell(stream, "state_sync", { ...job, type: "state_sync", eventId: 0 });
  job = { ...job, status: "running", waiting: null, message: "counting", lastEventId: 1 };
  await server.tell(stream, "job_started", { type: "job_started", eventId: 1 });
  await screen.findByText("counting");
  expect(screen.queryByText("4 jobs of its kind go first.")).toBeNull();
});

it("asks once for many events", async () => {
  openApp(`/jobs/${job.id}`);
  await screen.findByText("4 jobs of its kind go first.");
  const before = server.asked.length;
  for (let event = 1; event <= 10; event++) await server.tell(stream, "job_progress", { eventId: event });
  expect(server.asked.length - before).toBeLessThanOrEqual(2);
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
  openApp(`/jobs/${job.id}`);
  await screen.findByRole("heading", { name: "Failed attempts" });
  expect(screen.getAllByText("There is no .txt file.")).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: /Retry/ }));
  await screen.findByRole("button", { name: "Cancel" });
  job = { ...job, status: "completed", lastEventId: 4 };
  await server.tell(stream, "job_completed", { eventId: 4 });
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull());
});

it("says so where there is no such job", async () => {
  openApp("/jobs/01a1ed79-7763-727a-b68f-000000000000");
  await screen.findByRole("heading", { name: "There is no such job" });
});
