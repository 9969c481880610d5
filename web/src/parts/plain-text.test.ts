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
