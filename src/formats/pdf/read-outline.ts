/** A PDF's bookmarks, in order. Files exist whose bookmarks go round in circles: each is taken once. */
import type { OutlineEntry } from "../document-reader.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { Pdfium } from "./pdfium.ts";

const mostEntries = 10_000;
const deepest = 20;
const goTo = 1;

export function readOutline(pdfium: Pdfium, document: PdfDocument): OutlineEntry[] {
  const { call } = pdfium;
  const { handle } = document;
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  visit(0, 1);
  return entries;

  function visit(parent: number, level: number): void {
    let bookmark = call.FPDFBookmark_GetFirstChild(handle, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && seen.size < mostEntries) {
      seen.add(bookmark);
      const current = bookmark;
      const title = pdfium
        .readText((buffer, bytes) => call.FPDFBookmark_GetTitle(current, buffer, bytes))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences for the language, and debris
        .replace(/\u001b[^\u001b]*\u001b|[\u0000-\u001f\s]+/g, " ")
        .trim();
      if (title !== "") entries.push({ level, title, page: pageOf(current) });
      if (level < deepest) visit(bookmark, level + 1);
      bookmark = call.FPDFBookmark_GetNextSibling(handle, bookmark);
    }
  }

  function pageOf(bookmark: number): number | undefined {
    let destination = call.FPDFBookmark_GetDest(handle, bookmark);
    if (destination === 0) {
      const action = call.FPDFBookmark_GetAction(bookmark);
      if (action !== 0 && call.FPDFAction_GetType(action) === goTo)
        destination = call.FPDFAction_GetDest(handle, action);
    }
    const index = destination === 0 ? -1 : call.FPDFDest_GetDestPageIndex(handle, destination);
    return index >= 0 && index < document.pageCount ? index + 1 : undefined;
  }
}
