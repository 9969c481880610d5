import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { guardRead } from "./guard-read.ts";

const translate = (error: unknown) => new Error("translated", { cause: error });
const options = { signal: undefined, translate };

test("gives what the source gives", async () => {
  const source = Readable.from([Buffer.from("one "), Buffer.from("two")]);
  expect((await buffer(guardRead(source, options))).toString()).toBe("one two");
});

test("gives up on a source that stops while the reader waits", async () => {
  const source = new Readable({ read() {} });
  source.push("a beginning");
  await expect(buffer(guardRead(source, { ...options, idleMs: 50 }))).rejects.toMatchObject({
    code: "STORAGE_UNAVAILABLE",
    retryable: true,
  });
  expect(source.destroyed).toBe(true);
});

test("has patience with a reader that takes its time", async () => {
  const pieces = Array.from({ length: 5 }, () => Buffer.alloc(100_000));
  let size = 0;
  for await (const chunk of guardRead(Readable.from(pieces), { ...options, idleMs: 30 })) {
    await delay(60);
    size += chunk.length;
  }
  expect(size).toBe(500_000);
});

test("translates the source's error, and takes a close without an end for one", async () => {
  const failure = new Error("broken");
  const failing = new Readable({ read() {} });
  const guarded = guardRead(failing, options);
  failing.destroy(failure);
  await expect(buffer(guarded)).rejects.toMatchObject({ message: "translated", cause: failure });
  const closing = new Readable({ read() {} });
  const cut = guardRead(closing, options);
  closing.destroy();
  await expect(buffer(cut)).rejects.toThrow("translated");
});
