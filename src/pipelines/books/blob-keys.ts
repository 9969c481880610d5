/** Where a book's files are in storage. The number in them is the page's file number, which no other page ever gets. */
import type { Format } from "../../formats/format.ts";

export const booksPrefix = "books/";

export function bookPrefix(bookId: string): string {
  return `${booksPrefix}${bookId}/`;
}

const endings: Partial<Record<Format, string>> = { jpeg: "jpg", tiff: "tif" };

/** As it came in. */
export function rawKey(bookId: string, file: number, format: Format): string {
  return `${bookPrefix(bookId)}raw/${file}.${endings[format] ?? format}`;
}

export function imageKey(bookId: string, file: number): string {
  return `${bookPrefix(bookId)}${file}.png`;
}

export function textKey(bookId: string, file: number): string {
  return `${bookPrefix(bookId)}${file}.txt`;
}

/** The mirror of the pages, for whoever has only the files. */
export function metadataKey(bookId: string): string {
  return `${bookPrefix(bookId)}metadata.json`;
}

export function guidelinesPrefix(bookId: string): string {
  return `${bookPrefix(bookId)}guidelines/`;
}

/** What extraction made of a page; named by the page's row, which keeps its name when pages are renumbered. */
export function pageGuidelineKey(bookId: string, file: number): string {
  return `${guidelinesPrefix(bookId)}pages/${file}.json`;
}

export function shardKey(bookId: string, subtopicId: string): string {
  return `${guidelinesPrefix(bookId)}subtopics/${subtopicId}.json`;
}

/** All topics with their subtopics and pages. */
export function indexKey(bookId: string): string {
  return `${guidelinesPrefix(bookId)}index.json`;
}
