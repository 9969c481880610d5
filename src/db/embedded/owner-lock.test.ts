import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openDataFolder } from "./data-folder.ts";
import { takeOwnerLock } from "./owner-lock.ts";

/** Gets everything ready, takes the lock at a word on its input, and says what came of it. */
const taker = `
  const { openDataFolder } = await import(${JSON.stringify(new URL("data-folder.ts", import.meta.url).href)});
  const { takeOwnerLock } = await import(${JSON.stringify(new URL("owner-lock.ts", import.meta.url).href)});
  const folder = await openDataFolder(process.argv[1]);
  console.log("ready");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  try { await takeOwnerLock(folder); console.log("taken"); setInterval(() => {}, 1e6) }
  catch (error) { console.log(error.code, error.details?.pid) }
`;

describe("the owner lock of a data folder", () => {
  let folder: string;
  let dataDir: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    dataDir = join(folder, "data");
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => kill(child, "SIGKILL")));
    await removeTemporaryFolder(folder);
  });

  async function prepareTaker() {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", taker, dataDir], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("ready");
    const take = async () => {
      child.stdin.write("go\n");
      return (await lines.next()).value as string;
    };
    return { child, take };
  }

  async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await exited;
  }

  it("is for one, and names the holder to the next, in the same process too", async () => {
    const opened = await openDataFolder(dataDir);
    const lock = await takeOwnerLock(opened);
    await expect(takeOwnerLock(opened)).rejects.toMatchObject({
      code: "DATA_DIR_IN_USE",
      message: expect.stringMatching(new RegExp(`${process.pid}.*--data-dir`)),
      details: { dataDir: opened.path, pid: process.pid },
    });
    const taker = await prepareTaker();
    expect(await taker.take()).toBe(`DATA_DIR_IN_USE ${process.pid}`);
    lock.release();
    const again = await takeOwnerLock(opened);
    again.release();
  });

  it("goes to exactly one of many who ask at once", async () => {
    const takers = await Promise.all(Array.from({ length: 6 }, () => prepareTaker()));
    const answers = await Promise.all(takers.map(({ take }) => take()));
    expect(answers.filter((answer) => answer === "taken")).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith("DATA_DIR_IN_USE"))).toHaveLength(5);
  });

  it("stays with a paused holder and is free once the holder was killed", async () => {
    const { child, take } = await prepareTaker();
    expect(await take()).toBe("taken");
    child.kill("SIGSTOP");
    const opened = await openDataFolder(dataDir);
    await expect(takeOwnerLock(opened)).rejects.toMatchObject({ details: { pid: child.pid } });
    await kill(child, "SIGKILL");
    const lock = await takeOwnerLock(opened);
    lock.release();
  });

  it("says so when the file system has no locks to give", async () => {
    // A folder in the lock's place stands for such a file system.
    const inTheWay = join(dataDir, "postgres", "owner.lock");
    await mkdir(inTheWay, { recursive: true });
    await expect(takeOwnerLock(await openDataFolder(dataDir))).rejects.toMatchObject({ code: "DATA_DIR_NO_LOCKS" });
    await rmdir(inTheWay);
  });
});
