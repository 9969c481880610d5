/** Machines whose clocks are wrong by a day, either way, and a database whose clock jumps: work goes on, and nothing is taken for old, lost or over. */
import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { pipeline } from "../../src/jobs/pipeline.ts";
import { runDocmill } from "../support/docmill-process.ts";
import { openDocumentClient } from "../support/document-place.ts";
import { countEffects, createEffectTables, writeEffect } from "../support/effects.ts";
import { openSharedPlace, type SharedPlace } from "../support/faults/shared-place.ts";
import { createGatedJob } from "../support/gated-job.ts";
import { jobEnded, readJob } from "../support/read-job.ts";
import { createTestClock } from "../support/test-clock.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { openTestEngine } from "../support/test-engine.ts";
import { until } from "../support/until.ts";

const aDayMs = 24 * 3_600_000;
const shifting = fileURLToPath(new URL("../support/faults/shift-clock.ts", import.meta.url));
const shiftedBy = (ms: number) => ({ NODE_OPTIONS: `--import=${shifting}`, TEST_CLOCK_SHIFT_MS: String(ms) });

describe("a server a day ahead and a worker a day behind", () => {
  let place: SharedPlace;
  let url: string;
  const fresh = "documents/00000000-0000-4000-8000-000000000001/original-fresh";
  const old = "documents/00000000-0000-4000-8000-000000000002/original-old";

  beforeAll(async () => {
    place = await openSharedPlace();
    const files = join(place.dataDir, "files");
    for (const file of [fresh, old]) {
      await mkdir(dirname(join(files, file)), { recursive: true });
      await writeFile(join(files, file), "An upload on its way.");
    }
    const longAgo = new Date(Date.now() - 3 * aDayMs);
    await utimes(join(files, old), longAgo, longAgo);
    ({ url } = await place.serve(["--no-workers"], shiftedBy(aDayMs + 3_600_000)));
  });
  afterAll(() => place.close());

  it("work together: leases hold, retries come, and what is killed is taken over", async () => {
    const client = openDocumentClient(url);
    const behind = await place.startWorker(shiftedBy(-aDayMs));
    const document = await client.upload({ name: "clocks.txt", bytes: Buffer.from("Two clocks that never agree.") });
    await client.reaches(document.id, ({ status }) => status === "Ready");
    const failing = await createGatedJob(url, place.folder, { items: [], fail: "retryable" });
    expect(await failing.reaches(url, ({ status }) => status === "failed")).toMatchObject({ attempts: 5 });
    const job = await createGatedJob(url, place.folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(url, ({ completedItems }) => completedItems === 1);
    const { body: workers } = await client.ask("/api/workers");
    expect(workers.items).toMatchObject([{ state: "alive", running: 1 }]);

    behind.kill("SIGKILL");
    await behind.ended;
    await place.startWorker();
    await job.open("b");
    expect(await job.reaches(url, ({ status }) => status === "completed")).toMatchObject({ attempts: 2 });
    expect((await job.runs()).a).toBe(1);
    const watched = await runDocmill(["watch", job.id, "--server", url], { env: shiftedBy(-aDayMs) });
    expect(watched).toMatchObject({ code: 0 });
  });

  it("take no file for old that came a moment ago", async () => {
    const isThere = (file: string) =>
      stat(join(place.dataDir, "files", file)).then(
        () => true,
        () => false,
      );
    await until(async () => !(await isThere(old)));
    expect(await isThere(fresh)).toBe(true);
  });
});

describe("the database's clock", () => {
  const open = async () => {
    const { db, url, drop } = await createTestDatabase();
    await createEffectTables(db);
    const clock = await createTestClock(db);
    const gate = Promise.withResolvers<void>();
    const work = pipeline("clocked", { input: z.object({}) })
      .stage("wait", async ({ job, commit }) => {
        await gate.promise;
        return commit((tx) => writeEffect(tx, job.id, "wait"));
      })
      .stage("last", ({ job, commit }) => commit((tx) => writeEffect(tx, job.id, "last")));
    const engine = openTestEngine({ url, pipelines: [work], clock });
    return { db, drop, clock, gate, work, engine };
  };

  it.each([aDayMs, -aDayMs])("jumps by %i ms: a running job ends well, each of its effects once", async (jump) => {
    const { db, drop, clock, gate, work, engine } = await open();
    await engine.startWorker();
    const { id } = await engine.enqueue(work.job({}));
    await until(async () => (await readJob(db, id)).status === "running");
    await clock.advance(jump);
    // Another one looks around: after a jump ahead every lease seems to have run out.
    await engine.startWorker();
    gate.resolve();
    expect(await jobEnded(db, id)).toMatchObject({ status: "completed" });
    expect(await countEffects(db, id)).toEqual({ wait: 1, last: 1 });
    const later = await engine.enqueue(work.job({}));
    expect(await jobEnded(db, later.id)).toMatchObject({ status: "completed" });
    expect(await db.query(sql`select from jobs where status in ('pending', 'running')`)).toEqual([]);
    await engine.close();
    await drop();
  });
});
