import { describe, expect, test } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import { arrangePage } from "./arrange-page.ts";
import type { Block, TableBlock } from "./blocks.ts";

/** Prose of a given number of lines, each filling a column of about 200 points in type of 10. */
function prose(count: number, mark: string): string[] {
  return Array.from({ length: count }, (_, i) => `${mark}${i} lorem ipsum dolor sit amet consect`);
}

function texts(blocks: readonly Block[]): string[] {
  return blocks.map((block) => (block.kind === "table" ? "TABLE" : block.text));
}

function tableOf(blocks: readonly Block[]): TableBlock {
  const table = blocks.find((block) => block.kind === "table");
  if (table?.kind !== "table") throw new Error("no table found");
  return table;
}

function cellsOf(table: TableBlock): string[][] {
  return table.rows.map((row) => row.map((cell) => cell.text));
}

describe("reading order", () => {
  test("reads one column after the other, between full-width lines", () => {
    const page = new PageBuilder()
      .line(60, 40, "A title over both of the columns of this page", { size: 18, bold: true })
      .lines(60, 80, prose(12, "left"))
      .lines(320, 80, prose(12, "right"))
      .line(60, 250, "a line that runs over both columns from the left edge to the right edge of all the text on it")
      .lines(60, 280, prose(8, "lower"))
      .lines(320, 280, prose(8, "last"))
      .build();
    const all = texts(arrangePage(page)).join(" ");
    const places = [
      "A title",
      "left0",
      "left11",
      "right0",
      "right11",
      "a line that",
      "lower0",
      "lower7",
      "last0",
      "last7",
    ];
    expect(places.map((place) => all.indexOf(place))).toEqual(
      places.map((place) => all.indexOf(place)).toSorted((a, b) => a - b),
    );
    expect(places.every((place) => all.includes(place))).toBe(true);
  });

  test("reads three columns", () => {
    const narrow = (mark: string): string[] =>
      Array.from({ length: 15 }, (_, i) => `${mark}${i} lorem ipsum dolor sit`);
    const page = new PageBuilder()
      .lines(40, 60, narrow("one"))
      .lines(220, 60, narrow("two"))
      .lines(400, 60, narrow("three"))
      .build();
    const all = texts(arrangePage(page)).join(" ");
    expect(all.indexOf("one14")).toBeLessThan(all.indexOf("two0"));
    expect(all.indexOf("two14")).toBeLessThan(all.indexOf("three0"));
  });

  test("lets a paragraph go on in the next column", () => {
    const page = new PageBuilder()
      .lines(60, 80, [...prose(11, "left"), "and this sentence is broken off in the exam-"])
      .lines(320, 80, ["ple that goes on over here until it ends.", ...prose(11, "right")])
      .build();
    expect(texts(arrangePage(page)).join("\n")).toContain("broken off in the example that goes on");
  });

  test("sets numbers of lines aside", () => {
    const builder = new PageBuilder();
    for (let i = 0; i < 20; i++)
      builder.line(40, 60 + i * 24, `${i + 1}`).line(90, 60 + i * 24, `a line of a transcript with words number${i}`);
    const blocks = texts(arrangePage(builder.build()));
    expect(blocks.at(-1)).toBe(Array.from({ length: 20 }, (_, i) => i + 1).join(" "));
  });

  test("puts words from right to left, and Latin ones within them from left to right", () => {
    const page = new PageBuilder().lineFromRight(500, 60, ["שלום", "לכם", "Data", "בעולם"]).build();
    expect(texts(arrangePage(page))).toEqual(["שלום לכם Data בעולם"]);
    // On paper the two Latin words stand from left to right within the line.
    const two = new PageBuilder().lineFromRight(500, 60, ["مرحبا", "بكم", "Land", "New", "أهلا"]).build();
    expect(texts(arrangePage(two))).toEqual(["مرحبا بكم New Land أهلا"]);
  });

  test("keeps the lines of a scan that is slightly turned", () => {
    const page = new PageBuilder().lines(60, 60, prose(10, "row")).build();
    for (const word of page.words) word.box.y += word.box.x * 0.02;
    expect(texts(arrangePage(page)).join(" ")).toMatch(
      /^row0 lorem ipsum dolor sit amet consect row1 lorem.*row9 lorem ipsum dolor sit amet consect$/,
    );
  });
});

