import { describe, expect, it } from "vitest";
import { readSeconds } from "./read-seconds.ts";

describe("readSeconds", () => {
  it.each([
    ["59.21", 59.21],
    ["1:05.32Y", 65.32],
    ["18:20.58", 1100.58],
    ["01:24,17", 84.17],
    ["10:06.68 Y", 606.68],
    ["1:02:03.40", 3723.4],
    ["75.20", 75.2],
  ])("%s", (seed, seconds) => {
    expect(readSeconds(seed)).toBeCloseTo(seconds, 5);
  });

  it.each(["NT", "n.t.", "NTY", "", "00:00,00", "1:75.00", "08:45", "1:61:00.00", "SC Beispiel 06"])(
    "none in %j",
    (seed) => {
      expect(readSeconds(seed)).toBeUndefined();
    },
  );
});
