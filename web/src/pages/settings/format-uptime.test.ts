/** Time that has passed since the server was started. */
import { expect, test } from "vitest";
import { formatUptime } from "./format-uptime.ts";

const startedAt = "2031-05-04T10:00:00.000Z";
const after = (ms: number) => formatUptime(startedAt, Date.parse(startedAt) + ms);

test.each([
  [-5_000, "1.0 s"],
  [754_000, "12m 34s"],
  [5 * 3_600_000 + 120_000, "5h 02m"],
  [28 * 3_600_000, "1 day 4 h"],
  [75 * 3_600_000, "3 days 3 h"],
])("after %d ms: %s", (ms, expected) => {
  expect(after(ms)).toBe(expected);
});