describe("paragraphs", () => {
  test("begin where the leading grows or a line is indented", () => {
    const page = new PageBuilder()
      .lines(60, 60, prose(3, "first"))
      .lines(60, 110, prose(3, "second"))
      .line(75, 146, "third0 lorem ipsum dolor sit amet con")
      .lines(60, 158, prose(2, "more"))
      .build();
    expect(texts(arrangePage(page)).map((text) => text.split(" ")[0])).toEqual(["first0", "second0", "third0"]);
  });

  test("join what a hyphen parted, but keep those of compounds", () => {
    const page = new PageBuilder()
      .lines(60, 60, [
        "this is a long line with an exam-",
        "ple of words and a well-",
        "known one in the Anglo-",
        "American way of 2019-",
        "2020 and of state-of-the-",
        "art machines",
      ])
      .build();
    expect(texts(arrangePage(page))).toEqual([
      "this is a long line with an example of words and a well-known one in the Anglo-American way of 2019-2020 and of state-of-the-art machines",
    ]);
  });

  test("mark emphasis only where some words differ, and escape only what markdown would take for a sign", () => {
    const page = new PageBuilder()
      .lines(60, 60, [
        "plain words and **bold** **ones** and *italic* text, a*b* and snake_case",
        "1.5 of them - [1] in <b> and C# or 3 * 4 for all who read this",
      ])
      .lines(
        60,
        120,
        ["every word here is the same face and so nothing is", "marked as being emphasised in this paragraph at all"],
        { italic: true },
      )
      .build();
    expect(texts(arrangePage(page))).toEqual([
      "plain words and **bold ones** and *italic* text, a\\*b\\* and snake_case 1.5 of them - [1] in \\<b> and C# or 3 * 4 for all who read this",
      "every word here is the same face and so nothing is marked as being emphasised in this paragraph at all",
    ]);
  });

  test("of ideographs have no spaces", () => {
    const page = new PageBuilder().lines(60, 60, ["这是 一个 例子", "没有 空格"]).build();
    expect(texts(arrangePage(page))).toEqual(["这是一个例子没有空格"]);
  });

  test("take a large first letter back to its word", () => {
    const page = new PageBuilder()
      .line(60, 60, "O", { size: 30 })
      .lines(86, 62, prose(2, "nce"))
      .lines(60, 98, prose(4, "on"))
      .build();
    expect(texts(arrangePage(page))[0]).toMatch(/^Once0 lorem/);
  });
});

describe("headings, lists, code, notes", () => {
  test("tells headings by size, face and number", () => {
    const page = new PageBuilder()
      .line(60, 40, "Of mills", { size: 20, bold: true })
      .lines(60, 80, prose(5, "a"))
      .line(60, 160, "1.2 Water", { bold: true })
      .lines(60, 180, prose(5, "b"))
      .line(60, 262, "Not a heading, just a short line")
      .build();
    expect(arrangePage(page).map((block) => block.kind)).toEqual([
      "heading",
      "paragraph",
      "heading",
      "paragraph",
      "paragraph",
    ]);
  });

  test("reads items with markers and depth", () => {
    const page = new PageBuilder()
      .line(60, 60, "What there is:")
      .line(70, 80, "• first item")
      .line(90, 92, "– within the first")
      .line(90, 104, "– another within")
      .line(70, 116, "• second item")
      .line(70, 140, "1. counted")
      .line(70, 152, "2. counted again")
      .build();
    const items = arrangePage(page).flatMap((block) =>
      block.kind === "list_item" ? [[block.marker, block.depth, block.text]] : [],
    );
    expect(items).toEqual([
      ["-", 0, "first item"],
      ["-", 1, "within the first"],
      ["-", 1, "another within"],
      ["-", 0, "second item"],
      ["1.", 0, "counted"],
      ["2.", 0, "counted again"],
    ]);
  });

  test("does not take the end of a sentence for an item", () => {
    const page = new PageBuilder()
      .lines(60, 60, [
        "this sentence about the year ends with number",
        "12. and then it simply goes on with more words",
        "until it is over and done with at last here",
      ])
      .build();
    expect(arrangePage(page).map((block) => block.kind)).toEqual(["paragraph"]);
  });

  test("keeps code as it stands", () => {
    const page = new PageBuilder()
      .lines(60, 40, prose(4, "text"))
      .line(60, 100, "if (x) {", { mono: true })
      .line(80, 112, "go(*y);", { mono: true })
      .line(60, 124, "}", { mono: true })
      .build();
    expect(arrangePage(page).at(-1)).toMatchObject({ kind: "code", text: "if (x) {\n    go(*y);\n}" });
  });

  test("reads a table of contents line by line, with one sign for its dots", () => {
    const page = new PageBuilder()
      .line(60, 40, "1 Water")
      .line(400, 40, "3")
      .line(80, 54, "1.1 Wheels . . . . . . . . . . . . . . . . . . . . . . . . . . 4")
      .line(80, 68, "1.2 Weirs ............................................ 7")
      .line(80, 82, "1.3 Ponds . . . . . . . . . . . . . . . . . . . . . . . . . . . 9")
      .build();
    expect(arrangePage(page)).toMatchObject([
      { kind: "list_item", depth: 0, text: "1 Water 3" },
      { kind: "list_item", depth: 1, text: "1.1 Wheels … 4" },
      { kind: "list_item", depth: 1, text: "1.2 Weirs … 7" },
      { kind: "list_item", depth: 1, text: "1.3 Ponds … 9" },
    ]);
  });

  test("does not stress every word of a page that is set in bold", () => {
    const page = new PageBuilder()
      .lines(60, 40, prose(20, "strong"), { bold: true })
      .line(60, 300, "and one that is not bold")
      .build();
    expect(texts(arrangePage(page)).join(" ")).not.toContain("**");
  });

  test("knows captions and footnotes", () => {
    const page = new PageBuilder()
      .lines(60, 40, prose(20, "text"))
      .line(60, 320, "Figure 3: A mill at the river", { size: 9 })
      .line(60, 600, "1 A note below the text of the page", { size: 8 })
      .build();
    expect(arrangePage(page).map((block) => block.kind)).toEqual(["paragraph", "caption", "footnote"]);
  });
});

