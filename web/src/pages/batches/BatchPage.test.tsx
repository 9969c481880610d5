// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeNetwork, fakeNetwork, type OpenStream } from "./testing/fake-network.ts";
import { batchId, madeUpBatch, madeUpResults, madeUpSheet, madeUpSwim } from "./testing/made-up.ts";
import { openApp } from "./testing/open-app.tsx";

const streamPath = `/api/batch/${batchId}/stream`;
const resultsPath = `GET /api/batch/${batchId}/results`;
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

let network: FakeNetwork;

beforeEach(() => {
  network = fakeNetwork();
  network.on(resultsPath, madeUpResults());
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function stream(place: number): Promise<OpenStream> {
  await waitFor(() => expect(network.streams(streamPath).length).toBeGreaterThan(place), { timeout: 5_000 });
  return network.streams(streamPath)[place] as OpenStream;
}

/** A batch of two sheets of which nothing is read yet. */
async function openWaiting(): Promise<OpenStream> {
  openApp(`/batches/${batchId}`);
  const first = await stream(0);
  const sync = { batch: madeUpBatch(), jobs: [madeUpSheet(1), madeUpSheet(2)] };
  first.send(Object.assign({ type: "state_sync", eventId: 0 }, sync));
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
    expect(network.asked).not.toContain(resultsPath);

    first.send(
      Object.assign({ type: "job_progress", eventId: 2 }, { jobId: "sheet-1", stage: "checking", message: "Page 1" }),
    );
    await waitFor(() => expect(sheet("sheet-1.pdf").getByText("reading")).toBeTruthy());
    first.send(completed);

    expect(await screen.findByText("Girls 11-12 100 Freestyle")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Saturday, June 14, 2031" })).toBeTruthy();
    expect(screen.getByText(/1 swim so far/)).toBeTruthy();
    expect(sheet("sheet-1.pdf").getByText(/1 swim · Harbour Cup/)).toBeTruthy();
    expect(network.asked.filter((one) => one === resultsPath)).toHaveLength(1);
  });

  it("says why a sheet failed and follows again after it is tried again", async () => {
    network.on(`POST /api/batch/${batchId}/jobs/sheet-2/retry`, { success: true });
    const first = await openWaiting();
    for (const event of [completed, failed, endedInPart]) first.send(event);
    first.end();
    await screen.findByText("partly done");
    expect(sheet("sheet-2.pdf").getByText("The PDF has a password.")).toBeTruthy();
    expect(await screen.findByText(/sheet-2.pdf: The PDF has a password/)).toBeTruthy();

    await userEvent.click(screen.getByRole("button", { name: "Try again: sheet-2.pdf" }));
    await waitFor(() => expect(network.asked).toContain(`POST /api/batch/${batchId}/jobs/sheet-2/retry`));
    const again = await waitFor(() => {
      const fresh = network
        .streams(streamPath)
        .slice(1)
        .find(({ lastEventId }) => lastEventId === null);
      return fresh ?? Promise.reject(new Error("not opened again"));
    });
    const jobs = [madeUpSheet(1, { status: "completed", stage: "done", ...found }), madeUpSheet(2)];
    const running = madeUpBatch({ status: "running", completedJobs: 1, lastEventId: 6 });
    again.send(Object.assign({ type: "state_sync", eventId: 6 }, { batch: running, jobs }));
    await waitFor(() => expect(sheet("sheet-2.pdf").getByText("waiting")).toBeTruthy());

    network.on(resultsPath, madeUpResults({ events: [madeUpSwim(1), madeUpSwim(2)] }));
    again.send({ ...completed, eventId: 7, jobId: "sheet-2", resultCode: "EfGh5678" } as typeof completed);
    expect(await screen.findByText("Girls 11-12 200 Freestyle", {}, { timeout: 3_000 })).toBeTruthy();
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
    network.refuse(resultsPath, { status: 400, error: "INVALID_PARAMETER", message: "Not now." });
    first.send({ ...completed, eventId: 4, jobId: "sheet-2", resultCode: "EfGh5678" } as typeof completed);
    expect(await screen.findByText("Not now.", {}, { timeout: 3_000 })).toBeTruthy();
    expect(screen.getByText("Girls 11-12 100 Freestyle")).toBeTruthy();

    network.on(resultsPath, madeUpResults({ events: [madeUpSwim(1), madeUpSwim(2)] }));
    const [activity] = network.streams("/api/stream");
    activity?.send(Object.assign({ type: "activity" }, { stats: noStats, jobs: [], complete: false }));
    expect(await screen.findByText("Girls 11-12 200 Freestyle")).toBeTruthy();
    expect(screen.queryByText("Not now.")).toBeNull();
  });

  it("follows again when the sheets are tried again elsewhere", async () => {
    const first = await openWaiting();
    first.send(endedInPart);
    await screen.findByText("partly done");
    const before = network.streams(streamPath).length;
    const jobs = [{ kind: "heat_sheet", batchId, status: "pending" }];
    const [activity] = network.streams("/api/stream");
    activity?.send(Object.assign({ type: "activity" }, { stats: noStats, jobs, complete: true }));
    const fresh = await stream(before);
    expect(fresh.lastEventId).toBeNull();
  });

  it("offers names that were meant where the swimmer is in no sheet", async () => {
    const error = 'Nora Seewald does not occur in this sheet. Did you mean "Seebald, Nora"?';
    const missing = { status: "failed", stage: "failed", errorCode: "SWIMMER_NOT_FOUND", error } as const;
    const failedSource = { errorCode: "SWIMMER_NOT_FOUND", errorMessage: error, retriable: false };
    network.on(
      resultsPath,
      madeUpResults({
        events: [],
        sources: [],
        warnings: ['sheet-1.pdf: Did you mean "Seebald, Nora"?'],
        failedSources: [{ sequence: 1, filename: "sheet-1.pdf", ...failedSource }],
      }),
    );
    const { router } = openApp(`/batches/${batchId}`);
    const batch = madeUpBatch({ status: "failed", totalJobs: 1, failedJobs: 1, lastEventId: 4 });
    (await stream(0)).send(
      Object.assign({ type: "state_sync", eventId: 4 }, { batch, jobs: [madeUpSheet(1, missing)] }),
    );
    expect(await screen.findByText("Nora Seewald is not in this heat sheet")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Try another spelling" })).toBeTruthy();

    await userEvent.click(screen.getByRole("link", { name: "Nora Seebald" }));
    const field = await screen.findByLabelText<HTMLInputElement>(/Swimmer's name/);
    expect(field.value).toBe("Nora Seebald");
    expect(router.state.location.pathname).toBe("/batches/new");
  });

  it("says so when there is no such schedule", async () => {
    network.refuse(`GET ${streamPath}`, { status: 404, error: "NOT_FOUND", message: "There is no such batch." });
    openApp(`/batches/${batchId}`);
    expect(await screen.findByText("This schedule is not here any more")).toBeTruthy();
  });
});

const counts = { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };
const noStats = { jobs: counts, byKind: {} };
