/** A page in reading order: what the layout makes of its words. */
import type { Box, TextSource } from "./page.ts";

interface BlockBase {
  box: Box;
}

/**
 * Text is markdown of one line already: emphasis and escapes are in it, line breaks and hyphenation are not. Code is as it
 * stands: several lines, nothing escaped.
 */
export interface TextBlock extends BlockBase {
  kind: "paragraph" | "heading" | "list_item" | "code" | "caption" | "footnote";
  text: string;
  /** The prevailing type size, by which headings are told apart over the whole document. */
  fontSize: number;
  bold: boolean;
  /** Of a list item: how deep it is (0 is the outermost) and what stands in front of it (`-`, `1.`). */
  depth?: number;
  marker?: string;
  /** Words that a line's end parted and that were joined, with their hyphen: only the whole document may know better. */
  joined?: string[];
}

export interface TableCell {
  text: string;
  box?: Box;
  rowSpan?: number;
  columnSpan?: number;
}

export interface TableBlock extends BlockBase {
  kind: "table";
  /** Row by row, every row with the same number of cells; a cell covered by another's span is empty. */
  rows: TableCell[][];
  headerRows: number;
  caption?: string;
}

export type Block = TextBlock | TableBlock;

/** A label with its value, as found on a page. */
export interface Field {
  key: string;
  value: string;
  /** What the value looks like: the date as YYYY-MM-DD and the amount as a plain decimal are in `normalized`. */
  kind: "text" | "date" | "amount" | "number" | "checkbox";
  normalized?: string;
  /** 0 to 1. */
  confidence: number;
  page: number;
  box?: Box;
  source: "label" | "form" | "pattern" | "azure" | "model" | "own";
}

/** A page as it is stored between extraction and markdown. */
export interface PageBlocks {
  page: number;
  width: number;
  height: number;
  source: TextSource;
  blocks: Block[];
}