describe("tables", () => {
  test("reads a ruled one with spans, several lines in a cell and boxes", () => {
    const page = new PageBuilder()
      .rule(60, 60, 360, 60)
      .rule(160, 80, 360, 80)
      .rule(60, 110, 360, 110)
      .rule(60, 130, 360, 130)
      .rule(60, 60, 60, 130)
      .rule(160, 60, 160, 130)
      .rule(260, 80, 260, 130)
      .rule(360, 60, 360, 130)
      .line(65, 80, "Name")
      .line(220, 64, "Amounts")
      .line(165, 82, "in the")
      .line(165, 94, "first year")
      .line(265, 84, "second")
      .line(65, 114, "Wheat")
      .line(165, 114, "1,200")
      .line(265, 114, "1,300")
      .build();
    const table = tableOf(arrangePage(page));
    expect(cellsOf(table)).toEqual([
      ["Name", "Amounts", ""],
      ["", "in the first year", "second"],
      ["Wheat", "1,200", "1,300"],
    ]);
    expect(table.rows[0]?.[0]).toMatchObject({ rowSpan: 2 });
    expect(table.rows[0]?.[1]).toMatchObject({ columnSpan: 2, box: { x: 160, y: 60, width: 200, height: 20 } });
    expect(table.headerRows).toBe(2);
  });

  test("reads one without rules by its alignment", () => {
    const page = new PageBuilder().lines(60, 40, prose(4, "before"));
    const rows = [
      ["Grain", "2020", "2021"],
      ["Wheat", "1,200", "1,300"],
      ["Rye", "800", "750"],
      ["Oats and barley", "90", "1,100"],
    ];
    rows.forEach(([name = "", a = "", b = ""], i) => {
      page
        .line(60, 120 + i * 14, name)
        .line(200, 120 + i * 14, a)
        .line(280, 120 + i * 14, b);
    });
    page.lines(60, 200, prose(4, "after"));
    const blocks = arrangePage(page.build());
    expect(blocks.map((block) => block.kind)).toEqual(["paragraph", "table", "paragraph"]);
    expect(cellsOf(tableOf(blocks))).toEqual(rows);
  });

  test("gives it its caption", () => {
    const page = new PageBuilder()
      .line(60, 40, "Table 2: Grain by year", { size: 9 })
      .grid([60, 160, 260], [60, 80, 100])
      .line(65, 64, "Grain")
      .line(165, 64, "Tons")
      .line(65, 84, "Rye")
      .line(165, 84, "80")
      .lines(60, 120, prose(5, "after"))
      .build();
    expect(tableOf(arrangePage(page)).caption).toBe("Table 2: Grain by year");
  });

  test("does not take a frame around text or a list for one", () => {
    const page = new PageBuilder()
      .grid([50, 400], [50, 130])
      .lines(60, 60, prose(5, "framed"))
      .line(60, 200, "•")
      .line(80, 200, "an item of a list")
      .line(60, 214, "•")
      .line(80, 214, "another item of it")
      .line(60, 228, "•")
      .line(80, 228, "and a third one")
      .build();
    expect(arrangePage(page).map((block) => block.kind)).toEqual(["paragraph", "list_item", "list_item", "list_item"]);
  });
});

