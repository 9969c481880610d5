import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { watchAborts } from "./abort-watch.ts";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

test("a signal has one listener, until the last task has let go of it", () => {
  const { signal } = new AbortController();
  const watch = watchAborts(() => {});
  watch.add(signal);
  watch.add(signal);
  expect(listeners(signal)).toBe(1);
  watch.remove(signal);
  expect(listeners(signal)).toBe(1);
  watch.remove(signal);
  expect(listeners(signal)).toBe(0);
});

test("an abort is told once, of its own signal, and not to those who have let go", () => {
  const [mine, others] = [new AbortController(), new AbortController()];
  const told: AbortSignal[] = [];
  const watch = watchAborts((signal) => told.push(signal));
  for (const { signal } of [mine, mine, others]) watch.add(signal);
  mine.abort();
  expect(told).toEqual([mine.signal]);
  watch.remove(others.signal);
  others.abort();
  expect(told).toEqual([mine.signal]);
});
