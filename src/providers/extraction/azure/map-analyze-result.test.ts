import { describe, expect, it } from "vitest";
import { analyzeResult } from "./analyze-result.ts";
import { mapAnalyzeResult } from "./map-analyze-result.ts";

/** Passages of one page, each on a line of its own, with spans in the order they are written in. */
function writer(pageNumber = 1) {
  let offset = 0;
  let line = 0;
  return (content: string, more: object = {}) => {
    const y = ++line * 0.5;
    const passage = {
      content,
      boundingRegions: [{ pageNumber, polygon: [1, y, 3, y, 3, y + 0.25, 1, y + 0.25] }],
      spans: [{ offset, length: content.length }],
      ...more,
    };
    offset += content.length + 1;
    return passage;
  };
}

function map(result: object, dpi?: number) {
  const pages = [{ pageNumber: 1, width: 8.5, height: 11, unit: "inch", words: [] }];
  return mapAnalyzeResult(analyzeResult.parse({ pages, ...result }), dpi);
}

describe("pages", () => {
  const polygon = [1, 1, 2, 1.02, 2, 1.2, 1, 1.18];
  const words = [{ content: "Word", polygon, confidence: 0.9, span: { offset: 4, length: 4 } }];
  const marks = [{ state: "selected", polygon, confidence: 0.8, span: { offset: 0, length: 3 } }];

  it("in inches come in points, with the boxes around their polygons", () => {
    const [page] = map({
      pages: [{ pageNumber: 3, width: 8.5, height: 11, unit: "inch", words, selectionMarks: marks }],
    });
    expect(page?.text).toEqual({
      page: 3,
      width: 612,
      height: 792,
      source: "azure",
      rules: [],
      words: [
        { text: "☒", box: { x: 72, y: 72, width: 72, height: 14.4 }, confidence: 0.8 },
        { text: "Word", box: { x: 72, y: 72, width: 72, height: 14.4 }, confidence: 0.9 },
      ],
    });
  });

  it.each([
    [1700, 2200, undefined, 612, 792],
    [2480, 3508, undefined, 595.2, 841.92],
    [1000, 500, 100, 720, 360],
  ])("in pixels (%i × %i, %s dpi) come in points", (width, height, dpi, points, high) => {
    const [page] = map({ pages: [{ pageNumber: 1, width, height, unit: "pixel" }] }, dpi);
    expect(page?.text).toMatchObject({ width: points, height: high });
  });

  it("of formats without geometry come without boxes", () => {
    const [page] = mapAnalyzeResult(analyzeResult.parse({ pages: [{ pageNumber: 1, words: [{ content: "a" }] }] }));
    expect(page?.text.words).toEqual([{ text: "a", box: { x: 0, y: 0, width: 0, height: 0 } }]);
  });
});

