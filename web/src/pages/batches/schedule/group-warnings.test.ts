import { describe, expect, it } from "vitest";
import { groupWarnings } from "./group-warnings.ts";

describe("warnings of many sheets", () => {
  it("says once what several sheets say, and finds the names that may have been meant", () => {
    const offer = 'Did you mean "Seewald, Nora" or "Nora Seebald"?';
    const warnings = groupWarnings([`a.pdf: ${offer}`, `a.pdf b.pdf: ${offer}`], ["a.pdf", "a.pdf b.pdf", null]);
    expect(warnings).toEqual([
      { text: offer, files: ["a.pdf", "a.pdf b.pdf"], names: ["Nora Seewald", "Nora Seebald"] },
    ]);
  });

  it("leaves a warning alone that is about all sheets", () => {
    const text = "Several swimmers have this name: Nora Seewald 12; Nora Seewald 14.";
    expect(groupWarnings([text], ["a.pdf"])).toEqual([{ text, files: [], names: [] }]);
  });
});
