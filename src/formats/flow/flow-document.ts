/** A file that flows, opened: its facts, and its sections on demand. It holds no open file between two calls. */
import { TerminalError } from "../../errors.ts";
import type { DocumentFacts } from "../document-reader.ts";

export interface FlowDocument {
  facts: DocumentFacts;
  /** Markdown of the section, numbered from 1. */
  readSection(part: number): Promise<string>;
}

export function corruptFile(message: string, cause?: unknown): TerminalError {
  return new TerminalError("CORRUPT_FILE", message, { cause });
}
