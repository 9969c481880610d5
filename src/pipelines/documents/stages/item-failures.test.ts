import { expect, test } from "vitest";
import { RetryableError, TerminalError } from "../../../errors.ts";
import { watchFailures } from "./item-failures.ts";

/** Works on so many items one after another; tells which were worked on and how each ended. */
async function workOn(items: number, fail: (item: number) => Error | undefined) {
  const asked: number[] = [];
  const work = watchFailures().guard(async (item: number) => {
    asked.push(item);
    const error = fail(item);
    if (error) throw error;
    return "done";
  });
  const ends: string[] = [];
  for (let item = 1; item <= items; item++) {
    ends.push(await work(item, undefined).catch((error: { code: string }) => error.code));
  }
  return { asked: asked.length, ends };
}

test("after three passing failures in a row the rest is not asked for", async () => {
  const busy = new RetryableError("BUSY", "Later.");
  const { asked, ends } = await workOn(10, (item) => (item > 2 ? busy : undefined));
  expect(asked).toBe(5);
  expect(ends).toEqual(["done", "done", ...Array(8).fill("BUSY")]);
});

test("a document full of pages that have to be stopped does not keep the threads for ever", async () => {
  const stopped = ["TIME_LIMIT", "MEMORY_LIMIT", "PARSER_CRASHED"];
  const { asked, ends } = await workOn(1_000, (item) => new TerminalError(stopped[item % 3] as string, "Stopped."));
  expect(asked).toBe(10);
  expect(new Set(ends.slice(10))).toEqual(new Set([ends[9]]));
});

test("some that had to be stopped, and any number that are damaged, leave the others as they are", async () => {
  const { asked, ends } = await workOn(100, (item) => {
    if (item <= 9) return new TerminalError("TIME_LIMIT", "Stopped.");
    return item % 2 ? new TerminalError("CORRUPT_PDF", "Damaged.") : undefined;
  });
  expect(asked).toBe(100);
  expect(ends.filter((end) => end === "done")).toHaveLength(46);
});
