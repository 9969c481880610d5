/** PDFs, images and texts that mean harm, each made in a moment and small to send. */
import { crc32, deflateSync } from "node:zlib";
import { drawPdf, stream, writePdf } from "./sample-pdfs.ts";

type Bomb = [what: string, name: string, bytes: () => Uint8Array | Promise<Uint8Array>, fates: RegExp];

const mega = 2 ** 20;
const whole = "[0 0 595 842]";

/** Bytes packed again and again: a few hundred that become hundreds of millions. */
function packed(bytes: Buffer, times = 1): string {
  let data = bytes;
  for (let turn = 0; turn < times; turn++) data = deflateSync(data);
  return data.toString("latin1");
}

const filters = (times: number) => `/Filter [${"/FlateDecode ".repeat(times)}]`;

/** A page tree whose branches are the same few leaves over and over. */
function samePage(pages: number): Buffer {
  const branch = `<< /Type /Pages /Parent 2 0 R /Kids [${"3 0 R ".repeat(1_000)}] /Count 1000 >>`;
  const pdf = writePdf([{ content: "BT ET" }], { more: [branch] }).toString("latin1");
  const kids = `/Kids [${"5 0 R ".repeat(pages / 1_000)}] /Count ${pages}`;
  return Buffer.from(pdf.replace("/Kids [3 0 R] /Count 1", kids), "latin1");
}

function imagePdf(entries: string, data: string): Buffer {
  const image = stream(data, `/Type /XObject /Subtype /Image ${entries}`);
  const content = "595 0 0 842 0 0 cm /Picture Do";
  return writePdf([{ content, mediaBox: whole, resources: "/XObject << /Picture 5 0 R >>" }], { more: [image] });
}

