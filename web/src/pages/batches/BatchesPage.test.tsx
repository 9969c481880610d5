// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeServer, refusal, startFakeServer } from "../../testing/fake-server.ts";
import { makeBatch } from "../../testing/made-up/batches.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
});

afterEach(closeApp);

describe("the list of schedules", () => {
  it("says what it is for where there is none", async () => {
    server.on("GET /api/batch", () => ({ success: true, items: [], nextCursor: null }));
    openApp("/batches");
    expect(await screen.findByText("When does my swimmer swim?")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Make the first schedule" }).getAttribute("href")).toBe("/batches/new");
  });

  it("leads to each schedule and has older ones asked for", async () => {
    const running = makeBatch({ status: "running", totalJobs: 5, completedJobs: 2 });
    server.on("GET /api/batch", () => ({ success: true, items: [running], nextCursor: "older" }));
    openApp("/batches");
    const [link] = await screen.findAllByRole("link", { name: "Nora Seewald" });
    expect(link?.getAttribute("href")).toBe("/batches/batch");
    expect(screen.getAllByText("2/5 (40 %)").length).toBeGreaterThan(0);

    const older = makeBatch({ id: "older", swimmerName: "Ida Moosbach", status: "completed" });
    server.on("GET /api/batch", () => ({ success: true, items: [older], nextCursor: null }));
    await userEvent.click(screen.getByRole("button", { name: "Show older ones" }));
    await waitFor(() => expect(screen.getAllByRole("link", { name: "Ida Moosbach" }).length).toBeGreaterThan(0));
    expect(screen.queryByRole("button", { name: "Show older ones" })).toBeNull();
  });

  it.each([
    ["not found", { status: "failed", failedJobs: 4, withoutSwimmer: 4 }, "4/4 (100 %)"],
    ["done", { status: "partial", completedJobs: 3, failedJobs: 1, withoutSwimmer: 1 }, "4/4 (100 %)"],
    ["partly done", { status: "partial", completedJobs: 2, failedJobs: 2, withoutSwimmer: 1 }, "3/4 (75 %) · 1 failed"],
  ] as const)("counts a sheet that the swimmer is not in as read: %s", async (word, batch, count) => {
    const items = [makeBatch({ totalJobs: 4, ...batch })];
    server.on("GET /api/batch", () => ({ success: true, items, nextCursor: null }));
    openApp("/batches");
    expect((await screen.findAllByText(word)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(count).length).toBeGreaterThan(0);
  });

  it("says what went wrong and tries again", async () => {
    const message = "That is no place in the list.";
    server.on("GET /api/batch", () => refusal({ status: 400, error: "INVALID_CURSOR", message }));
    openApp("/batches");
    expect(await screen.findByText("That is no place in the list.")).toBeTruthy();
    server.on("GET /api/batch", () => ({ success: true, items: [], nextCursor: null }));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("When does my swimmer swim?")).toBeTruthy();
  });
});
