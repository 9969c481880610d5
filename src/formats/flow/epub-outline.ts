/** The table of contents of a book: from its navigation document, or the NCX of older ones. */
import { decodeText } from "./decode-text.ts";
import { type EpubPackage, resolvePath } from "./epub-package.ts";
import { attribute, findElement, type HtmlElement, isElement, kindsOf, parseHtml, plainText } from "./html-tree.ts";
import { attributeOf, childrenOf, firstChild, parseXml, textOf, type XmlElement } from "./parse-xml.ts";
import type { ZipArchive } from "./zip-archive.ts";

export interface EpubOutlineEntry {
  level: number;
  title: string;
  /** The file it leads to. */
  path?: string;
}

export async function readEpubOutline(archive: ZipArchive, book: EpubPackage): Promise<EpubOutlineEntry[]> {
  const { nav, ncx } = book;
  const entries: EpubOutlineEntry[] = [];
  if (nav && archive.entries.has(nav.path)) {
    const tree = parseHtml(decodeText(await archive.read(nav.path), { declared: "markup" }), "xhtml");
    const toc =
      findElement(tree, (part) => part.tagName === "nav" && kindsOf(part).includes("toc")) ??
      findElement(tree, (part) => part.tagName === "nav");
    const list = toc && findElement(toc, (part) => part.tagName === "ol");
    if (list) collectList(list, 1, nav.path, entries);
  }
  if (entries.length === 0 && ncx && archive.entries.has(ncx.path)) {
    const map = firstChild(parseXml(await archive.read(ncx.path), ncx.path), "ncx", "navMap");
    if (map) collectPoints(map, 1, ncx.path, entries);
  }
  return entries;
}

function collectList(list: HtmlElement, level: number, from: string, entries: EpubOutlineEntry[]): void {
  for (const item of list.children) {
    if (!isElement(item, "li")) continue;
    const label = item.children.find((child) => isElement(child, "a", "span"));
    const title = label ? plainText(label) : "";
    const href = isElement(label) ? attribute(label, "href") : undefined;
    if (title) entries.push({ level, title, path: href === undefined ? undefined : resolvePath(from, href) });
    for (const inner of item.children) {
      if (isElement(inner, "ol")) collectList(inner, title ? level + 1 : level, from, entries);
    }
  }
}

function collectPoints(parent: XmlElement, level: number, from: string, entries: EpubOutlineEntry[]): void {
  for (const point of childrenOf(parent, "navPoint")) {
    const title = textOf(firstChild(point, "navLabel", "text"));
    const source = attributeOf(firstChild(point, "content"), "src");
    if (title) entries.push({ level, title, path: source === undefined ? undefined : resolvePath(from, source) });
    collectPoints(point, title ? level + 1 : level, from, entries);
  }
}