/** Forms that each draw the next twice: a billion drawings in forty lines. They are objects from `first` on. */
export function doublingForms(first: number): string[] {
  return Array.from({ length: 40 }, (_, i) =>
    stream(
      "/Next Do /Next Do",
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Next ${first + i + 1} 0 R >> >>`,
    ),
  );
}

function doubling(): Buffer {
  const page = { content: "/Next Do", resources: "/XObject << /Next 5 0 R >>" };
  return writePdf([page], { more: doublingForms(5) });
}

function jpx(side: number): string {
  const size = Buffer.alloc(43);
  size.writeUInt32BE(0xff51_0029, 0);
  for (const at of [6, 10, 22, 26]) size.writeUInt32BE(side, at);
  size.writeUInt16BE(1, 38);
  size.set([7, 1, 1], 40);
  const rest = "ff52000c00000001000504040000ff5c00044040ff90000a0000000000000001ff9300000000ffd9";
  return Buffer.concat([Buffer.from("ff4f", "hex"), size, Buffer.from(rest, "hex")]).toString("latin1");
}

function jbig2(side: number): string {
  const segment = Buffer.alloc(30);
  segment.set([48, 0, 1], 4);
  segment.writeUInt32BE(19, 7);
  segment.writeUInt32BE(side, 11);
  segment.writeUInt32BE(side, 15);
  return segment.toString("latin1");
}

function jpeg(width: number, height: number): Buffer {
  const head = Buffer.alloc(21);
  head.set([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8]);
  head.writeUInt16BE(height, 7);
  head.writeUInt16BE(width, 9);
  head.set([1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1], 11);
  return Buffer.concat([head, Buffer.alloc(500)]);
}

function png(
  width: number,
  height: number,
  options: { depth?: number; colour?: number; passes?: boolean } = {},
): Buffer {
  const { depth = 8, colour = 0, passes = false } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, passes ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("zTXt", Buffer.concat([Buffer.from("a\0\0"), deflateSync(Buffer.alloc(20 * mega))])),
    pngChunk("IDAT", deflateSync(Buffer.alloc(5 * mega))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A directory of nine numbers, and where the next is: itself, or nowhere. */
function tiff(side: number, next = 0): Buffer {
  const tags = [
    [256, side],
    [257, side],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 300],
    [277, 1],
    [278, side],
    [279, 100],
  ] as const;
  const file = Buffer.alloc(1_000);
  file.write("II*\0\x08\0\0\0\x09\0", "latin1");
  tags.forEach(([tag, value], row) => {
    file.writeUInt32LE(tag + (4 << 16), 10 + row * 12);
    file.writeUInt32LE(1, 14 + row * 12);
    file.writeUInt32LE(value, 18 + row * 12);
  });
  file.writeUInt32LE(next, 10 + tags.length * 12);
  return file;
}

function webp(): Buffer {
  const file = Buffer.alloc(40);
  file.write("RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f", "latin1");
  file.writeUInt32LE(0x0fff_ffff, 21);
  return file;
}

const pixels = (side: number, bits: number) =>
  `/Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent ${bits}`;
const limits = /^(MEMORY_LIMIT|TIME_LIMIT)$/;
const anyEnd = /^(Ready|MEMORY_LIMIT|TIME_LIMIT|CORRUPT_PDF|EMPTY_TEXT)$/;

export const pdfBombs: Bomb[] = [
  ["a hundred thousand pages in seven kilobytes", "pages.pdf", () => samePage(100_000), /^TOO_MANY_PAGES$/],
  ["pages that double forty times", "doubling.pdf", doubling, limits],
  [
    "a content packed three times",
    "content.pdf",
    () => withContent(packed(Buffer.alloc(200 * mega, "0 0 m 9 9 l S\n"), 3), filters(3)),
    limits,
  ],
  [
    "an object stream that unpacks without end",
    "objects.pdf",
    () => withContent(packed(Buffer.alloc(200 * mega), 2), `/Type /ObjStm /N 1000000 /First 10 ${filters(2)}`),
    anyEnd,
  ],
  [
    "a picture packed twice",
    "twice.pdf",
    () => imagePdf(`${pixels(60_000, 8)} ${filters(2)}`, packed(Buffer.alloc(100 * mega), 2)),
    anyEnd,
  ],
  [
    "a giant picture in JBIG2",
    "jbig2.pdf",
    () => imagePdf(`${pixels(65_000, 1)} /Filter /JBIG2Decode`, jbig2(65_000)),
    anyEnd,
  ],
  [
    "a giant picture in JPEG 2000",
    "jpx.pdf",
    () => imagePdf(`${pixels(60_000, 8)} /Filter /JPXDecode`, jpx(60_000)),
    anyEnd,
  ],
  [
    "a giant picture in JPEG",
    "dct.pdf",
    () => imagePdf(`${pixels(65_000, 8)} /Filter /DCTDecode`, jpeg(65_000, 65_000).toString("latin1")),
    anyEnd,
  ],
  [
    "a sheet as large as a country",
    "country.pdf",
    () => writePdf([{ content: "1e30 0 0 1e30 0 0 cm 0 0 1 1 re f", mediaBox: "[0 0 1e30 1e30]" }]),
    anyEnd,
  ],
  ["arrays in arrays", "arrays.pdf", () => writePdf([{ content: "[".repeat(500_000) }]), anyEnd],
  [
    "more letters than a page holds",
    "letters.pdf",
    () => writePdf([{ content: `BT /F1 8 Tf 12 TL 10 800 Td ${"(some words in a line) Tj T*\n".repeat(60_000)} ET` }]),
    /^(TEXT_TOO_LARGE|MEMORY_LIMIT|TIME_LIMIT)$/,
  ],
  [
    "a PDF with an archive behind it",
    "both.pdf",
    async () =>
      Buffer.concat([await drawPdf((pdf) => void pdf.text("A page.")), Buffer.from("PK\x03\x04 and more", "latin1")]),
    /^Ready$/,
  ],
];

/** A page whose content is this stream. */
function withContent(content: string, entries: string): Buffer {
  const pdf = writePdf([{ content: "" }], { more: [stream(content, entries)] }).toString("latin1");
  return Buffer.from(pdf.replace("/Contents 4 0 R", "/Contents 5 0 R"), "latin1");
}

export const imageBombs: Bomb[] = [
  ["a PNG as large as a town", "town.png", () => png(60_000, 60_000), /^IMAGE_TOO_LARGE$/],
  [
    "a PNG that must be held as a whole",
    "passes.png",
    () => png(9_000, 9_000, { depth: 16, colour: 6, passes: true }),
    /^IMAGE_TOO_LARGE$/,
  ],
  ["a PNG one pixel wide", "thin.png", () => png(1, 99_999_999), /^(CORRUPT_IMAGE|IMAGE_TOO_LARGE|TIME_LIMIT)$/],
  ["a giant JPEG", "giant.jpg", () => jpeg(65_000, 65_000), /^(IMAGE_TOO_LARGE|CORRUPT_IMAGE)$/],
  ["a giant TIFF", "giant.tif", () => tiff(4_000_000), /^IMAGE_TOO_LARGE$/],
  ["a TIFF whose pages go round", "round.tif", () => tiff(10, 8), /^(Ready|CORRUPT_IMAGE|TOO_MANY_PAGES)$/],
  ["a giant WebP", "giant.webp", webp, /^(CORRUPT_IMAGE|IMAGE_TOO_LARGE)$/],
  ["a GIF", "frames.gif", () => Buffer.from("GIF89a\xff\xff\xff\xff\0\0\0;", "latin1"), /^UNSUPPORTED_TYPE$/],
  [
    "a photograph of a telephone",
    "photo.heic",
    () => Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"),
    /^UNSUPPORTED_TYPE$/,
  ],
];

const repeated = (text: string, bytes: number) => Buffer.alloc(bytes, text);

export const textBombs: Bomb[] = [
  [
    "a drawing that asks for a file",
    "asks.svg",
    () =>
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&e;</text></svg>`,
      ),
    /^Ready$/,
  ],
  ["a text without a line break", "line.txt", () => repeated("ab ", 100_000), /^Ready$/],
  ["a text that is too long", "long.txt", () => repeated("a", 65 * mega), /^FILE_TOO_LARGE$/],
  [
    "halves of wide characters",
    "halves.txt",
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), repeated("\xd8\xd8", 50_001)]),
    /^Ready$/,
  ],
  [
    "a line of dots",
    "dots.md",
    () => Buffer.from(`# Dots\n\n${".".repeat(60_000)}`),
    // Keeps the processor busy: a slow machine stops what a fast one sees through.
    /^(Ready|TIME_LIMIT)$/,
  ],
  [
    "a heading that never closes",
    "heading.md",
    () => Buffer.from(`# a${" ".repeat(60_000)}x\n\n# b${" #".repeat(20_000)}x`),
    /^Ready$/,
  ],
  ["quotes in quotes", "quotes.md", () => repeated(">", 60_000), /^Ready$/],
  ["links in links", "links.md", () => repeated("[a](", 60_000), /^Ready$/],
  ["emphasis without end", "stars.md", () => repeated("*a_ ", 60_000), /^Ready$/],
  ["a table of one row", "table.md", () => Buffer.from(`${"|a".repeat(20_000)}\n${"|-".repeat(20_000)}\n`), /^Ready$/],
  [
    "a hundred thousand elements deep",
    "deep.html",
    () => Buffer.from(`<!doctype html>${"<div>".repeat(100_000)}inside`),
    /^Ready$/,
  ],
  [
    "a table that grows",
    "grows.html",
    () => Buffer.from(`<!doctype html><table>${"<tr><td colspan=40 rowspan=5000>x</td></tr>".repeat(5_000)}</table>`),
    /^(Ready|MEMORY_LIMIT|TIME_LIMIT)$/,
  ],
  [
    "letters that were never closed",
    "bold.html",
    () => Buffer.from(`<!doctype html>${"<b><p>".repeat(100_000)}inside`),
    /^(Ready|MEMORY_LIMIT|TIME_LIMIT)$/,
  ],
];
