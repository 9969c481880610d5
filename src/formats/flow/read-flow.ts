/**
 * Reads what flows (EPUB, DOCX, HTML, Markdown, text) as markdown, section by section. The last file stays open in
 * memory, parsed, so that a book is not unpacked again for each of its sections; it is opened anew when it has changed.
 */
import { stat } from "node:fs/promises";
import { DocmillError, TerminalError } from "../../errors.ts";
import type { DocumentFacts, ReadSection } from "../document-reader.ts";
import type { Format } from "../format.ts";
import { corruptFile, type FlowDocument } from "./flow-document.ts";
import { type FlowLimits, withDefaultLimits } from "./flow-limits.ts";

type OpenDocument = (path: string, limits: FlowLimits) => Promise<FlowDocument>;

/** Each with its libraries only when a file of the kind comes. */
const openers: Partial<Record<Format, () => Promise<OpenDocument>>> = {
  epub: async () => (await import("./open-epub.ts")).openEpub,
  docx: async () => (await import("./open-docx.ts")).openDocx,
  html: async () => (await import("./open-html.ts")).openHtml,
  markdown: async () => (await import("./open-markdown.ts")).openMarkdown,
  text: async () => (await import("./open-text.ts")).openText,
};

let last: { key: string; document: Promise<FlowDocument> } | undefined;

export async function openFlow(path: string, format: Format, limits?: Partial<FlowLimits>): Promise<DocumentFacts> {
  return (await openKept(path, format, limits)).facts;
}

export async function readFlowSection(
  path: string,
  format: Format,
  part: number,
  limits?: Partial<FlowLimits>,
): Promise<ReadSection> {
  const document = await openKept(path, format, limits);
  if (!Number.isInteger(part) || part < 1 || part > document.facts.parts) {
    throw new TerminalError("NO_SUCH_PART", `The document has ${document.facts.parts} sections; there is no ${part}.`);
  }
  return { kind: "section", markdown: await explainFailure(() => document.readSection(part)) };
}

async function openKept(path: string, format: Format, given?: Partial<FlowLimits>): Promise<FlowDocument> {
  const { size, mtimeMs, ino } = await stat(path);
  const limits = withDefaultLimits(given);
  const key = JSON.stringify([path, format, size, mtimeMs, ino, limits]);
  if (last?.key !== key) last = { key, document: explainFailure(() => openNew(path, format, size, limits)) };
  const { document } = last;
  try {
    return await document;
  } catch (error) {
    if (last?.document === document) last = undefined;
    throw error;
  }
}

async function openNew(path: string, format: Format, size: number, limits: FlowLimits): Promise<FlowDocument> {
  const opener = openers[format];
  if (!opener) throw new TypeError(`${format} does not flow.`);
  if (size === 0) throw new TerminalError("EMPTY_FILE", "The file is empty.");
  return (await opener())(path, limits);
}

/** What a parser throws at a file it does not understand says that the file is broken, not that we are. */
async function explainFailure<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DocmillError || error instanceof TypeError || isSystemError(error)) throw error;
    throw corruptFile("The file cannot be understood; it is damaged.", error);
  }
}

function isSystemError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown }).syscall === "string";
}
