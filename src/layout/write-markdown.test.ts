import { expect, test } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import { arrangePage } from "./arrange-page.ts";
import type { Block, PageBlocks } from "./blocks.ts";
import type { MarkdownDocument } from "./markdown-document.ts";
import { markdownOfSections } from "./markdown-of-sections.ts";
import type { PageText } from "./page.ts";
import { writeMarkdown } from "./write-markdown.ts";

type Outline = Parameters<typeof writeMarkdown>[1]["outline"];

function write(pages: readonly PageBlocks[], outline: Outline = []): Promise<MarkdownDocument> {
  return writeMarkdown(
    async function* () {
      yield* pages;
    },
    { outline },
  );
}

function blocksOf(text: PageText): PageBlocks {
  return { page: text.page, width: text.width, height: text.height, source: text.source, blocks: arrangePage(text) };
}

function pageOf(page: number, blocks: Block[]): PageBlocks {
  return { page, width: 600, height: 800, source: "text", blocks };
}

function paragraph(text: string, y = 100, more: Partial<Extract<Block, { text: string }>> = {}): Block {
  return { kind: "paragraph", text, box: { x: 60, y, width: 400, height: 12 }, fontSize: 10, bold: false, ...more };
}

function heading(text: string, fontSize: number, y = 60): Block {
  return paragraph(text, y, { kind: "heading", fontSize });
}

const filler = "Some words of running text that are long enough to count as what most of the document is made of.";

test("levels of headings come from their sizes, refined by numbers", async () => {
  const document = await write([
    pageOf(1, [heading("Of mills", 24), paragraph(filler), heading("1 Water", 16, 200), paragraph(filler, 220)]),
    pageOf(2, [heading("1.1 Wheels", 12, 60), paragraph(filler), heading("2 Wind", 16, 300), paragraph(filler, 320)]),
  ]);
  expect(document.headings.map(({ level, text, page }) => [level, text, page])).toEqual([
    [1, "Of mills", 1],
    [2, "1 Water", 1],
    [3, "1.1 Wheels", 2],
    [2, "2 Wind", 2],
  ]);
  for (const { level, text, offset } of document.headings) {
    expect(document.markdown.slice(offset)).toMatch(new RegExp(`^${"#".repeat(level)} ${text}\\n`));
  }
});

test("an outline decides levels, also of what does not look like a heading", async () => {
  const outline = [
    { level: 1, title: "Water", page: 1 },
    { level: 2, title: "The Wheel", page: 1 },
    { level: 1, title: "Wind", page: 2 },
  ];
  const document = await write(
    [
      pageOf(1, [heading("1. Water", 14), paragraph(filler), paragraph("The wheel", 200), paragraph(filler, 220)]),
      pageOf(2, [heading("2. Wind", 30), paragraph(filler)]),
    ],
    outline,
  );
  expect(document.headings.map(({ level, text }) => [level, text])).toEqual([
    [1, "1. Water"],
    [2, "The wheel"],
    [1, "2. Wind"],
  ]);
});

test("a lone page has headings too", async () => {
  const page = new PageBuilder()
    .line(60, 60, "Of mills", { size: 20 })
    .lines(60, 100, ["There are many mills at this river and some", "of them have been there for a long time now."])
    .build();
  expect((await write([blocksOf(page)])).headings).toEqual([{ level: 1, text: "Of mills", offset: 0, page: 1 }]);
});

test("running heads, feet and page numbers are left out, a title of the same words is not", async () => {
  const pages = Array.from({ length: 6 }, (_, i) =>
    pageOf(i + 1, [
      paragraph(i % 2 === 0 ? `${i + 7} The Book of Mills` : `Chapter on Water ${i + 7}`, 30),
      paragraph(`Page text number ${"abcdef"[i]} stands here. ${filler}`, 200),
      paragraph(`- ${i + 1} -`, 770),
    ]),
  );
  pages.unshift(pageOf(0, [heading("The Book of Mills", 30, 300)]));
  const { markdown } = await write(pages);
  expect(markdown).toContain("# The Book of Mills");
  expect(markdown.match(/Book of Mills/g)).toHaveLength(1);
  expect(markdown).not.toMatch(/Chapter on Water|- \d -/);
  for (const letter of "abcdef") expect(markdown).toContain(`number ${letter} stands`);
});

test("running heads with roman numbers and with the number of all pages are left out", async () => {
  const numerals = ["ii", "iii", "iv", "v"];
  const roman = numerals.map((numeral, i) =>
    pageOf(i + 2, [paragraph(`A History of Mills ${numeral}`, 30), paragraph(`Front ${"abcd"[i]}. ${filler}`, 200)]),
  );
  const arabic = Array.from({ length: 5 }, (_, i) =>
    pageOf(i + 6, [paragraph(`A History of Mills ${i + 1} / 27`, 30), paragraph(`Main ${"abcde"[i]}. ${filler}`, 200)]),
  );
  const { markdown } = await write([pageOf(1, [heading("A History of Mills", 30, 300)]), ...roman, ...arabic]);
  expect(markdown.match(/History of Mills/g)).toHaveLength(1);
  for (const letter of "abcd") expect(markdown).toContain(`Front ${letter}.`);
  for (const letter of "abcde") expect(markdown).toContain(`Main ${letter}.`);
});

test("a chapter's title where running heads stand is one, even if it was seen once", async () => {
  const heads = ["Of water", "Of water", "Of wind", "Of wind", "Of steam", "Of steam", "Of none"];
  const pages = heads.map((title, i) =>
    pageOf(i + 1, [
      paragraph(i % 2 === 0 ? title : `${i + 1} ${title}`, 30),
      paragraph(`Page ${"abcdefg"[i]} begins. ${filler}`, 100),
    ]),
  );
  const { markdown } = await write(pages);
  expect(markdown).not.toMatch(/Of (water|wind|steam|none)/);
  expect(markdown.match(/Page [a-g] begins/g)).toHaveLength(7);
});

