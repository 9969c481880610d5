/** What only a folder has: files left by killed processes, empty folders, full disks and rights. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openBlobStore } from "../../src/storage/open-blob-store.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { inChunks } from "../support/test-bytes.ts";
import { until } from "../support/until.ts";

let parent: string;
let folder: string;
let incoming: string;
beforeEach(async () => {
  parent = await makeTemporaryFolder();
  folder = join(parent, "blobs");
  incoming = join(folder, ".incoming");
});
afterEach(async () => {
  vi.useRealTimers();
  await removeTemporaryFolder(parent);
});

const isRoot = process.getuid?.() === 0;
const open = () => openBlobStore({ kind: "folder", folder });
const text = (content: string) => inChunks(Buffer.from(content));
const twoDaysAgo = () => new Date(Date.now() - 2 * 24 * 3_600_000);

test("a put whose process is killed leaves no blob, and its file goes a day later", async () => {
  const writer = spawn(
    process.execPath,
    [fileURLToPath(new URL("../support/blob-writer-main.ts", import.meta.url)), folder, "a/b"],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const file = await until(async () => {
    const [name] = await readdir(incoming).catch(() => []);
    const found = name && (await stat(join(incoming, name)).catch(() => undefined));
    return found && found.size > 500_000 && join(incoming, name);
  });
  writer.kill("SIGKILL");
  await once(writer, "exit");

  const store = await open();
  expect(await store.stat("a/b")).toBeUndefined();
  for await (const blob of store.list("")) expect(blob).toBeUndefined();
  // Nobody can tell yet that it is not being written.
  expect(await readdir(incoming)).toHaveLength(1);
  await utimes(file, twoDaysAgo(), twoDaysAgo());
  await open();
  expect(await readdir(incoming)).toEqual([]);

  await store.put("a/b", text("written again"));
  expect((await buffer(await store.get("a/b"))).toString()).toBe("written again");
});

test("a put that takes days is not taken for abandoned", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const store = await open();
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("slow");
    await more;
  }
  const put = store.put("slow", slow());
  const name = await until(async () => (await readdir(incoming))[0]);
  const file = join(incoming, name);
  await utimes(file, twoDaysAgo(), twoDaysAgo());
  vi.advanceTimersByTime(3_600_000);
  await until(async () => Date.now() - (await stat(file)).mtimeMs < 3_600_000);
  await open();
  expect(await readdir(incoming)).toEqual([name]);
  goOn();
  expect(await put).toEqual({ size: 4 });
  expect(vi.getTimerCount()).toBe(0);
});

test("folders that a delete empties go with it, and a put at the same moment still lands", async () => {
  const store = await open();
  await store.put("a/b/c/one", text("1"));
  await store.put("a/two", text("2"));
  await store.delete(["a/b/c/one"]);
  expect(await readdir(join(folder, "a"))).toEqual(["two"]);
  await store.delete(["a/two"]);
  expect(await readdir(folder)).toEqual([".incoming"]);
  for (let round = 0; round < 40; round++) {
    await store.put("x/y/old", text("old"));
    await Promise.all([store.delete(["x/y/old"]), store.put("x/y/new", text("new"))]);
    expect(await store.stat("x/y/new")).toBeDefined();
    await store.delete(["x/y/new"]);
  }
});

test("what others put into the folder is not taken for blobs", async () => {
  const store = await open();
  await writeFile(join(folder, ".DS_Store"), "x");
  await writeFile(join(folder, "Readme.TXT"), "x");
  await store.put("mine", text("x"));
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  expect(keys).toEqual(["mine"]);
});

test("a blob cannot have the name of a folder of blobs", async () => {
  const store = await open();
  await store.put("a/b", text("x"));
  await expect(store.put("a", text("x"))).rejects.toMatchObject({ code: "BLOB_KEY_CONFLICT", retryable: false });
  await expect(store.put("a/b/c", text("x"))).rejects.toMatchObject({ code: "BLOB_KEY_CONFLICT" });
  expect(await readdir(incoming)).toEqual([]);
});

test("a folder that is gone is not made again, a missing .incoming is", async () => {
  const store = await open();
  await rm(incoming, { recursive: true });
  await store.put("again", text("x"));
  await rm(folder, { recursive: true });
  await expect(store.check()).rejects.toMatchObject({
    code: "STORAGE_UNAVAILABLE",
    retryable: true,
    message: expect.stringContaining("mounted"),
  });
  await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
});

// Nothing is forbidden to root.
test.skipIf(isRoot)("a folder without rights is said to be one", async () => {
  await mkdir(folder);
  await chmod(folder, 0o500);
  await expect(open()).rejects.toMatchObject({ code: "STORAGE_DENIED", retryable: false });
  await chmod(folder, 0o700);
});

const mayMount = isRoot && spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

test.skipIf(!mayMount)("a full disk is an error that may be tried again, and nothing is left of it", async () => {
  await mkdir(folder);
  const main = fileURLToPath(new URL("../support/full-storage-main.ts", import.meta.url));
  const { stdout } = await promisify(execFile)("unshare", ["--mount", process.execPath, main, folder]);
  expect(JSON.parse(stdout)).toEqual({
    failed: { code: "STORAGE_FULL", retryable: true },
    left: [],
    fits: { size: 500_000 },
  });
});
