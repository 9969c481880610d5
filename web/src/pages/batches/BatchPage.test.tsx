// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeServer, refusal, startFakeServer } from "../../testing/fake-server.ts";
import type { FakeStream } from "../../testing/fake-stream.ts";
import { makeBatch, makeResults, makeSheet, makeSwim } from "../../testing/made-up/batches.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

const streamPath = "/api/batch/batch/stream";
const getResults = "GET /api/batch/batch/results";
const retrySecond = "POST /api/batch/batch/jobs/sheet-2/retry";
const found = { resultCode: "AbCd1234", eventCount: 1, meetName: "Harbour Cup", cached: false };
const completed = { type: "job_completed", eventId: 3, jobId: "sheet-1", ...found };
const failed = {
  type: "job_failed",
  eventId: 4,
  jobId: "sheet-2",
  errorCode: "ENCRYPTED_PDF",
  errorMessage: "The PDF has a password.",
  retriable: false,
  retryCount: 0,
};
const endedInPart = {
  type: "batch_completed",
  eventId: 5,
  status: "partial",
  results: [
    { jobId: "sheet-1", status: "completed", ...found },
    { jobId: "sheet-2", status: "failed", resultCode: null, errorCode: "ENCRYPTED_PDF" },
  ],
};

let server: FakeServer;

beforeEach(() => {
  server = startFakeServer({ [getResults]: () => makeResults() });
});

afterEach(closeApp);

async function stream(place: number): Promise<FakeStream> {
  await waitFor(() => expect(server.streams(streamPath).length).toBeGreaterThan(place));
  return server.streams(streamPath)[place] as FakeStream;
}

/** A batch of two sheets of which nothing is read yet. */
async function openWaiting(): Promise<FakeStream> {
  openApp("/batches/batch");
  const first = await stream(0);
  first.send({ type: "state_sync", eventId: 0, batch: makeBatch(), jobs: [makeSheet(1), makeSheet(2)] });
  await screen.findByRole("heading", { level: 1, name: "Nora Seewald" });
  return first;
}

const sheet = (name: string) => {
  const item = screen.getAllByText(name).map((element) => element.closest("li"));
  return within(item.find((one) => one?.dataset.sheet !== undefined) as HTMLElement);
};

