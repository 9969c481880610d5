import { describe, expect, it } from "vitest";
import { readPrintedAt } from "./read-printed-at.ts";

describe("readPrintedAt", () => {
  it.each([
    ["Stand: 01.12.2022, 18:41:35 Uhr erzeugt mit EasyWk", "dmy", "2022-12-01T18:41"],
    ["Splash Meet Manager, 11.79888 Registered to Somebody 29.11.2023 14:06 - Page 1", "dmy", "2023-11-29T14:06"],
    ["A Club HY-TEK's MEET MANAGER 8.0 - 9:07 PM 1/19/2026 Page 1", "mdy", "2026-01-19T21:07"],
    ["A Club HY-TEK's MEET MANAGER 8.0 - 1/19/2026 Page 1", "mdy", "2026-01-19"],
  ] as const)("%s", (line, order, printedAt) => {
    expect(readPrintedAt(line, order)).toBe(printedAt);
  });

  it("is null without a date", () => {
    expect(readPrintedAt("Page 1 of 18:41", "mdy")).toBeNull();
  });
});
