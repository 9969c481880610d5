/** Tells text from binary, and the three kinds of text apart. */
import type { Format } from "./format.ts";

/** What reads like text and is none: RTF and PostScript are programs for a printer or a word processor. */
const notProse = /^(?:\{\\rtf|%!PS)/;
const saysHtml = /^<(?:!doctype\s+html|html|head|body)\b/i;
const hasTags = /<(?:p|div|span|h[1-6]|table|ul|ol|a|br|title|meta)\b[^>]*>/i;

/** Undefined for what is no text. */
export function detectTextFormat(head: Buffer, filename: string): Format | undefined {
  const text = decode(head);
  if (text === undefined || notProse.test(text)) return undefined;
  if (saysHtml.test(skipPrologue(text))) return "html";
  if (/\.x?html?$/i.test(filename) && hasTags.test(text)) return "html";
  return /\.(?:md|markdown|mdown|mkdn?|mdx)$/i.test(filename) ? "markdown" : "text";
}

/** What may stand before the first tag: space, comments and the declaration of XML. */
function skipPrologue(text: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    const end = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : undefined;
    const found = end === undefined ? -1 : text.indexOf(end, at);
    if (end === undefined || found < 0) return text.slice(at, at + 100);
    at = found + end.length;
  }
}

function decode(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le").decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be").decode(head);
  if (hasControlBytes(head)) return undefined;
  try {
    // As a stream: the last character may have been cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    // Older encodings have few letters beyond ASCII, and none of them where C1 controls are.
    const beyondAscii = head.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
    return beyondAscii <= head.length * 0.4 ? head.toString("latin1") : undefined;
  }
}

/** Text has tabs, line and page breaks and escapes, and no other bytes below the space. */
function hasControlBytes(head: Buffer): boolean {
  let count = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if ((byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b && byte !== 0x1a) || byte === 0x7f) count++;
  }
  return count > head.length * 0.002;
}
