/** A PDF page as people see it, as pixels. */
import { TerminalError } from "../../errors.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";

export interface PixelImage {
  data: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  dpi: number;
}

// Formats of bitmaps: bytes a pixel are the same number.
const greyFormat = 1;
const colourFormat = 4;

const drawAnnotations = 0x01;
const greyscale = 0x08;
const redFirst = 0x10;
const white = 0xffffffff | 0;

/** One byte a pixel in grey, four (RGBA) in colour. A page larger than `maxPixels` is drawn at a lower resolution. */
export function renderPdfPage(
  pdfium: Pdfium,
  document: PdfDocument,
  number: number,
  options: { dpi: number; maxPixels: number; colour: boolean },
): PixelImage {
  const { call } = pdfium;
  const { colour, maxPixels } = options;
  return document.withPage(number, (page) => {
    const inches = { width: call.FPDF_GetPageWidthF(page) / 72, height: call.FPDF_GetPageHeightF(page) / 72 };
    const dpi = Math.min(options.dpi, Math.sqrt(maxPixels / Math.max(inches.width * inches.height, 1e-6)));
    const width = Math.max(1, Math.round(inches.width * dpi));
    const height = Math.max(1, Math.round(inches.height * dpi));
    const stride = width * (colour ? colourFormat : greyFormat);
    pdfium.tookTooMuchMemory();
    const pixels = call.malloc(stride * height);
    const bitmap =
      pixels === 0 ? 0 : call.FPDFBitmap_CreateEx(width, height, colour ? colourFormat : greyFormat, pixels, stride);
    if (bitmap === 0) throw outOfMemory();
    try {
      call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      const flags = drawAnnotations | (colour ? redFirst : greyscale);
      call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
      // PDFium leaves out a picture it has no memory for; a page without its picture would pass for an empty one.
      if (pdfium.tookTooMuchMemory()) throw outOfMemory();
      return { data: pdfium.bytes().slice(pixels, pixels + stride * height), width, height, dpi };
    } finally {
      call.FPDFBitmap_Destroy(bitmap);
      call.free(pixels);
    }
  });
}

function outOfMemory(): TerminalError {
  return new TerminalError("MEMORY_LIMIT", "Drawing the page needs more memory than is allowed.");
}
