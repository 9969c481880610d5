/** The disk of the data folder is full, under a server that people use and under its database: what they see, and what they get back. */
import { execFile, spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";

const main = fileURLToPath(new URL("../support/faults/full-disk-main.ts", import.meta.url));
const mayMount =
  process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

test.skipIf(!mayMount)(
  "a full disk refuses what is new, holds up what is under way, and loses nothing",
  { timeout: 180_000 },
  async () => {
    const folder = await makeTemporaryFolder();
    onTestFinished(() => removeTemporaryFolder(folder));
    const disk = join(folder, "disk");
    await mkdir(disk);
    const { stdout } = await promisify(execFile)("unshare", ["--mount", process.execPath, main, disk, folder], {
      timeout: 170_000,
    });
    const seen = JSON.parse(stdout);
    expect(seen.upload).toEqual({
      status: 507,
      body: { error: "STORAGE_FULL", message: expect.stringContaining("free some space") },
      left: [],
    });
    expect(seen.alive).toBe(200);
    expect(seen.readiness).toMatchObject({ status: 503, body: { checks: { storage: { ok: false } } } });
    expect(seen.seenWhileFull).toBe(200);
    expect(seen.hindered).toBe("Processing");
    // Refused by the database, or by nobody being there: one without room for its log starts again and again.
    expect([
      { status: 507, error: "STORAGE_FULL" },
      { status: 503, error: "DATABASE_UNAVAILABLE" },
    ]).toContainEqual(seen.noRoomInDatabase);
    expect(seen).toMatchObject({ done: true, lost: [], runs: { begin: 1, a: 1, b: 1 }, code: 0 });
    expect(seen.documents).toEqual(["after.txt", "before.txt", "waiting.txt"]);
  },
);
