// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { WorkerList } from "../../../../src/contract/system.ts";
import { type FakeServer, startFakeServer } from "../../testing/fake-server.ts";
import { makeCounts, makeStats } from "../../testing/made-up/system.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

const lastMinute = (count: number) => [...Array<number>(59).fill(0), count];
const stats = makeStats({
  jobs: makeCounts({ pending: 2 }),
  byKind: {
    document: makeCounts({ pending: 2, meanRunMs: 1_200 }),
    "word-count": makeCounts({ pending: 1, served: false }),
  },
  endedPerMinute: lastMinute(7),
  createdPerMinute: lastMinute(9),
  unfinishedPerMinute: lastMinute(2),
});
const worker: WorkerList["items"][number] = {
  id: "01a1ed79-7763-727a-b68f-7d160953c1f6",
  host: "mill-1",
  pid: 4711,
  version: "0.1.0",
  kinds: ["document"],
  slots: 4,
  running: 3,
  state: "alive",
  startedAt: "2026-11-18T07:00:00.000Z",
  heartbeatAt: "2026-11-18T07:00:00.000Z",
  leaseExpiresAt: "2026-11-18T07:01:00.000Z",
};
let server: FakeServer;

beforeEach(() => {
  server = startFakeServer();
  openApp("/workers");
});

afterEach(closeApp);

const tell = (items: WorkerList["items"]) => server.tell("/api/stream", { type: "workers", items });

it("says how to start a worker where there is none", async () => {
  await tell([]);
  await screen.findByRole("heading", { name: "No worker runs" });
  expect(screen.getByText("docmill worker")).toBeTruthy();
});

it("shows processes, and lost ones apart with what becomes of their jobs", async () => {
  await tell([
    worker,
    { ...worker, id: "01a1ed79-7763-727a-b68f-000000000000", host: "mill-2", running: 0, state: "lost" },
  ]);
  await screen.findByText("mill-1");
  expect(screen.getByText("3 of 4")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "1 lost process" }));
  expect(await screen.findByText(/goes on elsewhere from its last checkpoint/)).toBeTruthy();
});

it("tells the last hour in words and as a table, and which kinds nobody serves", async () => {
  await server.tellActivity([], { stats, complete: false });
  await screen.findByText("2 jobs unfinished now, 2 at most. 9 came in, 7 ended.");
  expect(screen.getByText(/nobody serves this kind/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "As a table" }));
  const newest = screen.getByRole("columnheader", { name: "Minute" }).closest("table")?.querySelectorAll("tbody tr")[0];
  expect([...(newest?.querySelectorAll("td") ?? [])].slice(1).map(({ textContent }) => textContent)).toEqual([
    "2",
    "9",
    "7",
  ]);
});
