import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { gatherReads } from "./gather-reads.ts";

function openShop() {
  const reads: { keys: readonly string[]; answer: PromiseWithResolvers<ReadonlyMap<string, string>> }[] = [];
  const ask = gatherReads<string>((keys) => {
    const answer = Promise.withResolvers<ReadonlyMap<string, string>>();
    reads.push({ keys, answer });
    return answer.promise;
  });
  const answer = (read: number) =>
    reads[read]?.answer.resolve(new Map(reads[read].keys.map((key) => [key, `${key} of read ${read}`])));
  return { ask, reads, answer };
}

test("what is asked for while a read is under way is read together, after it", async () => {
  const { ask, reads, answer } = openShop();
  const first = ask("a");
  await setImmediate();
  const later = [ask("a"), ask("b"), ask("b")];
  await setImmediate();
  expect(reads.map(({ keys }) => keys)).toEqual([["a"]]);
  answer(0);
  expect(await first).toBe("a of read 0");
  await setImmediate();
  answer(1);
  expect(await Promise.all(later)).toEqual(["a of read 1", "b of read 1", "b of read 1"]);
  expect(reads).toHaveLength(2);
});

test("a read that fails fails for those who wait for it, and for nobody after them", async () => {
  const { ask, reads, answer } = openShop();
  const first = ask("a");
  await setImmediate();
  const second = ask("b");
  reads[0]?.answer.reject(new Error("no connection"));
  await expect(first).rejects.toThrow("no connection");
  await setImmediate();
  answer(1);
  expect(await second).toBe("b of read 1");
});

test("what is not there is undefined", async () => {
  const ask = gatherReads(async () => new Map([["a", 1]]));
  expect(await Promise.all([ask("a"), ask("b")])).toEqual([1, undefined]);
});
