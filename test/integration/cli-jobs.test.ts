/** The commands that talk to a server, against a real one: what they print, what they change, how they end. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DocmillProcess,
  runDocmill,
  scriptProgram,
  spawnDocmill,
  startServe,
} from "../support/docmill-process.ts";
import { createGatedJob, gatedConfig } from "../support/gated-job.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let folder: string;
let database: TestDatabase;
let server: DocmillProcess;
let url: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, DOCMILL_CONCURRENCY: "8", DOCMILL_SHUTDOWN_GRACE_MS: "0" };
  ({ server, url } = await startServe(["--port", "0", "--config", gatedConfig], { env }));
});

afterAll(async () => {
  server?.kill("SIGTERM");
  await server?.ended;
  await database?.drop();
  if (folder) await removeTemporaryFolder(folder);
});

const docmill = (...args: string[]) => runDocmill([...args, "--server", url]);

describe("a job that completes", () => {
  it("is watched in a pipe line by line, to its result and code 0", async () => {
    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    const watching = spawnDocmill(["watch", job.id, "--server", url]);
    await watching.says(/items: 0 of 2 items/);
    await job.open("a", "b");
    const { code, stdout, stderr } = await watching.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toContainEqual(`gated ${job.id} completed`);
    expect(lines).toContain("completed");
    expect(stdout).toContain('"done": [\n    "a",\n    "b"\n  ]');
    // Nothing that moves a cursor or colours anything.
    expect(stdout).not.toContain("\u001b");
  });

  it.skipIf(!scriptProgram)("is watched in a terminal as a bar that fills", async () => {
    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    const watching = spawnDocmill(["watch", job.id, "--server", url], { terminal: true });
    await watching.says(/\[-+\] items: 0 of 2 items/);
    await job.open("a");
    await watching.says(/\[=+-+\] items: 1 of 2 items/);
    await job.open("b");
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/\[=+\] completed/);
    // The cursor that the bar had hidden is back.
    expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
  });

  it("is watched after its end as well", async () => {
    const job = await createGatedJob(url, folder, { items: [] });
    expect(await docmill("watch", job.id)).toMatchObject({ code: 0, stdout: expect.stringContaining("completed\n") });
    expect(await docmill("watch", job.id)).toMatchObject({ code: 0, stdout: 'completed\n{\n  "done": []\n}\n' });
  });

  it("is shown by status, also as JSON", async () => {
    const job = await createGatedJob(url, folder, { items: ["a"] });
    await job.open("a");
    await docmill("watch", job.id);
    const { code, stdout } = await docmill("status", job.id);
    expect(code).toBe(0);
    expect(stdout).toContain(`gated ${job.id}: completed`);
    expect(stdout).toMatch(/^stage {6}begin: completed in .* s$/m);
    expect(stdout).toMatch(/^items {6}1 done$/m);
    const json = await docmill("status", job.id, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ id: job.id, status: "completed", result: { done: ["a"] } });
    const overview = await docmill("status");
    expect(overview.stdout).toMatch(/^jobs {7}\d+ pending, \d+ running, \d+ completed/m);
    expect(overview.stdout).toContain(job.id);
    expect(JSON.parse((await docmill("status", "--json")).stdout)).toHaveProperty("stats.jobs.completed");
  });

  it("goes on when the one who watches presses Ctrl-C", async () => {
    const job = await createGatedJob(url, folder, { items: ["a"] });
    const watching = spawnDocmill(["watch", job.id, "--server", url]);
    await watching.says(/items: 0 of 1 items/);
    watching.kill("SIGINT");
    const { code, stdout } = await watching.ended;
    expect(code).toBe(130);
    expect(stdout).toContain(`The job goes on. Look again: docmill watch ${job.id}`);
    await job.open("a");
    expect(await docmill("watch", job.id)).toMatchObject({ code: 0 });
  });
});

describe("a job that does not complete", () => {
  it("ends watch with code 1, its error, and how to try again", async () => {
    const job = await createGatedJob(url, folder, { items: [], fail: "terminal" });
    const { code, stdout } = await docmill("watch", job.id);
    expect(code).toBe(1);
    expect(stdout).toContain(`failed (BROKEN_PAGE): The page is broken.\nTry again: docmill retry ${job.id}\n`);
    expect((await docmill("status", job.id)).stdout).toMatch(/^error {6}attempt 1 at .* \(BROKEN_PAGE\)/m);
  });

  it("shows each attempt", async () => {
    const job = await createGatedJob(url, folder, { items: [], fail: "retryable" });
    const { code, stdout } = await docmill("watch", job.id);
    expect(code).toBe(1);
    expect(stdout).toContain("failed (TOO_BUSY): The service is busy.");
    expect((await docmill("status", job.id)).stdout.match(/^error {6}attempt/gm)).toHaveLength(5);
  });

  it("is cancelled, goes on from its checkpoint when retried, and says no to what does not fit", async () => {
    const job = await createGatedJob(url, folder, { items: ["a", "b"] });
    await job.open("a");
    await job.reaches(url, ({ completedItems }) => completedItems === 1);
    expect(await docmill("retry", job.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("INVALID_TRANSITION"),
    });
    const watching = spawnDocmill(["watch", job.id, "--server", url]);
    await watching.says(/items: 1 of 2 items/);
    expect(await docmill("cancel", job.id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`docmill retry ${job.id}`),
    });
    expect(await watching.ended).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/\ncancelled\nStart it again/),
    });
    expect(await docmill("cancel", job.id)).toMatchObject({ code: 1, stderr: expect.stringContaining("is cancelled") });
    await job.open("b");
    expect(await docmill("retry", job.id)).toMatchObject({ code: 0 });
    expect(await docmill("watch", job.id)).toMatchObject({ code: 0 });
    expect(await job.runs()).toMatchObject({ begin: 1, a: 1 });
  });
});

describe("run", () => {
  it("takes input from a file and from standard input, and can watch", async () => {
    const input = JSON.stringify({ folder, items: [] });
    const file = join(folder, "input.json");
    await writeFile(file, input);
    const fromFile = await docmill("run", "gated", "--input", `@${file}`, "--watch");
    expect(fromFile).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Job \S+ created\.\n[\s\S]*"done": \[\]/),
    });
    const piped = await runDocmill(["run", "gated", "--input", "@-", "--watch", "--server", url], { input });
    expect(piped.code).toBe(0);
  });

  it("ends with code 1 when it watched the job fail", async () => {
    const input = JSON.stringify({ folder, items: [], fail: "terminal" });
    expect(await docmill("run", "gated", "--input", input, "--watch")).toMatchObject({ code: 1 });
  });

  it("creates one job per key, however often it is called", async () => {
    const args = ["run", "gated", "--input", JSON.stringify({ folder, items: [] }), "--idempotency-key", "monday"];
    const answers = await Promise.all([1, 2, 3].map(() => docmill(...args, "--json")));
    const jobs = answers.map(({ stdout }) => JSON.parse(stdout) as { id: string; created: boolean });
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(jobs.filter(({ created }) => created)).toHaveLength(1);
    expect(await docmill(...args)).toMatchObject({ stdout: expect.stringContaining("was there already") });
    const other = await docmill("run", "gated", "--input", "{}", "--idempotency-key", "monday");
    expect(other.code).toBe(2);
  });

  it.each([
    ["an unknown kind", ["run", "gatde"], /There is no pipeline "gatde"\. Known here: gated/],
    ["invalid input", ["run", "gated", "--input", '{"items": 1}'], /folder.*items/],
    ["an unknown job", ["status", "0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e"], /There is no job/],
    ["an id that is none", ["watch", "first"], /Invalid UUID/],
  ])("%s: code 2 and the server's reason", async (_, args, message) => {
    const { code, stderr } = await docmill(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });
});

it("watch without a job shows all that are active and ends when none is left", async () => {
  const jobs = await Promise.all(["a", "b"].map((item) => createGatedJob(url, folder, { items: [item] })));
  const watching = spawnDocmill(["watch", "--server", url]);
  for (const { id } of jobs) await watching.says(new RegExp(`gated ${id} items: 0 of 1 items`));
  await Promise.all(jobs.map((job) => job.open("a", "b")));
  const { code, stdout } = await watching.ended;
  for (const { id } of jobs) expect(stdout).toContain(`gated ${id} completed`);
  expect(stdout.trimEnd().endsWith("No job is waiting or running.")).toBe(true);
  expect(code).toBe(0);
});

it("the example in the README counts words", async () => {
  const config = fileURLToPath(new URL("../../examples/docmill.config.ts", import.meta.url));
  const texts = join(folder, "texts");
  await mkdir(texts);
  await writeFile(join(texts, "one.txt"), "to be or not to be\n");
  await writeFile(join(texts, "two.txt"), "that is the question");
  await writeFile(join(texts, "notes.md"), "not counted");
  const worker = spawnDocmill(["worker", "--config", config], { env: { DATABASE_URL: database.url } });
  const other = await startServe(["--port", "0", "--no-workers", "--config", config], {
    env: { DATABASE_URL: database.url },
  });
  await worker.says(/Worker \S+ is ready/);
  const { code, stdout } = await runDocmill([
    "run",
    "word-count",
    "--input",
    JSON.stringify({ folder: texts }),
    "--watch",
    "--server",
    other.url,
  ]);
  expect(code).toBe(0);
  const result = JSON.parse(stdout.slice(stdout.indexOf("{")));
  expect(result).toEqual({ files: { "one.txt": 6, "two.txt": 4 }, words: 10 });
  for (const one of [worker, other.server]) {
    one.kill("SIGTERM");
    expect(await one.ended).toMatchObject({ code: 0 });
  }
});
