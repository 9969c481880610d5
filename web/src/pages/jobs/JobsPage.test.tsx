// @vitest-environment happy-dom
/** The list of jobs follows the server: in place, without asking again, and without moving under who reads. */
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { type FakeServer, startFakeServer } from "../../testing/fake-server.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import { makeCounts } from "../../testing/made-up/system.ts";
import { closeApp, openApp } from "../../testing/open-app.tsx";

const id = (number: number) => `01a1ed79-0000-7000-8000-${String(number).padStart(12, "0")}`;
const cancelNewest = `POST /api/jobs/${id(9)}/cancel`;
let jobs: JobSummary[];
let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("scrollTo", () => undefined);
  scrollTo(0);
  jobs = [9, 8, 7].map((number) => makeJob({ id: id(number), kind: `kind-${number}` }));
  server = startFakeServer({
    "GET /api/jobs": ({ query: { state } }) => ({
      items: jobs.filter(({ status }) => state === undefined || status === state),
      nextCursor: null,
    }),
    [cancelNewest]: () => ({ ...jobs[0], status: "cancelled", lastEventId: 1 }),
  });
});

afterEach(closeApp);

function scrollTo(y: number): void {
  Object.defineProperty(window, "scrollY", { value: y, configurable: true });
  act(() => void window.dispatchEvent(new Event("scroll")));
}

const counts = makeCounts({ pending: 4, failed: 1 });
const stats = { jobs: counts, byKind: { "kind-9": counts, extraction: counts } };
const tell = (changed: JobSummary[], complete = true) => server.tellActivity(changed, { stats, complete });

async function openList(address: string) {
  const app = openApp(address);
  await screen.findByRole("table", { name: "Jobs" });
  return app;
}

const listed = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getByRole("link").textContent);
const rowOf = (name: string) => screen.getByRole("link", { name }).closest("[role=row]") as HTMLElement;

describe("live", () => {
  it("patches rows in place and puts new jobs on top, without a request", async () => {
    await openList("/jobs");
    expect(listed()).toEqual(["Kind 9", "Kind 8", "Kind 7"]);
    const [before] = [server.asked.length];
    await tell([
      makeJob({ id: id(10), kind: "kind-10" }),
      makeJob({ id: id(8), kind: "kind-8", status: "running", message: "half way", lastEventId: 3 }),
    ]);
    expect(listed()).toEqual(["Kind 10", "Kind 9", "Kind 8", "Kind 7"]);
    expect(within(rowOf("Kind 8")).getByText("running")).toBeTruthy();
    expect(within(rowOf("Kind 8")).getByText(/half way/)).toBeTruthy();
    expect(server.asked).toHaveLength(before);
  });

  it("offers what is new while somebody reads further down, and lets it in at the top", async () => {
    await openList("/jobs");
    scrollTo(2_000);
    await tell([makeJob({ id: id(11), kind: "kind-11" }), makeJob({ id: id(10), kind: "kind-10" })]);
    expect(listed()).toHaveLength(3);
    expect(screen.getByRole("button", { name: "2 newer jobs" })).toBeTruthy();
    scrollTo(0);
    expect(listed()).toEqual(["Kind 11", "Kind 10", "Kind 9", "Kind 8", "Kind 7"]);
    expect(screen.queryByRole("button", { name: /newer/ })).toBeNull();
  });

  it("drops jobs that do not match the state any more", async () => {
    await openList("/jobs?state=pending");
    await tell([makeJob({ id: id(8), kind: "kind-8", status: "running", lastEventId: 1 })]);
    expect(listed()).toEqual(["Kind 9", "Kind 7"]);
  });

  it("begins again where more has changed than was told, but only at the top", async () => {
    await openList("/jobs");
    const before = server.asked.length;
    scrollTo(2_000);
    jobs = [makeJob({ id: id(12), kind: "kind-12" }), ...jobs];
    await tell([], false);
    expect(server.asked).toHaveLength(before);
    expect(screen.getByRole("button", { name: "Newer jobs" })).toBeTruthy();
    scrollTo(0);
    await vi.waitFor(() => expect(listed()[0]).toBe("Kind 12"));
    expect(server.asked).toHaveLength(before + 1);
  });

  it("cancels from the row and shows what the server answers", async () => {
    await openList("/jobs");
    const before = server.asked.length;
    await userEvent.click(screen.getByRole("button", { name: "Cancel Kind 9" }));
    await vi.waitFor(() => expect(within(rowOf("Kind 9")).getByText("cancelled")).toBeTruthy());
    expect(within(rowOf("Kind 9")).getByRole("button", { name: "Retry Kind 9" })).toBeTruthy();
    expect(server.calls.slice(before)).toEqual([cancelNewest]);
  });
});

describe("filters", () => {
  it("are in the address and in what is asked", async () => {
    const app = await openList("/jobs");
    await tell([]);
    await userEvent.click(screen.getByRole("combobox", { name: "Kind" }));
    await userEvent.click(await screen.findByRole("option", { name: "Extraction" }));
    await vi.waitFor(() => expect(server.calls.at(-1)).toBe("GET /api/jobs?kind=extraction&limit=200"));
    await userEvent.click(screen.getByRole("radio", { name: "Failed 1" }));
    await vi.waitFor(() => expect(app.search()).toEqual({ kind: "extraction", state: "failed" }));
  });

  it("count an age from now", async () => {
    const earliest = Date.now() - 3_600_000;
    await openList("/jobs?age=1h");
    const asked = new Date(server.asked.at(-1)?.query.since ?? 0).getTime();
    expect(asked >= earliest && asked <= Date.now() - 3_600_000).toBe(true);
  });

  it("show a batch as something that can be taken away", async () => {
    const batch = id(1);
    const app = openApp(`/jobs?batch=${batch}`);
    await screen.findByText(/^Batch 01a1ed79/);
    await vi.waitFor(() => expect(server.calls).toContain(`GET /api/jobs?batch=${batch}&limit=200`));
    await userEvent.click(screen.getByRole("button", { name: "Jobs of all batches" }));
    await vi.waitFor(() => expect(app.search()).toEqual({}));
  });

  it("that match nothing can be cleared at once", async () => {
    const app = openApp("/jobs?state=completed");
    await screen.findByRole("heading", { name: "No job matches" });
    await userEvent.click(screen.getByRole("button", { name: "Show all jobs" }));
    await vi.waitFor(() => expect(app.search()).toEqual({}));
    await vi.waitFor(() => expect(listed()).toHaveLength(3));
  });
});

it("says what jobs are where there are none", async () => {
  jobs = [];
  openApp("/jobs");
  await screen.findByRole("heading", { name: "No jobs yet" });
});
