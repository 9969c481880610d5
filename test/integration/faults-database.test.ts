/**
 * The database restarts, or is gone for a while, under a server that people use: what they see meanwhile, and that afterwards
 * nothing is lost, done twice or paid for twice.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runDocmill, spawnDocmill } from "../support/docmill-process.ts";
import { openDocumentClient } from "../support/document-place.ts";
import { type FaultPlace, openFaultPlace } from "../support/faults/fault-place.ts";
import { readNumbersPatiently, tryUpload, uploadPatiently } from "../support/faults/patient-client.ts";
import { createGatedJob } from "../support/gated-job.ts";
import { until } from "../support/until.ts";

let place: FaultPlace;

beforeAll(async () => {
  place = await openFaultPlace();
});
afterAll(() => place[Symbol.asyncDispose]());

/** `docmill watch`, which would go on for ever where its server is gone. */
const watch = (jobId: string) => {
  const watching = spawnDocmill(["watch", jobId, "--server", place.url]);
  onTestFinished(() => watching.kill("SIGKILL"));
  return watching;
};

const countTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("a database that restarts, in good order and by a crash", () => {
  it("costs uploads and jobs some time, and nothing else", async () => {
    const { url, folder } = place;
    const client = openDocumentClient(url);
    const job = await createGatedJob(url, folder, { items: ["a", "b", "c"] });
    const numbers = readNumbersPatiently(`${url}/api/jobs/${job.id}/stream`);
    const watching = watch(job.id);
    await watching.says(/items/);
    await until(async () => (await job.runs()).a === 1);

    let taken = 0;
    const texts = Array.from({ length: 16 }, (_, n) => `Upload ${n} tells of a harbour with ${n + 2} boats.`);
    const uploads = Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        const ids: string[] = [];
        for (let n = lane; n < texts.length; n += 4) {
          ids.push((await uploadPatiently(url, `boats-${n}.txt`, texts[n] as string)).id);
          taken++;
        }
        return ids;
      }),
    );
    for (const [signal, item] of [
      ["SIGINT", "a"],
      ["SIGQUIT", "b"],
    ] as const) {
      const before = taken;
      await until(() => taken > before || taken === texts.length);
      await job.open(item);
      await place.restartDatabase(signal);
    }
    const ids = (await uploads).flat();
    await job.open("c");

    await until(() => job.reaches(url, ({ status }) => status === "completed").catch(() => undefined));
    expect(await job.runs()).toEqual({ begin: 1, a: 1, b: 1, c: 1 });
    expect(await numbers).toEqual(countTo((await job.read(url)).lastEventId));
    expect(await watching.ended).toMatchObject({ code: 0 });
    expect(new Set(ids).size).toBe(texts.length);
    for (const id of ids) await client.reaches(id, ({ status }) => status === "Ready");
    const { body } = await client.ask("/api/documents?limit=100");
    expect(body.items.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    expect(place.openAi.calls().filter(({ paid }) => paid > 1)).toEqual([]);
  });
});

describe("a database that is gone", () => {
  it("is said to be, by everyone who is asked, and missed by nobody once it is back", async () => {
    const { url, folder } = place;
    const client = openDocumentClient(url);
    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(url, ({ completedItems }) => completedItems === 1);
    const numbers = readNumbersPatiently(`${url}/api/jobs/${job.id}/stream`);
    const watching = watch(job.id);
    await watching.says(/items/);
    const before = await place.files();
    await place.stopDatabase();

    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const { status, body } = await client.ask("/readyz");
    expect([status, body.ready, body.checks.database.ok, body.checks.storage.ok]).toEqual([503, false, false, true]);
    expect((await fetch(url, { headers: { accept: "text/html" } })).status).toBe(200);
    const refused = await tryUpload(url, "meanwhile.txt", "Sent while nobody could take it.", "meanwhile");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await refused.json()).toMatchObject({ error: "DATABASE_UNAVAILABLE", message: expect.any(String) });
    expect(await place.files()).toEqual(before);
    expect(await client.ask("/api/jobs")).toMatchObject({ status: 503, body: { error: "DATABASE_UNAVAILABLE" } });
    expect(await client.ask("/api/batch")).toMatchObject({ status: 503, body: { success: false } });
    expect(await client.ask("/admin/books")).toMatchObject({ status: 503, body: { detail: expect.any(String) } });
    expect(await runDocmill(["status", job.id, "--server", url])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^[^\n]*database cannot be reached[^\n]*\n$/),
    });
    // Its checkpoint finds no database, and waits for one.
    await job.open("b");

    await place.startDatabase();
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    const { id } = await uploadPatiently(url, "meanwhile", "Sent while nobody could take it.");
    await client.reaches(id, (document) => document.status === "Ready");
    await job.reaches(url, (now) => now.status === "completed");
    expect(await job.runs()).toEqual({ begin: 1, a: 1, b: 1 });
    expect(await numbers).toEqual(countTo((await job.read(url)).lastEventId));
    expect(await watching.ended).toMatchObject({ code: 0 });
    expect(place.openAi.calls().filter(({ paid }) => paid > 1)).toEqual([]);
  });
});
