/**
 * Reads documents of any format, part by part: pages of what has pages, sections of what flows. Everything that looks
 * into a file happens in threads with a deadline and a memory limit each; a file that exceeds them, is broken, encrypted
 * or no such file at all ends in a DocmillError with a code, and nobody else notices.
 */
import type { Block, Field } from "../layout/blocks.ts";
import type { PackedPage } from "../layout/packed-page.ts";
import type { PageText } from "../layout/page.ts";
import type { Format } from "./format.ts";

export interface OutlineEntry {
  /** From 1. */
  level: number;
  title: string;
  page?: number;
}

export interface DocumentFacts {
  /** Pages or sections: they are numbered from 1. */
  parts: number;
  title?: string;
  author?: string;
  language?: string;
  outline: OutlineEntry[];
}

export interface ReadPage {
  kind: "page";
  text: PageText;
  blocks: Block[];
  /** Values of form fields and label/value pairs found in the text. */
  fields: Field[];
  /** The page shows more than its text layer says (a scan, outlines for letters, a broken font): OCR it. */
  needsOcr: boolean;
  /** Of what was scanned, in pixels per inch; drawing it finer adds nothing. */
  imageDpi?: number;
}

/** A section of what flows: markdown with its headings as the source has them. */
export interface ReadSection {
  kind: "section";
  markdown: string;
}

export type ReadPart = ReadPage | ReadSection;

export type PackedPart = ReadPart | ({ kind: "packed" } & PackedPage);

export interface RenderedPage {
  /** Grey values, one byte a pixel. */
  data: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  dpi: number;
}

export interface FileToRead {
  /** A local file. */
  path: string;
  format: Format;
}

export interface DocumentReader {
  open(file: FileToRead, signal: AbortSignal): Promise<DocumentFacts>;
  readPart(file: FileToRead, part: number, signal: AbortSignal): Promise<ReadPart>;
  /** The same, with pages that need no OCR in the form in which they are kept. */
  readPacked(file: FileToRead, part: number, signal: AbortSignal): Promise<PackedPart>;
  /** The page as people see it. Grey for OCR; an encoded PNG for showing it. */
  renderGrey(file: FileToRead, page: number, dpi: number, signal: AbortSignal): Promise<RenderedPage>;
  renderPng(file: FileToRead, page: number, dpi: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /** Blocks and fields of a page whose words came from elsewhere (OCR). */
  arrange(text: PageText, signal: AbortSignal): Promise<Pick<ReadPage, "blocks" | "fields">>;
  close(): Promise<void>;
}
