/** Today begins at midnight of the reader's clock. */
import { expect, test } from "vitest";
import { countToday } from "./count-today.ts";

const hourMs = 3_600_000;
/** An hour in which one job came, two got done and three failed. */
const hourAt = (ms: number) => ({
  startsAt: new Date(ms).toISOString(),
  created: 1,
  completed: 2,
  failed: 3,
  cancelled: 4,
});

test("counts the hours since midnight, the present one included", () => {
  const midnight = new Date(2031, 4, 4).getTime();
  const hours = Array.from({ length: 25 }, (_, hour) => hourAt(midnight + (hour - 22) * hourMs));
  expect(countToday(hours, midnight + 2 * hourMs + 1)).toEqual({ cameIn: 3, done: 6, failed: 9 });
});

test("an hour that midnight falls into counts for the new day", () => {
  const midnight = new Date(2031, 4, 4).getTime();
  const halfPast = [hourAt(midnight - 1.5 * hourMs), hourAt(midnight - 0.5 * hourMs)];
  expect(countToday(halfPast, midnight + 1)).toEqual({ cameIn: 1, done: 2, failed: 3 });
});

test("a day on which nothing has happened yet has no counts", () => {
  expect(countToday([], Date.now())).toEqual({ cameIn: 0, done: 0, failed: 0 });
});
