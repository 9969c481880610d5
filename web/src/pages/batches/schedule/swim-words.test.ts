import { describe, expect, it } from "vitest";
import { formatDates, formatPlace, plainName } from "./swim-words.ts";

describe("the words of a schedule", () => {
  it("writes days as one or as a range", () => {
    expect(formatDates("2031-06-14")).toBe("June 14, 2031");
    expect(formatDates("2031-06-14 - 2031-06-15").replace(/\s+/g, " ")).toBe("June 14 – 15, 2031");
  });

  it("turns names round that are written last name first, and no others", () => {
    expect(plainName("Seewald, Nora")).toBe("Nora Seewald");
    expect(plainName("Nora Seewald")).toBe("Nora Seewald");
    expect(plainName("Seewald, Nora, Jr")).toBe("Seewald, Nora, Jr");
  });

  it("counts places", () => {
    expect([1, 2, 3, 11, 22, 103].map(formatPlace)).toEqual(["1st", "2nd", "3rd", "11th", "22nd", "103rd"]);
  });
});
