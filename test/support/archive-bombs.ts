/** EPUB and DOCX files that mean harm, each made in a moment and small to send. */
import { deflateRawSync } from "node:zlib";
import { type OddEntry, writeLargeEnd, writeLocator, writeZip } from "./odd-zips.ts";
import { makeDocx } from "./sample-books.ts";

const mega = 2 ** 20;

/** A book of these chapters; `oddities` come on top of what an entry is. */
function writeEpub(
  chapters: { href: string; body: string | Buffer; oddities?: Partial<OddEntry> }[],
  { more = [], manifest, spine }: { more?: OddEntry[]; manifest?: string; spine?: string } = {},
): Buffer {
  return writeZip(epubEntries(chapters, { more, manifest, spine })).bytes;
}

function epubEntries(
  chapters: { href: string; body: string | Buffer; oddities?: Partial<OddEntry> }[],
  { more = [], manifest, spine }: { more?: OddEntry[]; manifest?: string; spine?: string },
): OddEntry[] {
  const items = chapters.map(({ href }, i) => `<item id="c${i}" href="${href}" media-type="application/xhtml+xml"/>`);
  const order = chapters.map((_, i) => `<itemref idref="c${i}"/>`);
  const opf = `<package><metadata><title>Harm</title></metadata><manifest>${manifest ?? items.join("")}</manifest><spine>${spine ?? order.join("")}</spine></package>`;
  const container = `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`;
  return [
    entry("META-INF/container.xml", container),
    entry("book.opf", opf),
    ...chapters.map(({ href, body, oddities }) => ({ ...entry(href, body), ...oddities })),
    ...more,
  ];
}

function entry(name: string, content: string | Buffer): OddEntry {
  return { name, data: Buffer.from(content as string) };
}

/** Ten entities, each ten times the one before: the last would be three billion letters. */
const laughs = `<!DOCTYPE x [<!ENTITY a "haha">${[..."bcdefghij"]
  .map((name, i) => `<!ENTITY ${name} "${`&${"abcdefghi"[i]};`.repeat(10)}">`)
  .join("")}]>`;
