/** Counts the pages that are read and the bytes that are taken in, whoever reads them: the readers know nothing of it. */
import type { DocumentReader } from "./formats/document-reader.ts";
import type { WorkMetrics } from "./metrics/work-metrics.ts";
import type { DocumentServices } from "./pipelines/documents/document-services.ts";
import { pageBreak, type SheetThreads } from "./pipelines/heats/sheet-threads.ts";
import type { ExtractionService } from "./providers/extraction/extraction-service.ts";
import type { OcrEngine } from "./providers/ocr/ocr-engine.ts";

export function countReading(services: DocumentServices, metrics: WorkMetrics): DocumentServices {
  const { blobs, reader, ocr, extraction } = services;
  const counted: [string, ExtractionService | undefined][] = Object.entries(extraction).map(([name, service]) => [
    name,
    service && countService(service, metrics),
  ]);
  return {
    ...services,
    blobs: { ...blobs, tookIn: metrics.tookIn },
    reader: countFile(reader, metrics),
    ocr: countOcr(ocr, metrics),
    extraction: Object.fromEntries(counted),
  };
}

function countFile(reader: DocumentReader, { pagesRead }: WorkMetrics): DocumentReader {
  const counted = async <Read>(reading: Promise<Read>) => {
    const read = await reading;
    pagesRead("file");
    return read;
  };
  return {
    ...reader,
    readPart: (file, part, signal) => counted(reader.readPart(file, part, signal)),
    readPacked: (file, part, signal) => counted(reader.readPacked(file, part, signal)),
  };
}

function countOcr(ocr: OcrEngine, { pagesRead }: WorkMetrics): OcrEngine {
  return {
    ...ocr,
    async recognise(page, call) {
      const recognised = await ocr.recognise(page, call);
      pagesRead("ocr");
      return recognised;
    },
  };
}

function countService(service: ExtractionService, { pagesRead }: WorkMetrics): ExtractionService {
  return {
    ...service,
    async analyse(file, pages, call) {
      const analysed = await service.analyse(file, pages, call);
      pagesRead("service", analysed.length);
      return analysed;
    },
  };
}

export function countSheets(sheets: SheetThreads, { pagesRead }: WorkMetrics): SheetThreads {
  return {
    ...sheets,
    async read(file, signal) {
      const read = await sheets.read(file, signal);
      if (read.kind === "sheet") pagesRead("file", read.sheet.content.split(pageBreak).length);
      return read;
    },
  };
}
