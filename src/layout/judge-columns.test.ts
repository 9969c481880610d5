import { expect, test } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import { arrangePage } from "./arrange-page.ts";

test("an index is read column by column, each entry an item", () => {
  const page = new PageBuilder();
  for (let i = 0; i < 12; i++) {
    page.line(60, 60 + i * 12, `left${i}, ${i + 3}, ${i + 40}`).line(320, 60 + i * 12, `right${i}, ${i + 7}`);
  }
  const blocks = arrangePage(page.build());
  expect(blocks.map((block) => block.kind)).toEqual(Array.from({ length: 24 }, () => "list_item"));
  expect(blocks.flatMap((block) => (block.kind === "table" ? [] : [block.text.split(",")[0]]))).toEqual([
    ...Array.from({ length: 12 }, (_, i) => `left${i}`),
    ...Array.from({ length: 12 }, (_, i) => `right${i}`),
  ]);
});

test("code with remarks beside it stays one listing", () => {
  const page = new PageBuilder();
  for (let i = 0; i < 8; i++) {
    page.line(60, 60 + i * 12, `turn wheel ${i} by hand`, { mono: true });
    page.line(300, 60 + i * 12, `the wheel turns ${i} times now`, { mono: true });
  }
  const blocks = arrangePage(page.build());
  expect(blocks.map((block) => block.kind)).toEqual(["code"]);
  expect(blocks[0]).toMatchObject({
    text: expect.stringMatching(/^turn wheel 0 by hand {5,}the wheel turns 0 times now\n/),
  });
});

test("terms above their explanations are read with them", () => {
  const page = new PageBuilder();
  ["wheel", "axle", "stone", "sack", "sail"].forEach((term, i) => {
    const y = 60 + i * 40;
    page.line(60, y, term, { bold: true });
    page.lines(130, y + 13, [`what a ${term} is and how it can be told`, "from other things that look just like it"]);
  });
  const texts = arrangePage(page.build()).map((block) => (block.kind === "table" ? "TABLE" : block.text));
  expect(texts.slice(0, 4)).toEqual([
    "wheel",
    "what a wheel is and how it can be told from other things that look just like it",
    "axle",
    "what a axle is and how it can be told from other things that look just like it",
  ]);
});