test("the last line of a text that names its own page is no page number", async () => {
  const pages = Array.from({ length: 8 }, (_, i) =>
    pageOf(i + 1, [
      paragraph(`${i + 1}`, 30),
      paragraph(`Text ${"abcdefgh"[i]}. ${filler}`, 200),
      ...(i === 3 ? [paragraph("See also the wheel, page 4.", 720)] : []),
    ]),
  );
  expect((await write(pages)).markdown).toContain("See also the wheel, page 4.");
});

test("a compound broken at its hyphen gets it back where the document knows its parts", async () => {
  const broken = new PageBuilder()
    .lines(60, 60, [
      "There is a machine in this house with a water-",
      "wheel and a long axle, and it is a very know-",
      "ledgeable one.",
    ])
    .build();
  const other = new PageBuilder(600, 800).lines(60, 60, ["The water turns the wheel all day long."]).build(2);
  const { markdown } = await write([blocksOf(broken), blocksOf(other)]);
  expect(markdown).toContain("with a water-wheel and a long axle, and it is a very knowledgeable one.");
});

test("a paragraph goes on over the page, past the notes below it, and its page begins within it", async () => {
  const document = await write([
    pageOf(1, [
      paragraph("This sentence about the mill is not yet at its very exam-", 600),
      paragraph("1 A note.", 700, { kind: "footnote", fontSize: 8 }),
    ]),
    pageOf(2, []),
    pageOf(3, [paragraph("ple of an end, but here it is."), paragraph("And another one.", 200)]),
  ]);
  expect(document.markdown).toBe(
    "This sentence about the mill is not yet at its very example of an end, but here it is.\n\n1 A note.\n\nAnd another one.\n",
  );
  const offset = document.markdown.indexOf("ple of an end");
  expect(document.pages).toEqual([
    { page: 1, offset: 0 },
    { page: 2, offset },
    { page: 3, offset },
  ]);
});

test("a table goes on over the page without its repeated header", async () => {
  const table = (rows: string[][]): Block => ({
    kind: "table",
    box: { x: 60, y: 100, width: 400, height: 300 },
    rows: rows.map((row) => row.map((text) => ({ text }))),
    headerRows: 1,
  });
  const { markdown } = await write([
    pageOf(1, [
      paragraph(filler, 80),
      table([
        ["Grain", "Tons"],
        ["Rye", "8|9"],
      ]),
    ]),
    pageOf(2, [
      table([
        ["Grain", "Tons"],
        ["Oats", "7"],
      ]),
    ]),
  ]);
  expect(markdown).toBe(`${filler}\n\n| Grain | Tons |\n| --- | --- |\n| Rye | 8\\|9 |\n| Oats | 7 |\n`);
});

test("a header of several rows becomes one, with what spans columns in each of them", async () => {
  const { markdown } = await write([
    pageOf(1, [
      {
        kind: "table",
        box: { x: 60, y: 100, width: 400, height: 300 },
        caption: "Table 1: Grain",
        rows: [
          [{ text: "Grain", rowSpan: 2 }, { text: "Tons", columnSpan: 2 }, { text: "" }],
          [{ text: "" }, { text: "2020" }, { text: "2021" }],
          [{ text: "Rye" }, { text: "8" }, { text: "9" }],
        ],
        headerRows: 2,
      },
    ]),
  ]);
  expect(markdown).toBe("Table 1: Grain\n\n| Grain | Tons 2020 | Tons 2021 |\n| --- | --- | --- |\n| Rye | 8 | 9 |\n");
});

test("lists nest, code is fenced, and text that looks like markdown does not become it", async () => {
  const item = (text: string, depth: number, marker: string): Block =>
    paragraph(text, 100, { kind: "list_item", depth, marker });
  const { markdown } = await write([
    pageOf(1, [
      item("one", 0, "1."),
      item("inner", 1, "-"),
      item("two", 0, "2."),
      paragraph("a```b", 200, { kind: "code", text: "a\n```\n  b" }),
      paragraph("# no heading and 3.5", 300),
      paragraph("1848. a year", 320),
      paragraph("- no item", 340),
    ]),
  ]);
  expect(markdown).toBe(
    "1. one\n   - inner\n2. two\n\n````\na\n```\n  b\n````\n\n\\# no heading and 3.5\n\n1848\\. a year\n\n\\- no item\n",
  );
});

test("an empty document is empty text", async () => {
  expect(await write([pageOf(1, []), pageOf(2, [])])).toEqual({
    markdown: "",
    pages: [
      { page: 1, offset: 0 },
      { page: 2, offset: 0 },
    ],
    headings: [],
  });
});

test("sections are joined, and their headings found outside of code", async () => {
  const sections = [
    "# One\n\nText\n",
    "",
    "```sh\n# no heading\n```\n\nTwo\n===\n\nText\n---\n",
    "\n\n### Three ###\n\n- item\n---\n",
  ];
  const document = await markdownOfSections(
    (async function* () {
      for (const markdown of sections) yield { markdown };
    })(),
  );
  expect(document.pages).toEqual([]);
  expect(document.headings.map(({ level, text }) => [level, text])).toEqual([
    [1, "One"],
    [1, "Two"],
    [2, "Text"],
    [3, "Three"],
  ]);
  for (const { text, offset } of document.headings)
    expect(document.markdown.slice(offset, offset + 14)).toContain(text);
});
