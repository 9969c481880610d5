import { expect, it } from "vitest";
import { toPlainText } from "./plain-text.ts";

it("leaves out what only marks things up", () => {
  expect(toPlainText("## Head\n\nSome *slanted*, ***bold*** and `coded` words [here](https://example.com).")).toBe(
    "Head\nSome slanted, bold and coded words here.",
  );
});

it("shows tables as lines", () => {
  expect(toPlainText("| Summary |  |\n| --- | --- |\n| Charges | $4.11 |")).toBe("Summary\nCharges · $4.11");
});

it("shows what was escaped as it is meant", () => {
  expect(toPlainText("VAT \\*\\* \\# 5 \\| 6")).toBe("VAT ** # 5 | 6");
});

it("is done at once with what would take an expression for ever", () => {
  const hostile = `${" ".repeat(20_000)}${"-".repeat(20_000)}x ${"[".repeat(5_000)} ${"· ".repeat(5_000)}${"|".repeat(5_000)}`;
  expect(toPlainText(hostile)).toContain("x [");
});
