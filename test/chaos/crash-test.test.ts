/** The crash test itself: a short run keeps every promise, and a run without the fence is found out. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { planRun } from "../../src/crash-test/plan.ts";
import { runCrashTest } from "../../src/crash-test/run-crash-test.ts";
import { spawnDocmill } from "../support/docmill-process.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";

const workers = 4;
/** A run, its healing and its checks on a machine that is busy with other tests. */
const timeout = 300_000;

describe("crash test", () => {
  it("keeps every promise while workers, connections and the database die", { timeout }, async () => {
    const { promises } = await runCrashTest({ durationMs: 30_000, seed: 20_261_116, workers, logger: silentLogger });
    expect(promises.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it("finds out workers that write without looking at their lease", { timeout }, async () => {
    const report = await runCrashTest({
      durationMs: 20_000,
      seed: 1,
      workers,
      logger: silentLogger,
      plant: "unfenced",
      keep: false,
    });
    const broken = report.promises.filter(({ violations }) => violations.length > 0).map(({ promise }) => promise);
    // Which writes a woken worker has left depends on where it was stopped.
    expect(broken).toEqual(expect.arrayContaining([expect.stringMatching(/^no (event|effect) after a lost lease$/)]));
  });

  it.each([
    ["preparing a database", "SIGTERM"],
    ["breaking things", "SIGINT"],
  ] as const)("told to stop while %s leaves no process and no file behind", { timeout }, async (phase, signal) => {
    const folder = await makeTemporaryFolder();
    const run = spawnDocmill(["crash-test", "--seconds", "60", "--seed", "1"], { env: { TMPDIR: folder } });
    await run.says(new RegExp(phase));
    const children = await readFile(`/proc/${run.pid}/task/${run.pid}/children`, "utf8");
    run.kill(signal);
    expect(await run.ended).toMatchObject({ code: 1, stderr: expect.stringContaining("CRASH_TEST_STOPPED") });
    expect(await readdir(folder)).toEqual([]);
    expect(children.split(" ").filter((pid) => pid !== "" && existsSync(`/proc/${pid}`))).toEqual([]);
    await removeTemporaryFolder(folder);
  });

  it("plans the same run from the same seed, and another from another", () => {
    const options = { seed: 7, durationMs: 30_000, workers, leaseMs: 2_000, ownServer: true };
    expect(planRun(options)).toEqual(planRun(options));
    expect(planRun({ ...options, seed: 8 })).not.toEqual(planRun(options));
  });
});
