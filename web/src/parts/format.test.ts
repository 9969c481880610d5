import { expect, test } from "vitest";
import { countOf, formatAgo, formatBytes, formatDay, formatDuration, formatName, formatPercent } from "./format.ts";

test.each([
  [340, "340 ms"],
  [1_500, "1.5 s"],
  [42_400, "42 s"],
  [754_000, "12m 34s"],
  [11_100_000, "3h 05m"],
])("%d ms is %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [345_678, "346 kB"],
  [12_345_678, "12.3 MB"],
])("%d bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test("times are told from now", () => {
  const now = Date.parse("2026-05-01T12:00:00Z");
  expect(formatAgo("2026-05-01T11:59:57Z", now)).toBe("just now");
  expect(formatAgo("2026-05-01T11:55:00Z", now)).toBe("5 min. ago");
  expect(formatAgo("2026-05-01T14:30:00Z", now)).toBe("in 2 hr.");
});

test("a day of the calendar is the same day everywhere", () => {
  expect(formatDay("2026-03-01")).toBe("Sunday, March 1, 2026");
});

test("a hundred percent is said only when all is done", () => {
  expect(formatPercent(199, 200)).toBe("99 %");
  expect(formatPercent(200, 200)).toBe("100 %");
  expect(formatPercent(0, 0)).toBe("0 %");
});

test("counts and names read as words", () => {
  expect([countOf(1, "page"), countOf(1_200, "page"), countOf(2, "entry", "entries")]).toEqual([
    "1 page",
    "1,200 pages",
    "2 entries",
  ]);
  expect([formatName("ocr_batch"), formatName("detect_connections")]).toEqual(["OCR batch", "Detect connections"]);
});
