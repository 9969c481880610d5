import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { metricsTable } from "../../scripts/write-metrics.ts";
import { readMetrics } from "../../test/support/read-metrics.ts";
import { createMetrics } from "./metrics.ts";

it("looks at pools when it is asked, and not before", async () => {
  const metrics = createMetrics();
  let looks = 0;
  metrics.watchDatabase("work", () => {
    looks++;
    return { total: 5, idle: 2, waiting: 7 };
  });
  metrics.watchThreads("reader")(() => ({ threads: 3, busy: 1, queued: 4, killed: { TIME_LIMIT: 2 } }));
  expect(looks).toBe(0);
  for (let scrapes = 1; scrapes <= 2; scrapes++) {
    const seen = readMetrics(await metrics.expose());
    expect(looks).toBe(scrapes);
    expect(seen.value("docmill_db_connections", { pool: "work", state: "used" })).toBe(3);
    expect(seen.value("docmill_db_connections", { pool: "work", state: "waiting" })).toBe(7);
    expect(seen.value("docmill_threads", { pool: "reader", state: "busy" })).toBe(1);
    expect(seen.value("docmill_threads", { pool: "reader", state: "idle" })).toBe(2);
    expect(seen.value("docmill_thread_tasks_queued", { pool: "reader" })).toBe(4);
    expect(seen.value("docmill_threads_killed_total", { pool: "reader", reason: "TIME_LIMIT" })).toBe(2);
  }
});

it("counts what is read and taken in, and periodic work by how it ended", async () => {
  const metrics = createMetrics();
  metrics.pagesRead("file");
  metrics.pagesRead("service", 12);
  metrics.tookIn(2_000);
  const turn = { task: "ledger", turn: 1 };
  metrics.periodic({ type: "taken", ...turn });
  metrics.periodic({ type: "finished", ...turn, durationMs: 500, removed: 9 });
  metrics.periodic({ type: "failed", ...turn, durationMs: 5, error: new Error("hush") });
  metrics.periodic({ type: "lost", ...turn });
  const seen = readMetrics(await metrics.expose());
  expect(seen.value("docmill_pages_read_total")).toBe(13);
  expect(seen.value("docmill_taken_in_bytes_total")).toBe(2_000);
  expect(seen.value("docmill_periodic_seconds_count", { task: "ledger" })).toBe(3);
  expect(seen.value("docmill_periodic_seconds_sum", { outcome: "finished" })).toBe(0.5);
  expect(seen.value("docmill_periodic_removed_total", { task: "ledger" })).toBe(9);
});

it("keeps the metrics of two processes in one apart", async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.engine({ type: "rescued", jobs: 3 });
  expect(readMetrics(await one.expose()).value("docmill_jobs_rescued_total")).toBe(3);
  expect(readMetrics(await other.expose()).value("docmill_jobs_rescued_total")).toBe(0);
});

it("is what docs/observability.md says there is", async () => {
  const page = await readFile(new URL("../../docs/observability.md", import.meta.url), "utf8");
  expect(page).toContain(await metricsTable());
});