describe("the page of a schedule", () => {
  it("shows the schedule as soon as the first sheet is read, and asks for it no sooner", async () => {
    const first = await openWaiting();
    expect(screen.getByText(/appear here as soon as/)).toBeTruthy();
    expect(server.calls).not.toContain(getResults);

    first.send({ type: "job_progress", eventId: 2, jobId: "sheet-1", stage: "checking", message: "Page 1" });
    await waitFor(() => expect(sheet("sheet-1.pdf").getByText("reading")).toBeTruthy());
    first.send(completed);

    expect(await screen.findByText("Girls 11-12 100 Freestyle")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Saturday, June 14, 2031" })).toBeTruthy();
    expect(screen.getByText(/1 swim so far/)).toBeTruthy();
    expect(sheet("sheet-1.pdf").getByText(/1 swim · Harbour Cup/)).toBeTruthy();
    expect(server.calls.filter((one) => one === getResults)).toHaveLength(1);
  });

  it("says why a sheet failed and follows again after it is tried again", async () => {
    server.on(retrySecond, () => ({ success: true }));
    const first = await openWaiting();
    for (const event of [completed, failed, endedInPart]) first.send(event);
    first.end();
    await screen.findByText("partly done");
    expect(sheet("sheet-2.pdf").getByText("The PDF has a password.")).toBeTruthy();
    expect(await screen.findByText(/sheet-2.pdf: The PDF has a password/)).toBeTruthy();

    await userEvent.click(screen.getByRole("button", { name: "Try again: sheet-2.pdf" }));
    await waitFor(() => expect(server.calls).toContain(retrySecond));
    const again = await waitFor(() => {
      const fresh = server
        .streams(streamPath)
        .slice(1)
        .find(({ lastEventId }) => lastEventId === null);
      return fresh ?? Promise.reject(new Error("not opened again"));
    });
    const jobs = [makeSheet(1, { status: "completed", stage: "done", ...found }), makeSheet(2)];
    const running = makeBatch({ status: "running", completedJobs: 1, lastEventId: 6 });
    again.send({ type: "state_sync", eventId: 6, batch: running, jobs });
    await waitFor(() => expect(sheet("sheet-2.pdf").getByText("waiting")).toBeTruthy());

    server.on(getResults, () => makeResults({ events: [makeSwim(1), makeSwim(2)] }));
    again.send({ ...completed, eventId: 7, jobId: "sheet-2", resultCode: "EfGh5678" });
    expect(await screen.findByText("Girls 11-12 200 Freestyle")).toBeTruthy();
  });

  it("comes back with the last event it had when the connection is lost", async () => {
    const first = await openWaiting();
    first.send(completed);
    await screen.findByText("Girls 11-12 100 Freestyle");
    first.end();
    const second = await stream(1);
    expect(second.lastEventId).toBe("3");
    second.send(failed);
    await waitFor(() => expect(sheet("sheet-2.pdf").getByText("failed")).toBeTruthy());
  });

  it("keeps what it shows when a newer schedule cannot be had, and gets it with the connection", async () => {
    const first = await openWaiting();
    first.send(completed);
    await screen.findByText("Girls 11-12 100 Freestyle");
    server.on(getResults, () => refusal({ status: 400, error: "INVALID_PARAMETER", message: "Not now." }));
    first.send({ ...completed, eventId: 4, jobId: "sheet-2", resultCode: "EfGh5678" });
    expect(await screen.findByText("Not now.")).toBeTruthy();
    expect(screen.getByText("Girls 11-12 100 Freestyle")).toBeTruthy();

    server.on(getResults, () => makeResults({ events: [makeSwim(1), makeSwim(2)] }));
    await server.tellActivity([], { complete: false });
    expect(await screen.findByText("Girls 11-12 200 Freestyle")).toBeTruthy();
    expect(screen.queryByText("Not now.")).toBeNull();
  });

  it("follows again when the sheets are tried again elsewhere", async () => {
    const first = await openWaiting();
    first.send(endedInPart);
    await screen.findByText("partly done");
    const before = server.streams(streamPath).length;
    await server.tellActivity([makeJob({ kind: "heat_sheet", batchId: "batch" })]);
    const fresh = await stream(before);
    expect(fresh.lastEventId).toBeNull();
  });

  it("offers names that were meant where the swimmer is in no sheet", async () => {
    const error = 'Nora Seewald does not occur in this sheet. Did you mean "Seebald, Nora"?';
    const missing = { status: "failed", stage: "failed", errorCode: "SWIMMER_NOT_FOUND", error } as const;
    const failedSource = { errorCode: "SWIMMER_NOT_FOUND", errorMessage: error, retriable: false };
    server.on(getResults, () =>
      makeResults({
        events: [],
        sources: [],
        warnings: ['sheet-1.pdf: Did you mean "Seebald, Nora"?'],
        failedSources: [{ sequence: 1, filename: "sheet-1.pdf", ...failedSource }],
      }),
    );
    const app = openApp("/batches/batch");
    const batch = makeBatch({ status: "failed", totalJobs: 1, failedJobs: 1, withoutSwimmer: 1, lastEventId: 4 });
    (await stream(0)).send({ type: "state_sync", eventId: 4, batch, jobs: [makeSheet(1, missing)] });
    expect(await screen.findByText("Nora Seewald is not in this heat sheet")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Try another spelling" })).toBeTruthy();

    await userEvent.click(screen.getByRole("link", { name: "Nora Seebald" }));
    const field = await screen.findByLabelText<HTMLInputElement>(/Swimmer's name/);
    expect(field.value).toBe("Nora Seebald");
    expect(app.path()).toBe("/batches/new");
  });

  it("says so when there is no such schedule", async () => {
    const message = "There is no such batch.";
    server.on(`GET ${streamPath}`, () => refusal({ status: 404, error: "NOT_FOUND", message }));
    openApp("/batches/batch");
    expect(await screen.findByText("This schedule is not here any more")).toBeTruthy();
  });
});
