import { expect, test } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import { arrangePage } from "./arrange-page.ts";

function kindsOf(page: PageBuilder): string[] {
  return arrangePage(page.build()).map((block) => block.kind);
}

/** Words at given places. */
function row(page: PageBuilder, y: number, words: readonly string[], xs: readonly number[]): PageBuilder {
  words.forEach((word, i) => {
    page.line(xs[i] ?? 0, y, word);
  });
  return page;
}

const filler = [
  "There is a mill at this river, and it has been there for",
  "a long time, as all who live around it know very well.",
];

test("justified lines with wide spaces are text", () => {
  const page = new PageBuilder().lines(60, 40, filler);
  const xs = [60, 100, 140, 180, 220, 260, 300];
  row(page, 64, ["gladly", "turned", "wheels", "before", "anyone", "called", "loudly"], xs);
  row(page, 76, ["across", "rivers", "nearby", "nobody", "really", "minded", "voices"], xs);
  row(page, 88, ["nobody", "minded", "anyone", "called", "wheels", "turned", "again."], xs);
  expect(kindsOf(page)).not.toContain("table");
});

test("lines of a formula are none", () => {
  const page = new PageBuilder().lines(60, 40, filler);
  row(page, 90, ["f(x)", "=", "ax", "+", "b"], [60, 110, 140, 180, 210]);
  row(page, 104, ["g(x)", "=", "cx", "+", "d"], [60, 110, 140, 180, 210]);
  row(page, 118, ["h(x)", "=", "ex", "+", "f"], [60, 110, 140, 180, 210]);
  expect(kindsOf(page)).not.toContain("table");
});

test("signs without letters are none", () => {
  const page = new PageBuilder().lines(60, 40, filler);
  for (let i = 0; i < 6; i++) row(page, 90 + i * 14, ["%", "&", "!", "a", "$"], [60, 110, 170, 240, 310]);
  expect(kindsOf(page)).not.toContain("table");
});

test("the labels of a drawing are none, and one paragraph", () => {
  const page = new PageBuilder().lines(60, 40, filler);
  row(page, 100, ["A", "x"], [100, 180]);
  row(page, 130, ["B", "y"], [100, 180]);
  for (const [i, label] of ["4", "2", "−2", "−4"].entries()) page.line(300, 170 + i * 40, label);
  page.lines(60, 360, filler);
  const blocks = arrangePage(page.build());
  expect(blocks.map((block) => block.kind)).toEqual(["paragraph", "paragraph", "paragraph"]);
  expect(blocks[1]).toMatchObject({ text: "A x B y 4 2 −2 −4" });
});

test("a running head and a numbered heading below it are no rows", () => {
  const page = new PageBuilder()
    .line(60, 40, "104")
    .line(330, 40, "CHAPTER 2. OF THE MILLS")
    .line(60, 66, "2.2", { size: 14, bold: true })
    .line(100, 66, "Of water and weirs", { size: 14, bold: true })
    .line(60, 92, "2.2.1", { size: 12, bold: true })
    .line(110, 92, "Of weirs", { size: 12, bold: true })
    .lines(60, 116, [...filler, ...filler]);
  const blocks = arrangePage(page.build());
  expect(
    blocks.map((block) => (block.kind === "table" ? "TABLE" : `${block.kind}: ${block.text.slice(0, 24)}`)),
  ).toEqual([
    "paragraph: 104 CHAPTER 2. OF THE MI",
    "heading: 2.2 Of water and weirs",
    "heading: 2.2.1 Of weirs",
    "paragraph: There is a mill at this ",
  ]);
});

test("calls of a function in a monospaced face are none", () => {
  const page = new PageBuilder().lines(60, 40, filler);
  for (const [i, rest] of ["(wheel)", "(wheel, stone)", "(wheel, stone, sack)"].entries()) {
    const y = 90 + i * 12;
    page.line(60, y, "[a,", { mono: true }).line(84, y, "b]", { mono: true }).line(104, y, "= grind", { mono: true });
    page.line(144, y, rest);
  }
  expect(kindsOf(page)).not.toContain("table");
});
