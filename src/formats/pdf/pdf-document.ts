/**
 * An open PDF. The file is read in blocks as PDFium asks for them, so a file of any size costs a few megabytes; pages
 * are closed as soon as their work is done.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { TerminalError } from "../../errors.ts";
import type { Pdfium } from "./pdfium.ts";

export interface PdfDocument {
  readonly handle: number;
  readonly pageCount: number;
  /** PDFium's view of the form fields, made when first asked for; 0 where the file has none. */
  form(): number;
  /** Runs `work` with a page, from 1. */
  withPage<Result>(page: number, work: (handle: number) => Result): Result;
  /** Draws annotations into the page, for this copy in memory; false when there was nothing to draw. */
  flatten(page: number): boolean;
  /** Pages were flattened: their annotations are gone, and whoever wants them must open the file again. */
  readonly altered: boolean;
  /** The file system's error when the file could not be read, which is no fault of the document. */
  readonly readFailure: unknown;
  close(): void;
}

// PDFium asks for half a kilobyte at a time while it looks for objects.
const blockBytes = 64 * 1024;
const blocksKept = 64;

export function openPdf(pdfium: Pdfium, path: string): PdfDocument {
  const { call } = pdfium;
  const file = openSync(path, "r");
  const size = fstatSync(file).size;
  // PDFium counts bytes in 32 bits.
  if (size >= 2 ** 32) {
    closeSync(file);
    throw new TerminalError("FILE_TOO_LARGE", "A PDF of 4 GB or more cannot be read.");
  }
  const readBlock = keepBlocks(file, size);
  let readFailure: unknown;
  const getBlock = pdfium.addFunction((_param, position, buffer, length) => {
    const from = position >>> 0;
    const count = length >>> 0;
    if (from + count > size) return 0;
    try {
      readBlock(from, pdfium.bytes().subarray(buffer >>> 0, (buffer >>> 0) + count));
      return 1;
    } catch (error) {
      // Thrown through PDFium, it would leave it in the middle of something.
      readFailure = error;
      return 0;
    }
  }, "iiiii");
  const access = call.malloc(12);
  pdfium.ints().set([size, getBlock, 0], access >> 2);

  const handle = call.FPDF_LoadCustomDocument(access, 0);
  let altered = false;
  let form: { handle: number; info: number } | undefined;
  const release = () => {
    call.free(access);
    pdfium.removeFunction(getBlock);
    closeSync(file);
  };
  if (handle === 0) {
    release();
    throw readFailure ?? explainFailure(call.FPDF_GetLastError());
  }

  const pageCount = call.FPDF_GetPageCount(handle);
  if (pageCount <= 0) {
    call.FPDF_CloseDocument(handle);
    release();
    throw readFailure ?? new TerminalError("CORRUPT_PDF", "The PDF is damaged: none of its pages can be found.");
  }

  return {
    handle,
    pageCount,
    form() {
      if (call.FPDF_GetFormType(handle) === 0) return 0;
      if (!form) {
        const info = call.PDFiumExt_OpenFormFillInfo();
        form = { info, handle: call.PDFiumExt_InitFormFillEnvironment(handle, info) };
      }
      return form.handle;
    },
    withPage(page, work) {
      if (!Number.isInteger(page) || page < 1 || page > pageCount) {
        throw new TerminalError("NO_SUCH_PART", `The PDF has ${pageCount} pages; there is no ${page}.`);
      }
      const loaded = call.FPDF_LoadPage(handle, page - 1);
      if (loaded === 0)
        throw new TerminalError("CORRUPT_PDF", `Page ${page} of the PDF is damaged and cannot be read.`);
      try {
        return work(loaded);
      } finally {
        call.FPDF_ClosePage(loaded);
      }
    },
    flatten(page) {
      altered = true;
      return call.FPDFPage_Flatten(page, 0) === 1;
    },
    get altered() {
      return altered;
    },
    get readFailure() {
      return readFailure;
    },
    close() {
      if (form) {
        call.PDFiumExt_ExitFormFillEnvironment(form.handle);
        call.PDFiumExt_CloseFormFillInfo(form.info);
      }
      call.FPDF_CloseDocument(handle);
      release();
    },
  };
}

function keepBlocks(file: number, size: number): (from: number, into: Uint8Array) => void {
  const blocks = new Map<number, Buffer>();

  function block(index: number): Buffer {
    let found = blocks.get(index);
    if (found) return found;
    if (blocks.size >= blocksKept) blocks.delete(blocks.keys().next().value as number);
    found = Buffer.alloc(Math.min(blockBytes, size - index * blockBytes));
    for (let done = 0; done < found.length; ) {
      const count = readSync(file, found, done, found.length - done, index * blockBytes + done);
      if (count === 0) break;
      done += count;
    }
    blocks.set(index, found);
    return found;
  }

  return (from, into) => {
    for (let done = 0; done < into.length; ) {
      const at = from + done;
      const source = block(Math.floor(at / blockBytes));
      const offset = at % blockBytes;
      const count = Math.min(source.length - offset, into.length - done);
      into.set(source.subarray(offset, offset + count), done);
      done += count;
    }
  };
}

function explainFailure(code: number): TerminalError {
  // 4: a password is needed. 5: a security handler PDFium does not know.
  if (code === 4) return new TerminalError("ENCRYPTED_PDF", "The PDF is encrypted and opens only with its password.");
  if (code === 5) return new TerminalError("ENCRYPTED_PDF", "The PDF is encrypted in a way that cannot be read.");
  return new TerminalError("CORRUPT_PDF", "The PDF is damaged and cannot be opened.");
}
