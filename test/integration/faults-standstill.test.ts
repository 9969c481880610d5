/**
 * A server that stands still beyond its lease (SIGSTOP: a suspended laptop, a paused machine) and then goes on: others do its
 * work meanwhile, and what it still writes lands nowhere.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStream } from "../support/event-reader.ts";
import { tryUpload } from "../support/faults/patient-client.ts";
import { openSharedPlace, type SharedPlace } from "../support/faults/shared-place.ts";
import { createGatedJob } from "../support/gated-job.ts";
import { until } from "../support/until.ts";

let place: SharedPlace;

beforeAll(async () => {
  // Long enough that nobody loses a job who is merely slow.
  place = await openSharedPlace({ DOCMILL_LEASE_MS: "10000" });
});
afterAll(() => place.close());

describe("a server that stands still beyond its lease", () => {
  it("loses its job to a worker that goes on with it, and does nothing to it when it comes back", async () => {
    const [standing, other] = [await place.serve(), await place.serve(["--no-workers"])];
    const job = await createGatedJob(standing.url, place.folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(standing.url, ({ completedItems }) => completedItems === 1);
    await until(async () => (await job.runs()).b === 1);
    await using stream = await openStream(`${other.url}/api/jobs/${job.id}/stream`, 0);
    const told = stream.rest();
    const watching = place.spawn(["watch", job.id, "--server", standing.url]);
    await watching.says(/items/);

    standing.server.kill("SIGSTOP");
    // By another name, and so on a new connection: one that is kept from before is closed as idle by a server that wakes up.
    const byOtherName = standing.url.replace("127.0.0.1", "localhost");
    const waiting = tryUpload(byOtherName, "patience.txt", "Sent to a server that stood still.");
    const worker = await place.startWorker();
    await until(async () => (await job.runs()).b === 2);
    expect(await job.read(other.url)).toMatchObject({ status: "running", attempts: 2, worker: { pid: worker.pid } });
    // Both have this item in hand; who stands still finds out too late.
    await job.open("b");
    await job.reaches(other.url, ({ status }) => status === "completed");
    standing.server.kill("SIGCONT");

    // Whoever waited for an answer gets it, and whoever watched sees how it ended.
    expect((await waiting).status).toBe(200);
    expect(await watching.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("completed") });
    const types = (await told).map(({ type }) => type);
    expect(types.filter((type) => type === "job_lost" || type === "job_completed")).toEqual([
      "job_lost",
      "job_completed",
    ]);
    expect((await told).map(({ id }) => Number(id))).toEqual((await told).map((_, index) => index + 1));

    // It registers anew, and its next job is as good as any other's.
    worker.kill("SIGTERM");
    await worker.ended;
    const next = await createGatedJob(standing.url, place.folder, { items: [] });
    await next.reaches(standing.url, ({ status }) => status === "completed");
    expect(await job.read(standing.url)).toMatchObject({ status: "completed", attempts: 2, completedItems: 2 });
    expect(await job.runs()).toEqual({ begin: 1, a: 1, b: 2 });
  });
});
