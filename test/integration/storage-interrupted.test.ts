/** A blob appears whole or not at all: sources that fail, signals that abort, connections that break, in every store. */
import { readdir } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { openStorePlace, type StorePlace, storeKinds } from "../support/blob-stores.ts";
import { hashOf, inChunks, makeBytes } from "../support/test-bytes.ts";

/** Larger than one part of a remote upload, and more than one part is under way at a time. */
const large = makeBytes(28_000_000);

describe.each(storeKinds)("a store in %s", (kind) => {
  let place: StorePlace;
  let store: BlobStore;
  beforeAll(async () => {
    place = await openStorePlace(kind);
    store = place.store;
  });
  afterAll(() => place.close());

  const expectNothing = async (key: string) => {
    expect(await store.stat(key)).toBeUndefined();
    for await (const blob of store.list("")) expect(blob.key).not.toBe(key);
    expect(await place.remainsLeft()).toBe(false);
  };

  test.each([0, 100_000, 20_000_000])("keeps nothing of a source that fails after %i bytes", async (bytes) => {
    const failure = new Error("the upload broke off");
    const put = store.put("failed", failAfter(bytes, failure));
    await expect(put).rejects.toBe(failure);
    await expectNothing("failed");
  });

  test.each([0, 100_000, 20_000_000])(
    "keeps nothing when aborted after %i bytes, even if the source hangs",
    async (bytes) => {
      const controller = new AbortController();
      const reason = new Error("the job was cancelled");
      const put = store.put(
        "aborted",
        hangAfter(bytes, () => controller.abort(reason)),
        { signal: controller.signal },
      );
      await expect(put).rejects.toBe(reason);
      await expectNothing("aborted");
    },
  );

  test("does not begin when the signal has aborted already", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await store.put("present", inChunks(Buffer.from("x")));
    await expect(store.put("never", inChunks(large), { signal })).rejects.toThrow("too late");
    await expect(store.get("present", { signal })).rejects.toThrow("too late");
    await expect(store.withFile("present", async () => undefined, signal)).rejects.toThrow("too late");
    await expectNothing("never");
  });

  test("keeps the version that is there when the next one fails", async () => {
    await store.put("kept", inChunks(Buffer.from("the first version")));
    await expect(store.put("kept", failAfter(20_000_000, new Error("no")))).rejects.toThrow("no");
    expect((await buffer(await store.get("kept"))).toString()).toBe("the first version");
  });

  test("ends the source it was given when it stops early", async () => {
    const controller = new AbortController();
    let ended = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield Buffer.alloc(64 * 1024);
          controller.abort(new Error("stop"));
        }
      } finally {
        ended = true;
      }
    }
    await expect(store.put("ended", source(), { signal: controller.signal })).rejects.toThrow("stop");
    expect(ended).toBe(true);
  });

  test("ends a read with the signal's reason", async () => {
    await store.put("large", inChunks(large));
    const controller = new AbortController();
    const reason = new Error("the lease was lost");
    const reading = await store.get("large", { signal: controller.signal });
    let size = 0;
    const read = async () => {
      for await (const chunk of reading) {
        size += chunk.length;
        controller.abort(reason);
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(size).toBeLessThan(large.length);
  });

  test.skipIf(kind === "folder")("leaves no copy behind when the signal aborts while it is made", async () => {
    const controller = new AbortController();
    const reason = new Error("shutting down");
    const used = store.withFile("large", async () => "used", controller.signal);
    controller.abort(reason);
    await expect(used).rejects.toBe(reason);
    expect(await readdir(place.tempDir)).toEqual([]);
  });

  test("lets a reader go that has seen enough", async () => {
    for (let round = 0; round < 60; round++) {
      const reading = await store.get("large");
      for await (const _chunk of reading) break;
      expect(reading.destroyed).toBe(true);
    }
  });
});

describe.each(["s3", "azure"] as const)("a connection to %s that breaks", (kind) => {
  let place: StorePlace;
  let weak: NonNullable<StorePlace["weak"]>;
  beforeAll(async () => {
    place = await openStorePlace(kind);
    if (!place.weak) throw new Error("no connection to break");
    weak = place.weak;
    await place.store.put("large", inChunks(large));
  });
  afterAll(() => place.close());

  test("once, is not noticed by a put", async () => {
    weak.link.breakAfter(12_000_000, { towards: "server", stayBroken: false });
    expect(await weak.store.put("whole", inChunks(large))).toEqual({ size: large.length });
    expect(await hashOf(await place.store.get("whole"))).toBe(await hashOf(inChunks(large)));
  });

  test("for good, ends a read with an error that may be tried again", async () => {
    weak.link.breakAfter(5_000_000, { towards: "client", stayBroken: true });
    await expect(hashOf(await weak.store.get("large"))).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      retryable: true,
    });
    await expect(weak.store.withFile("large", async () => "used")).rejects.toMatchObject({ retryable: true });
    expect(await readdir(place.tempDir)).toEqual([]);
    weak.link.mend();
  });

  test("for good, ends a put at once, even if its source hangs", async () => {
    weak.link.breakAfter(3_000_000, { towards: "server", stayBroken: true });
    const put = weak.store.put(
      "hanging",
      hangAfter(9_000_000, () => undefined),
    );
    await expect(put).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE", retryable: true });
    expect(await place.store.stat("hanging")).toBeUndefined();
    weak.link.mend();
  });

  test("for good, ends a put with an error that may be tried again, and nothing is there", async () => {
    weak.link.breakAfter(12_000_000, { towards: "server", stayBroken: true });
    await expect(weak.store.put("cut", inChunks(large))).rejects.toMatchObject({
      code: "STORAGE_UNAVAILABLE",
      retryable: true,
      cause: expect.any(Error),
    });
    expect(await place.store.stat("cut")).toBeUndefined();
    weak.link.mend();
    await weak.store.put("cut", inChunks(large));
    expect((await place.store.stat("cut"))?.size).toBe(large.length);
  });
});

async function* failAfter(bytes: number, failure: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(large.subarray(0, bytes));
  throw failure;
}

async function* hangAfter(bytes: number, hanging: () => void): AsyncGenerator<Uint8Array> {
  yield* inChunks(large.subarray(0, bytes));
  hanging();
  await new Promise(() => undefined);
}
