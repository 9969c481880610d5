import { expect, it } from "vitest";
import { readGrid, toCsv } from "./table-grid.ts";

const empty = { text: "" };
const rows = [
  [{ text: "Scenario", columnSpan: 3 }, empty, empty],
  [{ text: "Volume", rowSpan: 2 }, { text: "2007" }, { text: "2008" }],
  [empty, { text: "1,505" }, { text: 'a "b"' }],
];

it("leaves out cells that a span covers, and keeps those that are only empty", () => {
  expect(readGrid(rows).map((cells) => cells.map(({ text, column }) => [column, text]))).toEqual([
    [[0, "Scenario"]],
    [
      [0, "Volume"],
      [1, "2007"],
      [2, "2008"],
    ],
    [
      [1, "1,505"],
      [2, 'a "b"'],
    ],
  ]);
  expect(readGrid([[empty, { text: "x" }]])[0]).toHaveLength(2);
});

it("never spans beyond the table", () => {
  expect(readGrid([[{ text: "x", rowSpan: 9, columnSpan: 9 }]])).toEqual([
    [{ column: 0, text: "x", rowSpan: 1, columnSpan: 1 }],
  ]);
});

it("writes no formulas into CSV, and leaves numbers alone", () => {
  const cells = ["=1+1", "+HYPERLINK(1)", "@x", "-5", "+3.5 %", "a=b"].map((text) => ({ text }));
  expect(toCsv([cells])).toBe("'=1+1,'+HYPERLINK(1),'@x,-5,+3.5 %,a=b");
});

it("writes CSV that spreadsheets read", () => {
  expect(toCsv(rows)).toBe('Scenario,,\r\nVolume,2007,2008\r\n,"1,505","a ""b"""');
});
