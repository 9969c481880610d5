/**
 * Tells what a file is from its bytes. Its name only tells markdown from plain text, and HTML that does not say so;
 * what the sender claims is not looked at. What cannot be read ends in EMPTY_FILE, ENCRYPTED_FILE or UNSUPPORTED_TYPE.
 */
import { open } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import { TerminalError } from "../errors.ts";
import { detectTextFormat } from "./detect-text-format.ts";
import { readZipDirectory } from "./flow/read-zip-directory.ts";
import type { Format } from "./format.ts";
import { judgeZipNames, readZipHead } from "./judge-zip.ts";

/** As much of a file as tells what it is. */
const headBytes = 64 * 1024;
/** PDF readers forgive this much before the header. */
const junkBytes = 1024;
const mostEntries = 100_000;

/** Undefined where the first bytes do not tell one kind of zip archive from another: `detectFormatOfFile` can. */
export async function detectFormat(head: Uint8Array, filename = ""): Promise<Format | undefined> {
  if (head.length === 0) throw new TerminalError("EMPTY_FILE", "The file is empty.");
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const binary = detectBinary(bytes);
  if (binary) return binary;
  if (startsWith(bytes, "PK\x03\x04")) return settleZip(readZipHead(bytes));
  if (startsWith(bytes, "PK\x05\x06")) throw unsupported("an empty ZIP archive");
  if (startsWith(bytes, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) throw explainOle(bytes);

  const text = detectTextFormat(bytes, filename);
  if (hasLatePdfHeader(bytes) && (text === undefined || /\.pdf$/i.test(filename))) return "pdf";
  if (text) return text;
  throw unsupported(await nameType(bytes));
}

/** Looks into the whole file where its first bytes do not tell. */
export async function detectFormatOfFile(path: string, filename = ""): Promise<Format> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const told = await detectFormat(buffer.subarray(0, bytesRead), filename);
    if (told) return told;
    const { size } = await file.stat();
    const names = (await readZipDirectory(file, size, mostEntries)).map(({ name }) => name);
    return settleZip(judgeZipNames(names)) ?? refuse(unsupported("a ZIP archive"));
  } finally {
    await file.close();
  }
}

function detectBinary(bytes: Buffer): Format | undefined {
  if (startsWith(bytes, "%PDF")) return "pdf";
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "png";
  if (startsWith(bytes, "\xff\xd8\xff")) return "jpeg";
  if (["II*\0", "MM\0*", "II+\0", "MM\0+"].some((magic) => startsWith(bytes, magic))) return "tiff";
  if (startsWith(bytes, "RIFF") && bytes.toString("latin1", 8, 12) === "WEBP") return "webp";
  return undefined;
}

function settleZip(judged: ReturnType<typeof judgeZipNames>): Format | undefined {
  if (judged === undefined || judged === "epub" || judged === "docx") return judged;
  throw unsupported(judged.looksLike);
}

function hasLatePdfHeader(bytes: Buffer): boolean {
  return /%PDF-\d\.\d/.test(bytes.toString("latin1", 0, junkBytes + 8));
}

/** Office before 2007, and what newer Office makes of a document with a password. */
function explainOle(bytes: Buffer): TerminalError {
  const holds = (stream: string) => bytes.includes(Buffer.from(stream, "utf16le"));
  if (holds("EncryptedPackage")) {
    return new TerminalError("ENCRYPTED_FILE", "The file is encrypted and opens only with its password.");
  }
  if (holds("WordDocument")) return unsupported("a Word document of before 2007 (.doc); save it as .docx or PDF");
  return unsupported("an Office document of before 2007");
}

async function nameType(bytes: Buffer): Promise<string> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!type) return "a file of no known kind";
  const name = type.ext.toUpperCase();
  const kind = /^(image|video|audio|font)\//.exec(type.mime)?.[1];
  return `${/^(?:[AEFHILMNORSX](?![a-z])|8)/.test(name) ? "an" : "a"} ${name} ${kind === "audio" ? "recording" : (kind ?? "file")}`;
}

function unsupported(looksLike: string): TerminalError {
  const message = `This is ${looksLike}. PDF, EPUB, DOCX, HTML, Markdown, plain text, PNG, JPEG, TIFF and WebP are read.`;
  return new TerminalError("UNSUPPORTED_TYPE", message, { details: { looksLike } });
}

function refuse(error: TerminalError): never {
  throw error;
}

function startsWith(bytes: Buffer, magic: string): boolean {
  return bytes.length >= magic.length && bytes.toString("latin1", 0, magic.length) === magic;
}
