// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeNetwork, fakeNetwork } from "./testing/fake-network.ts";
import { batchId, madeUpBatch } from "./testing/made-up.ts";
import { openApp } from "./testing/open-app.tsx";

let network: FakeNetwork;

beforeEach(() => {
  network = fakeNetwork();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the list of schedules", () => {
  it("says what it is for where there is none", async () => {
    network.on("GET /api/batch", { success: true, items: [], nextCursor: null });
    openApp("/batches");
    expect(await screen.findByText("When does my swimmer swim?")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Make the first schedule" }).getAttribute("href")).toBe("/batches/new");
  });

  it("leads to each schedule and has older ones asked for", async () => {
    const running = madeUpBatch({ status: "running", totalJobs: 5, completedJobs: 2 });
    network.on("GET /api/batch", { success: true, items: [running], nextCursor: "older" });
    openApp("/batches");
    const [link] = await screen.findAllByRole("link", { name: "Nora Seewald" });
    expect(link?.getAttribute("href")).toBe(`/batches/${batchId}`);
    expect(screen.getAllByText("2/5 (40 %)").length).toBeGreaterThan(0);

    const older = madeUpBatch({ id: "older", swimmerName: "Ida Moosbach", status: "completed" });
    network.on("GET /api/batch", { success: true, items: [older], nextCursor: null });
    await userEvent.click(screen.getByRole("button", { name: "Show older ones" }));
    await waitFor(() => expect(screen.getAllByRole("link", { name: "Ida Moosbach" }).length).toBeGreaterThan(0));
    expect(screen.queryByRole("button", { name: "Show older ones" })).toBeNull();
  });

  it("says what went wrong and tries again", async () => {
    network.refuse("GET /api/batch", {
      status: 400,
      error: "INVALID_CURSOR",
      message: "That is no place in the list.",
    });
    openApp("/batches");
    expect(await screen.findByText("That is no place in the list.")).toBeTruthy();
    network.on("GET /api/batch", { success: true, items: [], nextCursor: null });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("When does my swimmer swim?")).toBeTruthy();
  });
});
