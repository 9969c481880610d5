/** Makes small EPUB and DOCX files with invented texts, whole or broken in a chosen way. */
import { strToU8, type Zippable, zipSync } from "fflate";

interface SampleChapter {
  /** The file in the book; chapters without one are numbered. */
  href?: string;
  /** What stands in the body, or a whole document. */
  body: string;
  linear?: boolean;
  mediaType?: string;
}

interface SampleEpub {
  title?: string;
  author?: string;
  language?: string;
  chapters: SampleChapter[];
  /** The body of the navigation document (EPUB 3). */
  nav?: string;
  /** The inside of an NCX's navMap (EPUB 2). */
  ncx?: string;
  /** More entries of the archive, or others in place of those made here. */
  files?: Record<string, string | Uint8Array>;
}

export function makeEpub(book: SampleEpub): Uint8Array {
  const { title = "The Lantern Keeper", author = "Ada Marsh", language = "en", chapters, nav, ncx } = book;
  const hrefs = chapters.map((chapter, i) => chapter.href ?? `chapter-${i + 1}.xhtml`);
  const items = hrefs.map(
    (href, i) => `<item id="c${i}" href="${href}" media-type="${chapters[i]?.mediaType ?? "application/xhtml+xml"}"/>`,
  );
  const spine = hrefs.map((_, i) => `<itemref idref="c${i}"${chapters[i]?.linear === false ? ' linear="no"' : ""}/>`);
  if (nav) items.push('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>');
  if (ncx) items.push('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>');
  const files: Record<string, string | Uint8Array> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/book.opf":
      `<?xml version="1.0"?><opf:package xmlns:opf="http://www.idpf.org/2007/opf" version="3.0"><opf:metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dc:language>${language}</dc:language></opf:metadata><opf:manifest>${items.join("")}</opf:manifest><opf:spine toc="ncx">${spine.join("")}</opf:spine></opf:package>`.replace(
        /<(\/?)(item|itemref)\b/g,
        "<$1opf:$2",
      ),
  };
  for (const [i, chapter] of chapters.entries()) {
    const href = decodeURIComponent(hrefs[i] as string);
    files[`OEBPS/${href}`] = chapter.body.includes("<?xml") ? chapter.body : makeXhtml(chapter.body);
  }
  if (nav) files["OEBPS/nav.xhtml"] = makeXhtml(nav);
  if (ncx) {
    files["OEBPS/toc.ncx"] =
      `<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>${ncx}</navMap></ncx>`;
  }
  return makeZip({ ...files, ...book.files });
}

export function makeXhtml(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>${body}</body></html>`;
}

export function makeZip(files: Record<string, string | Uint8Array>): Uint8Array {
  const entries: Zippable = {};
  for (const [name, content] of Object.entries(files)) {
    entries[name] = typeof content === "string" ? strToU8(content) : content;
  }
  return zipSync(entries, { level: 6 });
}

interface SampleParagraph {
  text: string;
  style?: "Title" | "Heading1" | "Heading2" | "ListParagraph";
  /** The number of a footnote it refers to. */
  note?: number;
}

interface SampleDocx {
  title?: string;
  author?: string;
  paragraphs: SampleParagraph[];
  table?: string[][];
  notes?: string[];
  files?: Record<string, string | Uint8Array>;
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export function makeDocx(document: SampleDocx): Uint8Array {
  const { title = "Tide Report", author = "Jonas Fell", paragraphs, table, notes = [] } = document;
  const body = [...paragraphs.map(writeParagraph), table ? writeTable(table) : ""].join("");
  const parts = "application/vnd.openxmlformats-officedocument.wordprocessingml";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return makeZip({
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${parts}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${parts}.styles+xml"/><Override PartName="/word/footnotes.xml" ContentType="${parts}.footnotes+xml"/></Types>`,
    "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s1" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="f1" Type="${relations}/footnotes" Target="footnotes.xml"/></Relationships>`,
    "word/styles.xml": `<?xml version="1.0"?><w:styles ${word}>${[
      ["Title", "Title"],
      ["Heading1", "heading 1"],
      ["Heading2", "heading 2"],
    ]
      .map(([id, name]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`)
      .join("")}</w:styles>`,
    "word/footnotes.xml": `<?xml version="1.0"?><w:footnotes ${word}>${notes
      .map((note, i) => `<w:footnote w:id="${i + 1}">${writeParagraph({ text: note })}</w:footnote>`)
      .join("")}</w:footnotes>`,
    "word/document.xml": `<?xml version="1.0"?><w:document ${word}><w:body>${body}</w:body></w:document>`,
    "docProps/core.xml": `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator></cp:coreProperties>`,
    ...document.files,
  });
}

function writeParagraph({ text, style, note }: SampleParagraph): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : "";
  const reference = note === undefined ? "" : `<w:r><w:footnoteReference w:id="${note}"/></w:r>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r>${reference}</w:p>`;
}

function writeTable(rows: string[][]): string {
  const cells = (row: string[]) => row.map((text) => `<w:tc>${writeParagraph({ text })}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

/** Words that say nothing in sentences of ordinary length; the same for the same seed. */
export function makeProse(sentences: number, seed = 1): string {
  const words =
    "harbour lantern quiet river stone winter letter garden window morning copper paper train orchard signal".split(
      " ",
    );
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  return Array.from({ length: sentences }, () => {
    const sentence = Array.from({ length: 6 + next(12) }, () => words[next(words.length)]).join(" ");
    return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
  }).join(" ");
}