describe("blocks", () => {
  it("have the kind their role says; running heads and page numbers are left out", () => {
    const write = writer();
    const paragraphs = [
      write("Invented Ltd", { role: "pageHeader" }),
      write("The title", { role: "title" }),
      write("A section", { role: "sectionHeading" }),
      write("A part of it", { role: "sectionHeading" }),
      write("Some text\nof two lines with *stars*."),
      write("• a point"),
      write("2) another"),
      write("1 A note.", { role: "footnote" }),
      write("7", { role: "pageNumber" }),
      write("Confidential", { role: "pageFooter" }),
    ];
    const sections = [
      { elements: ["/paragraphs/1", "/sections/1"] },
      { elements: ["/paragraphs/2", "/sections/2"] },
      { elements: ["/paragraphs/3", "/paragraphs/4"] },
    ];
    const [page] = map({ paragraphs, sections });
    expect(
      page?.blocks.map((block) => (block.kind === "table" ? "" : [block.kind, block.text, block.fontSize])),
    ).toEqual([
      ["heading", "The title", 24],
      ["heading", "A section", 18],
      ["heading", "A part of it", 16],
      ["paragraph", "Some text of two lines with \\*stars\\*.", 11],
      ["list_item", "a point", 11],
      ["list_item", "another", 11],
      ["footnote", "1 A note.", 9],
    ]);
    expect(page?.blocks[4]).toMatchObject({ marker: "-", depth: 0, box: { x: 72, width: 144, height: 18 } });
    expect(page?.blocks[5]).toMatchObject({ marker: "2)" });
  });

  it("follow the spans, whatever the order of the list", () => {
    const write = writer();
    const paragraphs = [write("one"), write("two"), write("three")];
    const [page] = map({ paragraphs: [paragraphs[2], paragraphs[0], paragraphs[1]] });
    expect(page?.blocks).toMatchObject([{ text: "one" }, { text: "two" }, { text: "three" }]);
  });

  it("hold a table once, with its spans, headers and caption", () => {
    const write = writer();
    const before = write("Before.");
    const caption = write("Table 1: Sales");
    const texts = ["Region", "Sales", "2039", "2040", "North", "1|2", ":selected:"].map((text) => write(text));
    const place = (index: number, rowIndex: number, columnIndex: number, more: object = {}) => ({
      ...texts[index],
      rowIndex,
      columnIndex,
      ...more,
    });
    const header = { kind: "columnHeader" };
    const cells = [
      place(0, 0, 0, { ...header, rowSpan: 2 }),
      place(1, 0, 1, { ...header, columnSpan: 2 }),
      place(2, 1, 1, header),
      place(3, 1, 2, header),
      place(4, 2, 0, { kind: "rowHeader" }),
      place(5, 2, 1),
      place(6, 2, 2),
    ];
    const after = write("After.");
    const region = { pageNumber: 1, polygon: [1, 1.5, 6, 1.5, 6, 4, 1, 4] };
    const spans = [{ offset: texts[0]?.spans[0]?.offset ?? 0, length: 40 }];
    const tables = [{ rowCount: 3, columnCount: 3, cells, boundingRegions: [region], spans, caption }];
    const [page] = map({ paragraphs: [before, caption, ...texts, after], tables });
    expect(page?.blocks.map(({ kind }) => kind)).toEqual(["paragraph", "table", "paragraph"]);
    const table = page?.blocks[1];
    expect(table).toMatchObject({ headerRows: 2, caption: "Table 1: Sales", box: { x: 72, y: 108, width: 360 } });
    const rows = table?.kind === "table" ? table.rows : [];
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
      ["Region", "Sales", ""],
      ["", "2039", "2040"],
      ["North", "1|2", "☒"],
    ]);
    expect(rows[0]?.[0]).toMatchObject({ rowSpan: 2 });
    expect(rows[0]?.[1]).toMatchObject({ columnSpan: 2 });
  });

  it("hold the words of a figure together, and its caption apart", () => {
    const write = writer();
    const [jan, feb, caption, text] = [
      write("Jan"),
      write("Feb"),
      write("Figure 1: Months"),
      write("As figure 1 shows."),
    ];
    const spans = [jan, feb, caption].flatMap((passage) => passage?.spans ?? []);
    const figures = [{ boundingRegions: jan?.boundingRegions, spans, caption }];
    const [page] = map({ paragraphs: [jan, feb, caption, text], figures });
    expect(page?.blocks).toMatchObject([
      { kind: "paragraph", text: "Jan Feb" },
      { kind: "caption", text: "Figure 1: Months" },
      { kind: "paragraph", text: "As figure 1 shows." },
    ]);
  });

  it("go to the page they begin on", () => {
    const pages = [1, 2].map((pageNumber) => ({ pageNumber, width: 8.5, height: 11, unit: "inch" }));
    const paragraphs = [writer(2)("second"), writer(1)("first")];
    expect(map({ pages, paragraphs }).map(({ blocks }) => blocks)).toMatchObject([
      [{ text: "first" }],
      [{ text: "second" }],
    ]);
  });
});

describe("fields", () => {
  it("are the pairs that have a value, normalised", () => {
    const write = writer();
    const pair = (key: string, value: string | undefined) => ({
      key: write(key),
      ...(value !== undefined && { value: write(value) }),
      confidence: 0.75,
    });
    const keyValuePairs = [
      pair("Invoice date:", "2040-03-01"),
      pair("Total", "EUR 1,250.00"),
      pair("Express", ":selected:"),
      pair("Gift", ":unselected:"),
      pair("Contact\nperson :", "Ada\nInvented"),
      pair("Signature", undefined),
    ];
    const [page] = map({ keyValuePairs });
    expect(page?.fields).toMatchObject([
      { key: "Invoice date", value: "2040-03-01", kind: "date", normalized: "2040-03-01" },
      { key: "Total", value: "EUR 1,250.00", kind: "amount", normalized: "1250.00" },
      { key: "Express", value: "yes", kind: "checkbox", normalized: "true" },
      { key: "Gift", value: "no", kind: "checkbox", normalized: "false" },
      { key: "Contact person", value: "Ada Invented", kind: "text" },
    ]);
    expect(page?.fields[0]).toMatchObject({ page: 1, confidence: 0.75, source: "azure", box: { x: 72, y: 72 } });
  });
});
