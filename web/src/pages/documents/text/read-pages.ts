/** The markdown of each page, and which page is meant by an address. */
import type { DocumentMarkdown } from "../../../api/documents.ts";

export interface TextPage {
  page: number;
  start: number;
  end: number;
  markdown: string;
}

export function readPages(markdown: string, pages: DocumentMarkdown["pages"]): TextPage[] {
  return pages.map(({ page, offset }, i) => {
    const end = pages[i + 1]?.offset ?? markdown.length;
    return { page, start: offset, end, markdown: markdown.slice(offset, end) };
  });
}

/** The page asked for by its number; else the one a passage begins on; else the first. */
export function pageAt(pages: readonly TextPage[], page: number | undefined, start: number | undefined): TextPage {
  const found =
    pages.find((one) => one.page === page) ??
    (start === undefined ? undefined : pages.findLast((one) => one.start <= start)) ??
    pages[0];
  if (!found) throw new Error("A document with pages has one at least");
  return found;
}
