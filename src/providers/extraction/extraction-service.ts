/** A remote service that reads whole documents: words, layout, tables and fields in one paid answer. */
import type { Readable } from "node:stream";
import type { Block, Field } from "../../layout/blocks.ts";
import type { PageText } from "../../layout/page.ts";
import type { CallContext } from "../call-context.ts";

export interface DocumentFile {
  sha256: string;
  contentType: string;
  size: number;
  /** Opens the file's bytes; may be called more than once. */
  open(): Promise<Readable>;
}

export interface AnalysedPage {
  text: PageText;
  blocks: Block[];
  fields: Field[];
}

export interface ExtractionService {
  /** As people know it: `azure prebuilt-layout`. */
  readonly name: string;
  /** How many pages one call takes best. */
  readonly pagesPerCall: number;
  /** The pages `from` to `to`, both included. */
  analyse(file: DocumentFile, pages: { from: number; to: number }, call: CallContext): Promise<AnalysedPage[]>;
}
