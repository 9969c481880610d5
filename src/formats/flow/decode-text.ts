/**
 * Bytes of unknown encoding to text: byte order mark, then what the file declares, then UTF-8, then windows-1252. The
 * result is well-formed Unicode without control characters, and its lines end in "\n".
 */

/** Where a declaration may stand; browsers look as far. */
const declarationBytes = 2048;

export function decodeText(bytes: Uint8Array, options: { declared?: "markup" } = {}): string {
  return cleanText(decode(bytes, options.declared === "markup"));
}

function decode(bytes: Uint8Array, markup: boolean): string {
  const marked = encodingOfMark(bytes) ?? guessUtf16(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const declared = markup ? findDeclared(bytes) : undefined;
  if (declared && !/^utf-?8$/i.test(declared)) {
    try {
      return new TextDecoder(declared, { fatal: true }).decode(bytes);
    } catch {
      // An unknown name, or bytes that are not what they were said to be.
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(isNearlyUtf8(bytes) ? "utf-8" : "windows-1252").decode(bytes);
  }
}

function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Western text in UTF-16 without a mark: every other byte is zero. */
function guessUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 512);
  if (sample.length < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) i % 2 === 0 ? even++ : odd++;
  const half = sample.length / 2;
  if (odd > half * 0.7 && even < half * 0.1) return "utf-16le";
  if (even > half * 0.7 && odd < half * 0.1) return "utf-16be";
  return undefined;
}

function findDeclared(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, declarationBytes)).toString("latin1");
  return (
    /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1] ??
    /<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1]
  );
}

/** A few broken bytes in a long file of UTF-8 (a cut, a bad paste) do not make it windows-1252. */
function isNearlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes.subarray(0, 2 ** 20));
  const broken = text.split("\ufffd").length - 1;
  const good = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return good > broken * 10;
}

/** In V8 a pattern lists all its matches before it replaces any, in memory no limit can stop in time. */
const pieceChars = 2 ** 20;

/** Well-formed, without NUL and other control characters, lines ending in "\n". */
export function cleanText(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + pieceChars;
    // Neither a line's end nor a character is cut in two.
    const next = /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(end - 1, end + 1)) ? end + 1 : end;
    pieces.push(cleanPiece(text.slice(at, next)));
    at = next;
  }
  return pieces.join("");
}

function cleanPiece(text: string): string {
  return (
    text
      .replace(/\r\n?|\u2028|\u2029|\u0085/g, "\n")
      .replace(/\f|\v/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go.
      .replace(/[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g, "")
      .toWellFormed()
  );
}
