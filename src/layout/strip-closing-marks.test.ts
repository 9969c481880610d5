import { expect, test } from "vitest";
import { stripClosingMarks } from "./strip-closing-marks.ts";

test.each([
  ["Title", "Title"],
  ["  Title ##  ", "Title"],
  ["Title #", "Title"],
  ["Title#", "Title#"],
  ["C# ", "C#"],
  ["###", ""],
  ["", ""],
  ["a # b", "a # b"],
  ["a # #", "a #"],
])("%j is the heading %j", (written, heading) => {
  expect(stripClosingMarks(written)).toBe(heading);
});
