import { expect, test } from "vitest";
import { cleanText } from "./decode-text.ts";

test.for([
  ["a line's end", "\r\n", "\n"],
  ["a character of two halves", "🚢", "🚢"],
  ["half a character", "\ud83d", "\ufffd"],
  ["a lone return", "\rx", "\nx"],
] as const)("%s comes out the same wherever it stands in a large text", ([_what, given, wanted]) => {
  for (const before of [2 ** 20 - 2, 2 ** 20 - 1, 2 ** 20]) {
    const cleaned = cleanText(`${"-".repeat(before)}${given}${"-".repeat(before)}`);
    expect(cleaned.replaceAll("-", "")).toBe(wanted);
    expect(cleaned).toHaveLength(2 * before + wanted.length);
  }
});

test("a large text of nothing but line ends is read within little memory", () => {
  expect(cleanText("\r\n".repeat(2_000_000))).toBe("\n".repeat(2_000_000));
});
