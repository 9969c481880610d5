import { expect, test } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import { arrangePage } from "./arrange-page.ts";
import type { Block } from "./blocks.ts";

/** Dots far apart, as many as fit, that end right before `to`. */
function dots(page: PageBuilder, from: number, to: number, y: number, pitch = 12): PageBuilder {
  for (let x = Math.ceil(from / pitch) * pitch; x < to - 4; x += pitch) page.line(x, y, ".");
  return page;
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.map((block) => (block.kind === "table" ? "TABLE" : block.text));
}

function cellsOf(blocks: readonly Block[]): string[][] {
  const table = blocks.find((block) => block.kind === "table");
  return table?.kind === "table" ? table.rows.map((row) => row.map((cell) => cell.text)) : [];
}

test("dots far apart make no columns of a table of contents", () => {
  const page = new PageBuilder();
  const entries: [number, string, string, boolean][] = [
    [60, "1 Of water", "1", false],
    [80, "1.1 Wheels below", "1", true],
    [80, "1.2 Wheels above", "4", true],
    [60, "2 Of wind", "7", false],
    [80, "2.1 Sails", "7", true],
    [80, "2.2 Towers and posts", "9", true],
    [60, "3 Of steam", "12", false],
    [60, "4 Of none of these", "14", false],
  ];
  entries.forEach(([x, title, number, leads], i) => {
    const y = 60 + i * 16;
    page.line(x, y, title);
    if (leads) dots(page, x + title.length * 5 + 6, 480, y);
    page.line(490, y, number);
  });
  expect(textsOf(arrangePage(page.build()))).toEqual(
    entries.map(([, title, number, leads]) => `${title} ${leads ? "… " : ""}${number}`),
  );
});

test("dots make no columns of a form, be they many or few", () => {
  const page = new PageBuilder();
  dots(page.line(60, 60, "Amount of the bill"), 160, 480, 60).line(490, 60, "120.00");
  dots(page.line(60, 76, "Tax on this amount and on what was delivered"), 300, 480, 76).line(490, 76, "22.80");
  page.line(60, 92, "Fee of the house for sending it all to wherever it may be").line(372, 92, ".").line(400, 92, ".");
  page.line(490, 92, "3.00");
  expect(textsOf(arrangePage(page.build())).join("\n")).not.toContain("TABLE");
  const two = new PageBuilder().line(60, 60, "Total ........................ 12.00").build();
  expect(textsOf(arrangePage(two))).toEqual(["Total … 12.00"]);
});

test("dots before several figures leave the figures their columns", () => {
  const page = new PageBuilder().line(300, 44, "2020").line(400, 44, "2021");
  ["Wheat", "Rye and oats", "Barley"].forEach((name, i) => {
    const y = 60 + i * 16;
    dots(page.line(60, y, name), 66 + name.length * 5, 280, y)
      .line(300, y, `1,20${i}`)
      .line(400, y, `1,30${i}`);
  });
  expect(cellsOf(arrangePage(page.build()))).toEqual([
    ["", "2020", "2021"],
    ["Wheat …", "1,200", "1,300"],
    ["Rye and oats …", "1,201", "1,301"],
    ["Barley …", "1,202", "1,302"],
  ]);
});

test("three dots in a text stay an ellipsis", () => {
  const page = new PageBuilder().line(60, 60, "one, two, . . . and so on until the end of it").build();
  expect(textsOf(arrangePage(page))).toEqual(["one, two, . . . and so on until the end of it"]);
});
