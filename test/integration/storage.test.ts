/** One suite over every kind of store: what is put can be read, listed, used as a file and deleted, alike everywhere. */
import { access, readdir, readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { openStorePlace, type StorePlace, storeKinds } from "../support/blob-stores.ts";
import { hashOf, inChunks, makeBytes } from "../support/test-bytes.ts";

const text = (content: string) => inChunks(Buffer.from(content));

describe.each(storeKinds)("a store in %s", (kind) => {
  let place: StorePlace;
  let store: BlobStore;
  beforeAll(async () => {
    place = await openStorePlace(kind);
    store = place.store;
  });
  afterAll(() => place.close());

  const read = async (key: string, range?: { start?: number; end?: number }) =>
    (await buffer(await store.get(key, range))).toString();
  const keysUnder = async (prefix: string) => (await collect(store.list(prefix))).map(({ key }) => key);

  test("gives back what was put, and knows its size and time", async () => {
    const before = Date.now();
    expect(await store.put("notes/one.txt", text("first"), { contentType: "text/plain" })).toEqual({ size: 5 });
    expect(await read("notes/one.txt")).toBe("first");
    const facts = await store.stat("notes/one.txt");
    expect(facts).toMatchObject({ key: "notes/one.txt", size: 5 });
    // The remote ones count in whole seconds.
    expect(Math.abs((facts?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(60_000);
  });

  test("replaces a blob that is put again", async () => {
    await store.put("again", text("a long first version"));
    await store.put("again", text("second"));
    expect(await read("again")).toBe("second");
    expect((await store.stat("again"))?.size).toBe(6);
  });

  test("keeps a blob without bytes", async () => {
    expect(await store.put("empty", text(""))).toEqual({ size: 0 });
    expect(await read("empty")).toBe("");
    expect(await read("empty", { start: 0 })).toBe("");
    expect(await store.stat("empty")).toMatchObject({ size: 0 });
  });

  test("keeps a blob of 30 MB, also when its pieces and its parts do not meet", async () => {
    const bytes = makeBytes(30_000_001);
    expect(await store.put("large/30.bin", inChunks(bytes))).toEqual({ size: bytes.length });
    expect(await hashOf(await store.get("large/30.bin"))).toBe(await hashOf(inChunks(bytes)));
    // Exactly two parts of a remote upload, in one piece.
    const even = makeBytes(16 * 1024 * 1024);
    await store.put("large/even.bin", whole(even));
    expect(await hashOf(await store.get("large/even.bin"))).toBe(await hashOf(inChunks(even)));
    expect(await place.remainsLeft()).toBe(false);
    await store.delete(["large/30.bin", "large/even.bin"]);
  });

  test("reads ranges; behind the end there is nothing", async () => {
    await store.put("ranges", text("0123456789"));
    expect(await read("ranges", { start: 3, end: 5 })).toBe("345");
    expect(await read("ranges", { start: 7 })).toBe("789");
    expect(await read("ranges", { end: 2 })).toBe("012");
    expect(await read("ranges", { start: 8, end: 100 })).toBe("89");
    expect(await read("ranges", { start: 10 })).toBe("");
    await expect(store.get("ranges", { start: 5, end: 4 })).rejects.toMatchObject({ code: "INVALID_BLOB_RANGE" });
    await expect(store.get("ranges", { start: -1 })).rejects.toMatchObject({ code: "INVALID_BLOB_RANGE" });
  });

  test("says that a blob is not there", async () => {
    await store.put("there/is.txt", text("x"));
    for (const key of ["nothing", "there", "there/is.txt/below"]) {
      await expect(store.get(key)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
      await expect(store.withFile(key, async () => undefined)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
      expect(await store.stat(key)).toBeUndefined();
    }
  });

  test("deletes many at once, and what is not there is no error", async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `bin/${index % 4}/${index}`);
    await Promise.all(keys.map((key) => store.put(key, text(key))));
    await store.put("bin/kept", text("kept"));
    await store.delete([...keys, "bin/never", "never/was", "bin/kept/below"]);
    expect(await keysUnder("bin/")).toEqual(["bin/kept"]);
    await store.delete(keys);
    await store.delete([]);
  });

  test("lists by the beginning of keys, in the order of their bytes, over several pages", async () => {
    const keys = ["l/a-b", "l/a.b", "l/a/b", "l/a0", "l/ab/c/d", "l2", "l_"];
    // More than S3 gives in one page.
    for (let index = 0; index < 1_020; index++) keys.push(`l/many/${String(index).padStart(5, "0")}`);
    await inGroups(keys, 20, (key) => store.put(key, text(key)));
    const expected = keys.filter((key) => key.startsWith("l/")).sort();
    const found = await collect(store.list("l/"));
    expect(found.map(({ key }) => key)).toEqual(expected);
    expect(found[0]).toMatchObject({ key: "l/a-b", size: 5 });
    expect(await keysUnder("l")).toEqual([...keys].sort());
    expect(await keysUnder("l/a")).toEqual(["l/a-b", "l/a.b", "l/a/b", "l/a0", "l/ab/c/d"]);
    expect(await keysUnder("l/many/0000")).toHaveLength(10);
    expect(await keysUnder("nowhere/")).toEqual([]);
    for await (const { key } of store.list("l/many/")) {
      expect(key).toBe("l/many/00000");
      break;
    }
    await store.delete(keys);
  });

  test.each([
    "",
    "/a",
    "a/",
    "a//b",
    "../a",
    "a/../b",
    ".incoming/a",
    "a/.b",
    "a.",
    "A",
    "ä",
    "a b",
    "a\\b",
    "a\0",
    "x".repeat(201),
  ])("takes %j for no key", async (key) => {
    const refused = { code: "INVALID_BLOB_KEY", retryable: false };
    await expect(store.put(key, text("x"))).rejects.toMatchObject(refused);
    await expect(store.get(key)).rejects.toMatchObject(refused);
    await expect(store.stat(key)).rejects.toMatchObject(refused);
    await expect(store.delete(["fine", key])).rejects.toMatchObject(refused);
    await expect(store.withFile(key, async () => undefined)).rejects.toMatchObject(refused);
  });

  test.each(["../", "/", "a/../", ".incoming", "A"])("takes %j for no beginning of a key", async (prefix) => {
    await expect(keysUnder(prefix)).rejects.toMatchObject({ code: "INVALID_BLOB_KEY" });
  });

  test("lends a blob as a file, which is gone afterwards where it was a copy", async () => {
    await store.put("files/report.pdf", text("content"));
    const used: string[] = [];
    const result = await store.withFile("files/report.pdf", async (path) => {
      used.push(path);
      expect(extname(path)).toBe(".pdf");
      return readFile(path, "utf8");
    });
    expect(result).toBe("content");
    const failure = new Error("the reader failed");
    await expect(
      store.withFile("files/report.pdf", async (path) => {
        used.push(path);
        throw failure;
      }),
    ).rejects.toBe(failure);
    const remains = await Promise.all(
      used.map((path) =>
        access(path).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(remains).toEqual(kind === "folder" ? [true, true] : [false, false]);
    if (kind !== "folder") expect(await readdir(place.tempDir)).toEqual([]);
    expect(basename(used[0] ?? "")).toBe("report.pdf");
  });

  test("leaves nothing behind when it is checked", async () => {
    await store.check();
    expect(await keysUnder("check/")).toEqual([]);
    expect(store.place).not.toMatch(/key=|secret/i);
  });

  // s3rver overwrites in place; S3 itself does not.
  test.skipIf(kind === "s3")("goes on reading the version it began with while another is put", async () => {
    const first = makeBytes(4_000_000);
    await store.put("versions", inChunks(first));
    const reading = await store.get("versions");
    const iterator: AsyncIterator<Buffer> = reading[Symbol.asyncIterator]();
    const start = await iterator.next();
    await store.put("versions", text("a new version"));
    const rest = await collect({ [Symbol.asyncIterator]: () => iterator });
    expect(Buffer.concat([start.value, ...rest]).equals(first)).toBe(true);
    expect(await read("versions")).toBe("a new version");
  });

  test.skipIf(kind === "s3")("keeps one of two versions whole when both are put at once", async () => {
    const versions = [makeBytes(20_000_000), Buffer.alloc(18_000_000, 1)];
    const puts = await Promise.allSettled(versions.map((bytes) => store.put("both", inChunks(bytes))));
    const lost = puts.filter((put) => put.status === "rejected");
    for (const { reason } of lost) expect(reason).toMatchObject({ code: "STORAGE_UNAVAILABLE", retryable: true });
    expect(lost.length).toBeLessThan(2);
    const kept = await hashOf(await store.get("both"));
    expect(await Promise.all(versions.map((bytes) => hashOf(inChunks(bytes))))).toContain(kept);
  });

  async function inGroups(keys: readonly string[], size: number, act: (key: string) => Promise<unknown>) {
    for (let index = 0; index < keys.length; index += size) await Promise.all(keys.slice(index, index + size).map(act));
  }
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
