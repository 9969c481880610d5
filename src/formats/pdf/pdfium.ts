/**
 * PDFium as WebAssembly, called directly: the package's wrappers cost more than most of the calls. One instance a thread;
 * what it leaves behind after it has trapped is not to be used again.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { init } from "@embedpdf/pdfium";

const used = [
  "malloc",
  "free",
  "PDFiumExt_Init",
  "PDFiumExt_OpenFormFillInfo",
  "PDFiumExt_CloseFormFillInfo",
  "PDFiumExt_InitFormFillEnvironment",
  "PDFiumExt_ExitFormFillEnvironment",
  "FPDF_LoadCustomDocument",
  "FPDF_CloseDocument",
  "FPDF_GetLastError",
  "FPDF_GetPageCount",
  "FPDF_GetFormType",
  "FPDF_GetMetaText",
  "EPDFCatalog_GetLanguage",
  "FPDF_LoadPage",
  "FPDF_ClosePage",
  "FPDF_GetPageWidthF",
  "FPDF_GetPageHeightF",
  "FPDF_GetPageBoundingBox",
  "FPDFPage_GetRotation",
  "FPDFText_LoadPage",
  "FPDFText_ClosePage",
  "FPDFText_CountChars",
  "FPDFText_GetUnicode",
  "FPDFText_GetCharBox",
  "FPDFText_GetCharOrigin",
  "FPDFText_GetTextObject",
  "FPDFText_GetMatrix",
  "FPDFText_GetFontSize",
  "FPDFTextObj_GetFont",
  "FPDFTextObj_GetTextRenderMode",
  "FPDFFont_GetBaseFontName",
  "FPDFFont_GetFlags",
  "FPDFFont_GetAscent",
  "FPDFFont_GetDescent",
  "FPDFPage_CountObjects",
  "FPDFPage_GetObject",
  "FPDFFormObj_CountObjects",
  "FPDFImageObj_GetImagePixelSize",
  "FPDFFormObj_GetObject",
  "FPDFPageObj_GetType",
  "FPDFPageObj_GetBounds",
  "FPDFPageObj_GetMatrix",
  "FPDFPageObj_GetFillColor",
  "FPDFPath_GetDrawMode",
  "FPDFPath_CountSegments",
  "FPDFPath_GetPathSegment",
  "FPDFPathSegment_GetType",
  "FPDFPathSegment_GetPoint",
  "FPDFPathSegment_GetClose",
  "FPDFBookmark_GetFirstChild",
  "FPDFBookmark_GetNextSibling",
  "FPDFBookmark_GetTitle",
  "FPDFBookmark_GetDest",
  "FPDFBookmark_GetAction",
  "FPDFAction_GetType",
  "FPDFAction_GetDest",
  "FPDFDest_GetDestPageIndex",
  "FPDFPage_GetAnnotCount",
  "FPDFPage_GetAnnot",
  "FPDFPage_CloseAnnot",
  "FPDFAnnot_GetSubtype",
  "FPDFAnnot_GetRect",
  "FPDFAnnot_GetFlags",
  "FPDFAnnot_GetFormFieldType",
  "FPDFAnnot_GetFormFieldName",
  "FPDFAnnot_GetFormFieldAlternateName",
  "FPDFAnnot_GetFormFieldValue",
  "FPDFAnnot_GetStringValue",
  "FPDFPage_Flatten",
  "FPDFBitmap_CreateEx",
  "FPDFBitmap_FillRect",
  "FPDFBitmap_Destroy",
  "FPDF_RenderPageBitmap",
] as const;

type Calls = Record<(typeof used)[number], (...values: number[]) => number>;

interface EmscriptenModule {
  wasmExports: Record<string, unknown>;
  addFunction(callback: (...values: number[]) => number, signature: string): number;
  removeFunction(pointer: number): void;
}

export interface Pdfium {
  readonly call: Calls;
  /** 256 bytes for what a call writes its results to. */
  readonly scratch: number;
  /** Memory moves when it grows: never keep a view over a call. */
  bytes(): Uint8Array<ArrayBuffer>;
  ints(): Int32Array<ArrayBuffer>;
  floats(): Float32Array<ArrayBuffer>;
  doubles(): Float64Array<ArrayBuffer>;
  /** Runs `work` with zero-ended ASCII in memory. */
  withText<Result>(text: string, work: (pointer: number) => Result): Result;
  /** A string as PDFium's functions hand them out: they tell the bytes needed, and fill a buffer of that size. */
  readText(fill: (buffer: number, bytes: number) => number, encoding?: "utf16le" | "utf8"): string;
  addFunction(callback: (...values: number[]) => number, signature: string): number;
  removeFunction(pointer: number): void;
  /** Whether memory was refused to it since the last time of asking: what it drew may lack something. */
  tookTooMuchMemory(): boolean;
}

let loading: Promise<Pdfium> | undefined;

export function loadPdfium(): Promise<Pdfium> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Pdfium> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")));
  let refused = false;
  const { pdfium } = await init({
    wasmBinary: new Uint8Array(wasmBinary).buffer,
    print: () => {},
    // Emscripten's only sign that an allocation failed for good.
    printErr: (line: string) => {
      if (line.startsWith("Failed to grow") || line.startsWith("Cannot enlarge")) refused = true;
    },
  });
  const { wasmExports, addFunction, removeFunction } = pdfium as unknown as EmscriptenModule;
  const missing = used.filter((name) => typeof wasmExports[name] !== "function");
  if (missing.length > 0) throw new Error(`This build of PDFium lacks ${missing.join(", ")}.`);
  const call = wasmExports as Calls;
  const memory = wasmExports.memory as WebAssembly.Memory;
  call.PDFiumExt_Init();

  let views = viewMemory(memory);
  const follow = () => {
    if (views.bytes.buffer !== memory.buffer) views = viewMemory(memory);
    return views;
  };

  return {
    call,
    scratch: call.malloc(256),
    bytes: () => follow().bytes,
    ints: () => follow().ints,
    floats: () => follow().floats,
    doubles: () => follow().doubles,
    withText(text, work) {
      const encoded = Buffer.from(`${text}\0`, "latin1");
      const pointer = call.malloc(encoded.length);
      follow().bytes.set(encoded, pointer);
      try {
        return work(pointer);
      } finally {
        call.free(pointer);
      }
    },
    readText(fill, encoding = "utf16le") {
      const size = Math.min(fill(0, 0), longestText);
      const ending = encoding === "utf16le" ? 2 : 1;
      if (size <= ending) return "";
      const pointer = call.malloc(size);
      try {
        fill(pointer, size);
        return Buffer.from(memory.buffer, pointer, size - ending).toString(encoding);
      } finally {
        call.free(pointer);
      }
    },
    addFunction,
    removeFunction,
    tookTooMuchMemory() {
      const was = refused;
      refused = false;
      return was;
    },
  };
}

function viewMemory({ buffer }: WebAssembly.Memory) {
  return {
    bytes: new Uint8Array(buffer),
    ints: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
  };
}

/** No name, title or value that is worth keeping is longer. */
const longestText = 64 * 1024;
