import { expect, test } from "vitest";
import type { Block, Field } from "./blocks.ts";
import { type PackedWord, packPage, unpackWord } from "./packed-page.ts";
import type { PageText, Word } from "./page.ts";

const box = { x: 1, y: 2, width: 3.25, height: 4 };
const page = (words: Word[]): PageText => ({ page: 7, width: 612, height: 792, source: "text", words, rules: [] });

test("words come out of their packing as they went in, to a hundredth of a point", () => {
  const words: Word[] = [
    { text: "plain", box },
    { text: "“quoted”", box, fontSize: 10.5, bold: true, mono: true },
    { text: "seen", box, italic: true, confidence: 0.875 },
  ];
  const unpack = (packed: string) => (JSON.parse(packed) as PackedWord[]).map(unpackWord);
  expect(unpack(packPage({ text: page(words), blocks: [], fields: [] }).words)).toEqual(words);
  const uneven = page([{ text: "uneven", box: { ...box, x: 1.23456 }, fontSize: 9.999 }]);
  expect(unpack(packPage({ text: uneven, blocks: [], fields: [] }).words)).toEqual([
    { text: "uneven", box: { ...box, x: 1.23 }, fontSize: 10 },
  ]);
});

test("blocks are kept with the page's facts; tables and fields stand beside them", () => {
  const paragraph: Block = { kind: "paragraph", text: "Some text.", fontSize: 10, bold: false, box };
  const table: Block = { kind: "table", rows: [[{ text: "a" }]], headerRows: 0, box };
  const field: Field = { key: "Total", value: "12", kind: "number", confidence: 1, page: 7, source: "label" };
  const packed = packPage({ text: page([]), blocks: [paragraph, table], fields: [field] });
  const facts = { page: 7, width: 612, height: 792, source: "text" };
  expect(JSON.parse(packed.blocks)).toEqual({ ...facts, blocks: [paragraph, table] });
  expect(packed).toMatchObject({ ...facts, words: "[]", tables: [table], fields: [field] });
});
