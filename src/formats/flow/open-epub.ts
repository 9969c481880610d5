/** A book in EPUB 2 or 3: every file of its spine is a section, very large ones are several. */
import { cleanHtml } from "./clean-html.ts";
import { decodeText } from "./decode-text.ts";
import { type EpubOutlineEntry, readEpubOutline } from "./epub-outline.ts";
import { decodePercent, type ManifestItem, readEpubPackage, resolvePath } from "./epub-package.ts";
import type { FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { inlineStyles } from "./hidden-styles.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { attribute, copyNodes, findElements, type HtmlNode, type HtmlParent, parseHtml } from "./html-tree.ts";
import { markNotes } from "./mark-notes.ts";
import { findBody, splitHtml } from "./split-html.ts";
import type { HeadingShift } from "./tidy-markdown-tree.ts";
import { openZip, type ZipArchive } from "./zip-archive.ts";

interface Section {
  item: ManifestItem;
  /** Which piece of the file, from 0. */
  piece: number;
}

/** What hides a word is in the first sheets of a book, if in any. */
const maxStyleBytes = 2 ** 20;

export async function openEpub(path: string, limits: FlowLimits): Promise<FlowDocument> {
  const archive = await openZip(path, limits);
  const book = await readEpubPackage(archive);
  archive.requireReadable(book.spine.map(({ path: name }) => name));
  const outline = await readEpubOutline(archive, book);
  const files = new Map(book.spine.map((item, i) => [item.path, i + 1]));
  const readPieces = keepLast((item: ManifestItem) => readFile(archive, item, files, limits));
  const sections: Section[] = [];
  for (const item of book.spine) {
    // Only a file that may be too large for one section is looked into before it is read.
    const pieces = isLarge(archive, item, limits) ? (await readPieces(item)).length : 1;
    for (let piece = 0; piece < pieces; piece++) sections.push({ item, piece });
  }
  return {
    facts: {
      parts: sections.length,
      title: book.title,
      author: book.author,
      language: book.language,
      outline: outline.map(({ level, title }) => ({ level, title })),
    },
    async readSection(part) {
      const { item, piece } = sections[part - 1] as Section;
      const pieces = await readPieces(item);
      return htmlToMarkdown(copyNodes(pieces[piece] ?? []), shiftToOutline(item, outline));
    },
  };
}

async function readFile(
  archive: ZipArchive,
  item: ManifestItem,
  files: Map<string, number>,
  limits: FlowLimits,
): Promise<HtmlNode[][]> {
  const markup = decodeText(await archive.read(item.path), { declared: "markup" });
  const tree = parseHtml(markup, "xhtml");
  const notes = markNotes(tree, (href) => {
    const file = files.get(resolvePath(item.path, href) ?? "");
    const fragment = decodePercent(href.split("#")[1] ?? "").replace(/[^\p{L}\p{N}._-]+/gu, "-");
    return file && fragment ? `${file}-${fragment}` : undefined;
  });
  cleanHtml(tree, notes, inlineStyles(markup) + (await readStyles(archive, item, tree)));
  const body = findBody(tree);
  return isLarge(archive, item, limits) ? splitHtml(body, limits.sectionChars) : [body.children];
}

/** Markup takes a multiple of what it says. */
function isLarge(archive: ZipArchive, item: ManifestItem, limits: FlowLimits): boolean {
  return (archive.entries.get(item.path)?.unpackedBytes ?? 0) > limits.sectionChars * 5;
}

async function readStyles(archive: ZipArchive, item: ManifestItem, tree: HtmlParent): Promise<string> {
  const sheets = findElements(
    tree,
    (part) => part.tagName === "link" && attribute(part, "rel")?.toLowerCase() === "stylesheet",
  );
  const paths = new Set(sheets.map((sheet) => resolvePath(item.path, attribute(sheet, "href") ?? "")));
  let css = "";
  for (const path of paths) {
    const { unpackedBytes = Number.POSITIVE_INFINITY } = archive.entries.get(path ?? "") ?? {};
    if (path && css.length + unpackedBytes <= maxStyleBytes) css += `${decodeText(await archive.read(path))}\n`;
  }
  return css;
}

/**
 * Files of one book often all begin with a first-level heading, parts and chapters alike. Where the table of contents
 * names the heading a file begins with, its level there counts, and the other headings of the file move along.
 */
function shiftToOutline(item: ManifestItem, outline: EpubOutlineEntry[]): HeadingShift {
  return ({ level, text }) => {
    const heading = comparable(text);
    const entry = outline.find(
      ({ path, title }) => path === item.path && heading !== "" && isSameTitle(heading, comparable(title)),
    );
    return entry ? Math.min(entry.level, 6) - level : 0;
  };
}

function isSameTitle(heading: string, title: string): boolean {
  return title !== "" && (heading === title || heading.endsWith(title) || title.endsWith(heading));
}

function comparable(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Sections of one file are read one after another: the last file stays parsed. */
function keepLast<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  let last: { key: Key; value: Value } | undefined;
  return async (key) => {
    if (last?.key !== key) last = { key, value: await read(key) };
    return last.value;
  };
}
