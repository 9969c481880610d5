import { describe, expect, it } from "vitest";
import { readTimeOfDay } from "./read-time-of-day.ts";

describe("readTimeOfDay", () => {
  it.each([
    ["8:30 AM", "08:30"],
    ["04:00 PM", "16:00"],
    ["12:05 AM", "00:05"],
    ["12:05 PM", "12:05"],
    ["17:45", "17:45"],
    ["9:05", "09:05"],
  ])("%s", (printed, time) => {
    expect(readTimeOfDay(printed)).toBe(time);
  });

  it.each(["25:00", "13:00 PM", "0:30 AM", "8:61", "1:05.32", ""])("none in %j", (printed) => {
    expect(readTimeOfDay(printed)).toBeUndefined();
  });
});