test("a frame around a whole form is no table, what stands aligned in it is", () => {
  const page = new PageBuilder()
    .rule(40, 40, 560, 40)
    .rule(40, 760, 560, 760)
    .rule(40, 40, 40, 760)
    .rule(560, 40, 560, 760)
    .rule(40, 120, 560, 120)
    .rule(40, 300, 200, 300)
    .rule(40, 320, 200, 320)
    .rule(200, 300, 200, 320)
    .rule(400, 300, 560, 300)
    .rule(400, 320, 560, 320)
    .rule(400, 300, 400, 320)
    .rule(40, 500, 560, 500)
    .rule(40, 600, 560, 600)
    .rule(40, 680, 560, 680)
    .line(220, 70, "Repairs of Mills", { size: 18, bold: true });
  for (const [i, [name, value]] of [
    ["Customer", "Anna Muster"],
    ["Order", "R-2041"],
    ["Mill", "by the river"],
  ].entries())
    page.line(50, 140 + i * 16, name ?? "").line(210, 140 + i * 16, value ?? "");
  page.line(50, 305, "Note").line(50, 520, "Thank you for your order, it was a pleasure to work for you.");
  const blocks = arrangePage(page.build());
  expect(cellsOf(tableOf(blocks))).toEqual([
    ["Customer", "Anna Muster"],
    ["Order", "R-2041"],
    ["Mill", "by the river"],
  ]);
  expect(texts(blocks)).toEqual([
    "Repairs of Mills",
    "TABLE",
    "Note",
    "Thank you for your order, it was a pleasure to work for you.",
  ]);
});

test("rows between few rules stay rows", () => {
  const page = new PageBuilder();
  for (const y of [50, 66, 68, 84, 230]) page.rule(60, y, 400, y);
  page.line(65, 54, "Sign").line(200, 54, "Meaning");
  for (let i = 0; i < 9; i++)
    page.line(65, 90 + i * 14, `%${"abcdefghi"[i]}`).line(200, 90 + i * 14, `what sign ${i} stands for`);
  expect(cellsOf(tableOf(arrangePage(page.build())))).toHaveLength(10);
});

test("the next line of a value stays in its column, also in the middle of the table", () => {
  const page = new PageBuilder();
  const rows = [
    ["Reign", "from 959 to 975"],
    ["Heir", "his son"],
    ["", "a nephew"],
    ["House", "by the river"],
    ["Mother", "not known"],
  ];
  rows.forEach(([name, value], i) => {
    if (name !== "") page.line(60, 60 + i * 18, name ?? "");
    page.line(140, 60 + i * 18, value ?? "");
  });
  page.line(60, 150, "Father").line(140, 150, "a man of some standing");
  const cells = cellsOf(tableOf(arrangePage(page.build())));
  expect(cells.find((row) => row.join(" ").includes("nephew"))?.[1]).toContain("a nephew");
});

test("what ends a clause stands behind the signs of emphasis", () => {
  const page = new PageBuilder()
    .line(60, 60, "there are **wheels,** *axles;* and then")
    .line(260, 60, "grind().", { mono: true })
    .build();
  expect(texts(arrangePage(page))).toEqual(["there are **wheels**, *axles*; and then `grind()`."]);
});

test("reads recognised words like those of a text layer", () => {
  const builder = new PageBuilder()
    .line(60, 40, "Of Mills And Rivers", { size: 22 })
    .lines(60, 90, prose(12, "left"))
    .lines(320, 90, prose(12, "right"));
  const blocks = arrangePage(builder.buildRecognised());
  expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph"]);
  expect(texts(blocks)).toEqual(texts(arrangePage(builder.build())));
});
