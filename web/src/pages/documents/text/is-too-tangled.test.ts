import { expect, test } from "vitest";
import { isTooTangled } from "./is-too-tangled.ts";

test.each([
  ["lists in lists", "- ".repeat(3_000)],
  ["numbered lists in lists", "1. ".repeat(200)],
  ["quotes in quotes", `text\n${"> ".repeat(500)}deep`],
  ["quotes without blanks", `${">".repeat(500)}deep`],
  ["what is indented level by level", `${" ".repeat(1_000)}- deep`],
  ["a word that is nothing but links", "www.a_".repeat(8_000)],
])("%s are not for the parser", (_, markdown) => {
  expect(isTooTangled(markdown)).toBe(true);
});

test.each([
  ["a heading and a paragraph", "# Title\n\nA paragraph of plain words. ".repeat(2_000)],
  ["a list of two levels", "- one\n  - two\n    1. three\n".repeat(1_000)],
  ["a line", `${"-".repeat(4_000)}\n`],
  ["a table", "| a | b |\n|---|---|\n| - | - |\n".repeat(1_000)],
  ["a long address", `https://example.com/${"a".repeat(3_000)}`],
  ["leaders", `Chapter ${". ".repeat(500)} 7`],
])("%s is", (_, markdown) => {
  expect(isTooTangled(markdown)).toBe(false);
});
