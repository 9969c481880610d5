/**
 * A page in the form in which it is kept: its words and its blocks are JSON text. Whoever passes it on holds two strings
 * instead of thousands of objects.
 */
import type { Block, Field, PageBlocks, TableBlock } from "./blocks.ts";
import type { PageText, TextSource, Word } from "./page.ts";

/** A page whose words have been put in order. */
export interface ArrangedPage {
  text: PageText;
  blocks: readonly Block[];
  fields: readonly Field[];
}

export interface PackedPage {
  page: number;
  width: number;
  height: number;
  source: TextSource;
  /** An array of PackedWord. */
  words: string;
  /** A PageBlocks. */
  blocks: string;
  tables: readonly TableBlock[];
  fields: readonly Field[];
}

/** A word as it is kept: text, box, size, style bits, confidence. Names would be two thirds of the bytes. */
export type PackedWord = [
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  ...rest: (number | null)[],
];

export function packPage({ text, blocks, fields }: ArrangedPage): PackedPage {
  const { page, width, height, source } = text;
  const kept: PageBlocks = { page, width, height, source, blocks: [...blocks] };
  return {
    page,
    width,
    height,
    source,
    words: JSON.stringify(text.words.map(packWord)),
    blocks: JSON.stringify(kept),
    tables: blocks.filter((block) => block.kind === "table"),
    fields,
  };
}

const styles = ["bold", "italic", "mono"] as const;

function packWord(word: Word): PackedWord {
  const { x, y, width, height } = word.box;
  const style = styles.reduce((bits, name, index) => (word[name] ? bits | (1 << index) : bits), 0);
  const rest = [word.fontSize === undefined ? null : hundredths(word.fontSize), style, word.confidence ?? null];
  return [word.text, hundredths(x), hundredths(y), hundredths(width), hundredths(height), ...rest];
}

export function unpackWord([text, x, y, width, height, fontSize, style, confidence]: PackedWord): Word {
  const has = (index: number) => ((style ?? 0) & (1 << index)) !== 0;
  return {
    text,
    box: { x, y, width, height },
    ...(fontSize !== null && fontSize !== undefined && { fontSize }),
    ...(has(0) && { bold: true }),
    ...(has(1) && { italic: true }),
    ...(has(2) && { mono: true }),
    ...(confidence !== null && confidence !== undefined && { confidence }),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
