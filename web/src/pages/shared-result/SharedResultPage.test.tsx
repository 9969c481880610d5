// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SharedResult } from "../../../../src/contract/batches.ts";
import { type FakeServer, refusal, startFakeServer } from "../../testing/fake-server.ts";
import { makeSwim } from "../../testing/made-up/batches.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

const result: SharedResult = {
  success: true,
  code: "AbCd1234",
  swimmerName: "Nora Seewald",
  filename: "saturday.pdf",
  sourceUrl: null,
  meetName: "Harbour Cup",
  sessionDate: "2031-06-14",
  meetDateRange: "2031-06-14",
  venue: "Imaginary Pool",
  events: [
    makeSwim(1, { estimated: true }),
    makeSwim(2, { heatNumber: null, lane: null, rank: 12, heatStartTime: undefined }),
    makeSwim(4, {
      relay: { team: "Dolphins", letter: "B", leg: 2, members: ["Lane, Marta", "Seewald, Nora"] },
    }),
  ],
  warnings: ["The sheet was printed before the meet."],
  views: 3,
  createdAt: "2031-06-14T06:00:00.000Z",
  expiresAt: "2031-07-14T06:00:00.000Z",
};

let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
});

afterEach(closeApp);

describe("the page of a shared result", () => {
  it("shows the swims of one sheet without the navigation of the rest", async () => {
    server.on("GET /api/results/AbCd1234", () => result);
    openApp("/results/AbCd1234");
    expect(await screen.findByRole("heading", { level: 1, name: "Nora Seewald" })).toBeTruthy();
    expect(screen.getAllByText("Harbour Cup · June 14, 2031 · Imaginary Pool").length).toBeGreaterThan(0);
    expect(screen.getByText("The sheet was printed before the meet.")).toBeTruthy();
    expect(screen.getByText("12th")).toBeTruthy();
    expect(screen.getByText("not given")).toBeTruthy();
    expect(screen.getByText(/^~ The start is estimated/)).toBeTruthy();
    expect(screen.getByText(/Relay Dolphins B, leg 2/).textContent).toContain("Marta Lane, Nora Seewald");
    expect(screen.getByText(/July 14, 2031/)).toBeTruthy();
    expect(screen.queryByRole("navigation")).toBeNull();
    expect(screen.getByRole("link", { name: "Docmill, home" })).toBeTruthy();
  });

  it("is kind to whoever comes too late", async () => {
    const message = "There is no result AbCd1234. It may have expired.";
    server.on("GET /api/results/AbCd1234", () => refusal({ status: 404, error: "NOT_FOUND", message }));
    openApp("/results/AbCd1234");
    expect(await screen.findByText("This schedule is not here any more")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Make a new schedule" })).toBeTruthy();
  });
});
