/** Runs in a thread: from a PDF's words to a sheet. */
import { RetryableError, TerminalError } from "../../errors.ts";
import { readPdfPage } from "../../formats/pdf/read-pdf-page.ts";
import { withPdf } from "../../formats/pdf/with-pdf.ts";
import { heatPlan } from "../../heatsheets/estimate-starts.ts";
import { groupRows } from "../../heatsheets/group-rows.ts";
import { parseSheet } from "../../heatsheets/parse-sheet.ts";
import type { PageText } from "../../layout/page.ts";
import { serveTasks, threadSettings } from "../../threads/serve-tasks.ts";
import { pageBreak, type ReadSheet, type ScannedPage, type SheetFile, type SheetReading } from "./sheet-threads.ts";

export interface SheetThreadSettings {
  maxPages: number;
}

export const sheetTasks = {
  async read({ path, recognised = [] }: SheetFile): Promise<SheetReading> {
    const { maxPages } = threadSettings<SheetThreadSettings>();
    const pages: PageText[] = [];
    const scanned: ScannedPage[] = [];
    const known = new Map(recognised.map((text) => [text.page, text]));
    try {
      await withPdf(path, (pdfium, document) => {
        refuseTooMany(document.pageCount, maxPages);
        for (let page = 1; page <= document.pageCount; page++) {
          const { text, needsOcr, imageDpi } = known.has(page)
            ? { text: known.get(page) as PageText, needsOcr: false }
            : readPdfPage(pdfium, document, page);
          pages.push(text);
          if (needsOcr) scanned.push({ page, imageDpi });
        }
      });
    } catch (error) {
      // A file that is not there is our own trouble, not the sheet's.
      if (!(error instanceof Error && "syscall" in error)) throw error;
      throw new RetryableError("FILE_UNREADABLE", "The stored file could not be read.", { cause: error });
    }
    if (scanned.length > 0) return { kind: "scan", pages: scanned };
    return { kind: "sheet", sheet: toReadSheet(pages) };
  },
};

serveTasks(sheetTasks);

function refuseTooMany(pages: number, maxPages: number): void {
  if (pages <= maxPages) return;
  const message = `It has ${pages} pages; of a heat sheet at most ${maxPages} are read.`;
  throw new TerminalError("TOO_MANY_PAGES", message, { details: { pages, maxPages } });
}

function toReadSheet(pages: readonly PageText[]): ReadSheet {
  const sheet = parseSheet(pages);
  const content = pages
    .map(({ words }) => groupRows(words).map(({ text }) => text))
    .map((lines) => lines.join("\n"))
    .join(pageBreak);
  // What a damaged font gives may be no characters that can be stored.
  const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();
  const toJson = (value: unknown) =>
    JSON.stringify(value, (_key, part) => (typeof part === "string" ? storable(part) : part));
  return { sheet: toJson(sheet), plan: toJson(heatPlan(sheet)), content: storable(content) };
}