const outside = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>`;

/** A thousand entries that share what one took to pack: each below what is thought large. */
function manyEntries(): Buffer {
  const body = Buffer.alloc(900_000, "<p>the same words </p>");
  const packed = deflateRawSync(body);
  return writeEpub(
    Array.from({ length: 1_000 }, (_, i) => ({ href: `c${i}.xhtml`, body: "", oddities: { data: body, packed } })),
  );
}

function overlapping(): Buffer {
  const words = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919).toString(36)).join(" "));
  const chapters = Array.from({ length: 50 }, (_, i) => ({ href: `c${i}.xhtml`, body: words }));
  const entries = epubEntries(chapters, {});
  const { offsets } = writeZip(entries);
  return writeZip(entries.map((one, i) => (i > 2 ? { ...one, at: offsets[2] } : one))).bytes;
}

/** The end says, in large numbers, that the directory is elsewhere. */
function largeLies(): Buffer {
  const { bytes } = writeZip(epubEntries([{ href: "c.xhtml", body: "<p>x</p>" }], {}));
  const end = Buffer.from(bytes.subarray(-22));
  end.writeUInt16LE(0xffff, 10);
  const body = bytes.subarray(0, -22);
  return Buffer.concat([body, writeLargeEnd(5n, 2n ** 62n, 2n ** 62n), writeLocator(body.length), end]);
}

function writeDocx(document: string | Buffer, more: Record<string, string | Uint8Array> = {}): Uint8Array {
  return makeDocx({ paragraphs: [], files: { "word/document.xml": document, ...more } });
}

const wordSpace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const wordDocument = (body: string, before = "") =>
  `${before}<w:document ${wordSpace}><w:body>${body}</w:body></w:document>`;
const saying = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

type Bomb = [what: string, name: string, bytes: () => Uint8Array, fates: RegExp];

export const archiveBombs: Bomb[] = [
  [
    "an EPUB with one giant",
    "one.epub",
    () => writeEpub([{ href: "c.xhtml", body: " ".repeat(60 * mega) }]),
    /^SUSPICIOUS_ARCHIVE$/,
  ],
  ["an EPUB of a thousand entries", "many.epub", manyEntries, /^ARCHIVE_TOO_LARGE$/],
  ["an EPUB whose entries overlap", "overlap.epub", overlapping, /^(SUSPICIOUS_ARCHIVE|CORRUPT_FILE)$/],
  [
    "an entry that is larger than it says",
    "larger.epub",
    () => writeEpub([{ href: "c.xhtml", body: "a".repeat(30 * mega), oddities: { says: { unpackedBytes: 1_000 } } }]),
    /^SUSPICIOUS_ARCHIVE$/,
  ],
  [
    "an entry that says it is gigantic",
    "gigantic.epub",
    () => writeEpub([{ href: "c.xhtml", body: "a", oddities: { says: { unpackedBytes: 0xffff_fff0 } } }]),
    /^ARCHIVE_TOO_LARGE$/,
  ],
  [
    "packed bytes that are not there",
    "missing.epub",
    () => writeEpub([{ href: "c.xhtml", body: "a", oddities: { says: { packedBytes: 0xffff_fff0 } } }]),
    /^(SUSPICIOUS_ARCHIVE|CORRUPT_FILE)$/,
  ],
  ["a directory at the end of the world", "far.epub", largeLies, /^CORRUPT_FILE$/],
  [
    "a hundred thousand entries",
    "entries.epub",
    () =>
      writeEpub([{ href: "c.xhtml", body: "a" }], {
        more: Array.from({ length: 100_000 }, (_, i) => ({ ...entry(`x${i}`, ""), packed: Buffer.from([3, 0]) })),
      }),
    /^ARCHIVE_TOO_LARGE$/,
  ],
  [
    "one file under a hundred thousand names",
    "spine.epub",
    () => {
      const numbers = Array.from({ length: 100_000 }, (_, i) => i);
      return writeEpub([{ href: "c.xhtml", body: "<p>The one file.</p>" }], {
        manifest: numbers.map((i) => `<item id="c${i}" href="c.xhtml" media-type="application/xhtml+xml"/>`).join(""),
        spine: numbers.map((i) => `<itemref idref="c${i}"/>`).join(""),
      });
    },
    // Keeps the processor busy: a slow machine stops what a fast one sees through.
    /^(Ready|SUSPICIOUS_ARCHIVE|TIME_LIMIT)$/,
  ],
  [
    "names that climb out",
    "climb.epub",
    () =>
      writeEpub([
        { href: "../../../../tmp/x.xhtml", body: "<p>One.</p>" },
        { href: "c.xhtml", body: "<p>Two.</p>" },
      ]),
    /^Ready$/,
  ],
  [
    "an archive in an archive",
    "nested.epub",
    () => writeEpub([{ href: "c.xhtml", body: writeEpub([{ href: "c.xhtml", body: " ".repeat(20 * mega) }]) }]),
    /^Ready$/,
  ],
  [
    "a chapter that laughs",
    "laughs.epub",
    () => writeEpub([{ href: "c.xhtml", body: `${laughs}<html><body><p>&j; the end</p></body></html>` }]),
    /^Ready$/,
  ],
  [
    "a chapter that asks for a file",
    "asks.epub",
    () => writeEpub([{ href: "c.xhtml", body: `${outside}<html><body><p>before &e; after</p></body></html>` }]),
    /^Ready$/,
  ],
  [
    "a thousand links to a style sheet",
    "styles.epub",
    () =>
      writeEpub(
        [
          {
            href: "c.xhtml",
            body: `<html><head>${"<link rel='stylesheet' href='s.css'/>".repeat(10_000)}</head><body><p>Plain.</p></body></html>`,
          },
        ],
        { more: [entry("s.css", ".a{color:red}".repeat(60_000))] },
      ),
    /^Ready$/,
  ],
  [
    "a DOCX with one giant",
    "one.docx",
    () => writeDocx(wordDocument("<w:p/>".repeat(4 * mega))),
    /^SUSPICIOUS_ARCHIVE$/,
  ],
  [
    "a DOCX of a thousand parts",
    "parts.docx",
    () => {
      const data = Buffer.alloc(900_000, "<a/>");
      const packed = deflateRawSync(data);
      const parts = Array.from({ length: 1_000 }, (_, i) => ({ name: `word/x${i}.xml`, data, packed }));
      return writeZip([
        entry("[Content_Types].xml", "<Types/>"),
        entry("word/document.xml", wordDocument("")),
        ...parts,
      ]).bytes;
    },
    /^ARCHIVE_TOO_LARGE$/,
  ],
  ["a DOCX that laughs", "laughs.docx", () => writeDocx(wordDocument(saying("&j;"), laughs)), /^SUSPICIOUS_ARCHIVE$/],
  [
    "a DOCX that laughs in UTF-16",
    "wide.docx",
    () =>
      writeDocx(
        Buffer.from(
          `\ufeff${wordDocument(saying("&j;"), `<?xml version="1.0" encoding="utf-16"?>${laughs}`)}`,
          "utf16le",
        ),
      ),
    /^(SUSPICIOUS_ARCHIVE|CORRUPT_FILE)$/,
  ],
  [
    "a DOCX that asks for a file",
    "asks.docx",
    () => writeDocx(wordDocument(saying("&e;"), outside)),
    /^SUSPICIOUS_ARCHIVE$/,
  ],
  [
    "a deep DOCX",
    "deep.docx",
    () => writeDocx(wordDocument("<w:sdt>".repeat(100_000))),
    /^(CORRUPT_FILE|SUSPICIOUS_ARCHIVE)$/,
  ],
  [
    "a deep DOCX whose tags look closed",
    "closed.docx",
    () => writeDocx(wordDocument(`<w:sdt a="/>">`.repeat(20_000))),
    /^(CORRUPT_FILE|SUSPICIOUS_ARCHIVE|PARSER_CRASHED)$/,
  ],
];
