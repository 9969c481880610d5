/** The thread's side of the document reader: every look into a file happens here. */
import { RetryableError, TerminalError } from "../errors.ts";
import { arrangePage } from "../layout/arrange-page.ts";
import { findFields } from "../layout/fields/find-fields.ts";
import { packPage } from "../layout/packed-page.ts";
import type { PageText } from "../layout/page.ts";
import { serveTasks, Transferred, threadSettings } from "../threads/serve-tasks.ts";
import type { DocumentFacts, FileToRead, PackedPart, ReadPage, ReadPart, RenderedPage } from "./document-reader.ts";
import { openFlow, readFlowSection } from "./flow/read-flow.ts";
import { isPaged } from "./format.ts";
import { drawImageGrey, drawImagePng, encodePng } from "./image/draw-image.ts";
import { measureImage } from "./image/measure-image.ts";
import { readPdfFacts } from "./pdf/read-pdf-facts.ts";
import { readPdfPage } from "./pdf/read-pdf-page.ts";
import { renderPdfPage } from "./pdf/render-pdf-page.ts";
import { withPdf } from "./pdf/with-pdf.ts";

export interface ReaderSettings {
  maxPages: number;
  /** Of an image file. */
  maxImagePixels: number;
  /** Of an image file, unpacked, where that is needed. */
  maxImageBytes: number;
  /** Of what is drawn. */
  maxRenderPixels: number;
  deadlineMs: number;
}

interface PartToRead {
  file: FileToRead;
  part: number;
}

interface RenderInput {
  file: FileToRead;
  page: number;
  dpi: number;
}

const { maxPages, maxImagePixels, maxImageBytes, maxRenderPixels, deadlineMs } = threadSettings<ReaderSettings>();
const imageLimits = { maxPixels: maxImagePixels, maxBytes: maxImageBytes, deadlineMs };

const tasks = {
  async open(file: FileToRead): Promise<DocumentFacts> {
    const facts = await explainFileErrors(() => openFile(file));
    if (isPaged(file.format) && facts.parts > maxPages) {
      const message = `It has ${facts.parts} pages; at most ${maxPages} are read.`;
      throw new TerminalError("TOO_MANY_PAGES", message, { details: { pages: facts.parts, maxPages } });
    }
    return facts;
  },

  async readPart({ file, part }: PartToRead): Promise<ReadPart> {
    return await explainFileErrors(() => readFilePart(file, part));
  },

  async readPacked({ file, part }: PartToRead): Promise<PackedPart> {
    const read = await explainFileErrors(() => readFilePart(file, part));
    return read.kind === "page" && !read.needsOcr ? { kind: "packed", ...packPage(read) } : read;
  },

  async renderGrey(input: RenderInput): Promise<Transferred<RenderedPage>> {
    const drawn = await explainFileErrors(() => drawGrey(input));
    return new Transferred(drawn, [drawn.data.buffer]);
  },

  async renderPng(input: RenderInput): Promise<Transferred<Uint8Array<ArrayBuffer>>> {
    const png = await explainFileErrors(() => drawPng(input));
    return new Transferred(png, [png.buffer]);
  },

  arrange,
};

export type ReaderTasks = typeof tasks;

serveTasks(tasks);

async function openFile({ path, format }: FileToRead): Promise<DocumentFacts> {
  switch (format) {
    case "pdf":
      return await withPdf(path, readPdfFacts);
    case "png":
    case "jpeg":
    case "tiff":
    case "webp": {
      const { pages } = await measureImage(path, 1, imageLimits);
      return { parts: pages, outline: [] };
    }
    case "epub":
    case "docx":
    case "html":
    case "markdown":
    case "text":
      return await openFlow(path, format);
  }
}

async function readFilePart({ path, format }: FileToRead, part: number): Promise<ReadPart> {
  switch (format) {
    case "pdf": {
      const { text, needsOcr, imageDpi, ...read } = await withPdf(path, (pdfium, document) =>
        readPdfPage(pdfium, document, part),
      );
      // Text that OCR will replace is not worth arranging.
      const arranged = needsOcr ? { blocks: [], fields: [] } : arrange(text);
      const fields = [...read.fields, ...arranged.fields];
      return { kind: "page", text, blocks: arranged.blocks, fields, needsOcr, imageDpi };
    }
    case "png":
    case "jpeg":
    case "tiff":
    case "webp": {
      const { width, height } = await measureImage(path, part, imageLimits);
      const text: PageText = { page: part, width, height, source: "text", words: [], rules: [] };
      return { kind: "page", text, blocks: [], fields: [], needsOcr: true };
    }
    case "epub":
    case "docx":
    case "html":
    case "markdown":
    case "text":
      return await readFlowSection(path, format, part);
  }
}

async function drawGrey({ file: { path, format }, page, dpi }: RenderInput): Promise<RenderedPage> {
  const options = { dpi, maxPixels: maxRenderPixels };
  if (format !== "pdf") return await drawImageGrey(path, page, imageLimits, options);
  return await withPdf(path, (pdfium, document) =>
    renderPdfPage(pdfium, document, page, { ...options, colour: false }),
  );
}

async function drawPng({ file: { path, format }, page, dpi }: RenderInput): Promise<Uint8Array<ArrayBuffer>> {
  const options = { dpi, maxPixels: maxRenderPixels };
  if (format !== "pdf") return await drawImagePng(path, page, imageLimits, options);
  return await encodePng(
    await withPdf(path, (pdfium, document) => renderPdfPage(pdfium, document, page, { ...options, colour: true })),
  );
}

function arrange(text: PageText): Pick<ReadPage, "blocks" | "fields"> {
  const blocks = arrangePage(text);
  return { blocks, fields: findFields(text, blocks) };
}

/** A file that is not there is our own trouble, not the document's. */
async function explainFileErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) {
      throw new RetryableError("FILE_UNREADABLE", "The stored file could not be read.", { cause: error });
    }
    throw error;
  }
}
