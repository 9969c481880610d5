/**
 * Books of the corpus as extraction sees them, page by page in plain text, with the pages on which their chapters and
 * sections begin as their makers say: a PDF's bookmarks, an EPUB's own headings.
 */
import { join } from "node:path";
import type { DocumentReader, FileToRead } from "../../../src/formats/document-reader.ts";
import { writePlainText } from "../../../src/layout/write-plain-text.ts";
import type { Bench } from "../../harness/bench.ts";
import { choose } from "../choose-documents.ts";
import { plainText } from "../plain-text.ts";

export interface BookSource {
  name: string;
  pages: string[];
  /** Pages, from 1. */
  chapters: ReadonlySet<number>;
  /** Where a chapter or a section begins; undefined where nobody says. */
  sections: ReadonlySet<number> | undefined;
}

interface Chosen {
  path: string;
  /** The level of its headings that is a chapter: below the parts, where a book has them. The next is a section. */
  chapterLevel: number;
}

const chosen: readonly Chosen[] = [
  { path: "pdf/debian-history.pdf", chapterLevel: 1 },
  { path: "pdf/debian-policy.pdf", chapterLevel: 1 },
  { path: "pdf/pypdf_GeoTopo-komprimiert.pdf", chapterLevel: 1 },
  { path: "pdf/gnuplot-manual.pdf", chapterLevel: 2 },
  { path: "pdf/octave-manual.pdf", chapterLevel: 1 },
  { path: "epub/linear-algebra.epub", chapterLevel: 2 },
];

/** What teaches nothing: pages of it are rightly left out. */
const matter =
  /\b(?:abkürzungsverzeichnis|acknowledge?ments|biography|bildquellen|contents|copyright|dedication|edition|imprint|index|licen[cs]e|list of (?:figures|tables)|publisher|stichwortverzeichnis|symbolverzeichnis)\b/i;
/** Of a printed page of a textbook. */
const charactersPerPage = 2_400;

export function chooseBooks(bench: Bench): string[] {
  return choose(
    bench,
    chosen.map(({ path }) => join(bench.options.corpus, path)),
  );
}

export async function readBook(reader: DocumentReader, path: string): Promise<BookSource> {
  const book = chosen.find((one) => path.endsWith(one.path)) as Chosen;
  return path.endsWith(".epub") ? readEpub(reader, path, book) : readPdf(reader, path, book);
}

async function readPdf(
  reader: DocumentReader,
  path: string,
  { path: name, chapterLevel }: Chosen,
): Promise<BookSource> {
  const file: FileToRead = { path, format: "pdf" };
  const { signal } = new AbortController();
  const { parts, outline } = await reader.open(file, signal);
  const pages: string[] = [];
  for (let page = 1; page <= parts; page++) {
    const read = await reader.readPart(file, page, signal);
    // As the text of a scan is written.
    pages.push(read.kind === "page" ? writePlainText(read.blocks).trim() : "");
  }
  const startsOf = (deepest: number) =>
    new Set(
      outline
        .filter(({ level, title, page }) => level <= deepest && page !== undefined && !matter.test(title))
        .map(({ page }) => page as number),
    );
  return { name, pages, chapters: startsOf(chapterLevel), sections: startsOf(chapterLevel + 1) };
}

/** Set in pages of equal length; a chapter begins a page, as it does in print. */
async function readEpub(
  reader: DocumentReader,
  path: string,
  { path: name, chapterLevel }: Chosen,
): Promise<BookSource> {
  const file: FileToRead = { path, format: "epub" };
  const { signal } = new AbortController();
  const { parts } = await reader.open(file, signal);
  const pages: string[] = [""];
  const chapters = new Set<number>();
  const sections = new Set<number>();
  for (let part = 1; part <= parts; part++) {
    const read = await reader.readPart(file, part, signal);
    const paragraphs = read.kind === "section" ? read.markdown.split(/\n{2,}/) : [];
    for (const paragraph of paragraphs) {
      const [, signs, title = ""] = /^(#{1,6})\s+(.+)$/m.exec(paragraph) ?? [];
      const level = signs?.length ?? Number.POSITIVE_INFINITY;
      const counts = level <= chapterLevel + 1 && !matter.test(title);
      const text = plainText(paragraph).trim();
      const full = (pages.at(-1) ?? "").length + text.length > charactersPerPage;
      if ((full || (level <= chapterLevel && counts)) && pages.at(-1) !== "") pages.push("");
      if (counts) sections.add(pages.length);
      if (counts && level <= chapterLevel) chapters.add(pages.length);
      pages[pages.length - 1] += `${pages.at(-1) === "" ? "" : "\n\n"}${text}`;
    }
  }
  return { name, pages, chapters, sections };
}
