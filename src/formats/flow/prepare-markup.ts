/**
 * Makes markup safe and plain for the parsers behind it, in one pass and without recursion: tags nested too deep are
 * taken out (their text stays), document types with their entities, scripts and styles go, and what only XML means
 * (empty elements, CDATA, prefixes) is written the way an HTML parser understands.
 */
interface PrepareOptions {
  /** "xhtml" is XML that goes to an HTML parser; "xml" stays XML. */
  syntax: "html" | "xhtml" | "xml";
  maxDepth?: number;
}

const defaultMaxDepth = 150;
const voidElements = new Set("area base br col embed frame hr img input link meta param source track wbr".split(" "));
/** Their end tags may be missing, and they cannot nest without another element between them. */
const selfLimiting = new Set(
  "html head body p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rt rp".split(" "),
);
/** An HTML parser opens those left open again in every paragraph that follows: many of them multiply a small file. */
const formatting = new Set("a b big code em font i nobr s small strike strong tt u".split(" "));
const maxFormatting = 8;
const droppedElements = new Set(["script", "style"]);
const plainNamespaces =
  /\sxmlns:([\w.-]+)\s*=\s*["'](?:http:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg|1998\/Math\/MathML))["']/g;

export function prepareMarkup(markup: string, options: PrepareOptions): string {
  const { syntax, maxDepth = defaultMaxDepth } = options;
  const xml = syntax !== "html";
  const prefixes = syntax === "xhtml" ? findPlainPrefixes(markup) : new Set<string>();
  const parts: string[] = [];
  let copied = 0;
  const open: string[] = [];
  const takenOut = new Map<string, number>();

  const replace = (from: number, to: number, by: string) => {
    parts.push(markup.slice(copied, from), by);
    copied = to;
  };

  for (let at = markup.indexOf("<"); at >= 0; ) {
    let end = at + 1;
    const next = markup.charCodeAt(at + 1);
    if (next === 0x21) {
      end = declarationEnd(markup, at, xml);
      if (markup.startsWith("<![CDATA[", at) && syntax === "xhtml") {
        replace(at, end, escapeText(markup.slice(at + 9, end).replace(/\]\]>$/, "")));
      } else if (!markup.startsWith("<![CDATA[", at) || !xml) replace(at, end, "");
    } else if (next === 0x3f) {
      end = endAfter(markup, xml ? "?>" : ">", at);
      replace(at, end, "");
    } else if (isLetter(next)) end = startTag(at);
    else if (next === 0x2f && isLetter(markup.charCodeAt(at + 2))) end = endTag(at);
    at = markup.indexOf("<", end);
  }
  if (parts.length === 0) return markup;
  parts.push(markup.slice(copied));
  return parts.join("");

  function startTag(at: number): number {
    const end = tagEnd(markup, at);
    const written = readName(markup, at + 1);
    const name = plainName(written);
    const selfClosing = markup.charCodeAt(end - 2) === 0x2f;
    if (end < 0) {
      replace(at, markup.length, "");
      return markup.length;
    }
    if (syntax !== "xml" && droppedElements.has(name)) {
      const elementEnd = selfClosing && xml ? end : elementEndAfter(markup, written, end);
      replace(at, elementEnd, "");
      return elementEnd;
    }
    const empty =
      syntax === "xml" ? selfClosing : voidElements.has(name) || (selfClosing && (xml || isForeign(name, open)));
    if (!empty && (xml || !selfLimiting.has(name))) {
      if (open.length >= maxDepth || (syntax !== "xml" && formatting.has(name) && isFormatted(open))) {
        takenOut.set(name, (takenOut.get(name) ?? 0) + 1);
        replace(at, end, " ");
        return end;
      }
      open.push(name);
    }
    if (syntax === "xhtml") {
      if (written.length !== name.length) replace(at + 1, at + 1 + written.length, name);
      if (selfClosing && !voidElements.has(name)) replace(end - 2, end, `></${name}>`);
    }
    return end;
  }

  function endTag(at: number): number {
    const end = endAfter(markup, ">", at);
    const written = readName(markup, at + 2);
    const name = plainName(written);
    const dropped = takenOut.get(name) ?? 0;
    if (dropped > 0) {
      takenOut.set(name, dropped - 1);
      replace(at, end, " ");
      return end;
    }
    // To an HTML parser "</br>" is a second break.
    if (syntax === "xhtml" && voidElements.has(name)) replace(at, end, "");
    else if (written.length !== name.length) replace(at + 2, at + 2 + written.length, name);
    const opened = open.lastIndexOf(name);
    if (opened >= 0) open.length = opened;
    return end;
  }

  function plainName(written: string): string {
    if (syntax === "xml") return written;
    const colon = written.indexOf(":");
    return (colon > 0 && prefixes.has(written.slice(0, colon)) ? written.slice(colon + 1) : written).toLowerCase();
  }
}

function findPlainPrefixes(markup: string): Set<string> {
  return new Set(Array.from(markup.slice(0, 10_000).matchAll(plainNamespaces), (match) => match[1] as string));
}

function isFormatted(open: string[]): boolean {
  return open.length >= maxFormatting && open.filter((name) => formatting.has(name)).length >= maxFormatting;
}

function isForeign(name: string, open: string[]): boolean {
  return name === "svg" || name === "math" || open.includes("svg") || open.includes("math");
}

/** Behind a comment, a CDATA section or a document type with all it declares. */
function declarationEnd(markup: string, at: number, xml: boolean): number {
  if (markup.startsWith("<!--", at)) return endAfter(markup, "-->", at + 2);
  if (markup.startsWith("<![CDATA[", at)) return endAfter(markup, xml ? "]]>" : ">", at);
  let inside = false;
  for (let i = at; i < markup.length; i++) {
    const char = markup[i];
    if (char === '"' || (char === "'" && inside)) i = endAfter(markup, char, i + 1) - 1;
    else if (char === "[") inside = true;
    else if (char === "]") inside = false;
    else if (char === ">" && !inside) return i + 1;
  }
  return markup.length;
}

function endAfter(markup: string, mark: string, from: number): number {
  const found = markup.indexOf(mark, from);
  return found < 0 ? markup.length : found + mark.length;
}

/** Behind the ">" of a start tag, which may also stand in a quoted value; -1 if there is none. */
function tagEnd(markup: string, at: number): number {
  for (let i = at + 1; i < markup.length; i++) {
    const code = markup.charCodeAt(i);
    if (code === 0x3e) return i + 1;
    if (code !== 0x22 && code !== 0x27) continue;
    // A quote that opens no value (a slip of the pen) does not swallow the rest of the file.
    if (!/=\s*$/.test(markup.slice(Math.max(at, i - 3), i))) continue;
    const close = markup.indexOf(markup[i] as string, i + 1);
    if (close < 0) return -1;
    i = close;
  }
  return -1;
}

function elementEndAfter(markup: string, name: string, from: number): number {
  const close = new RegExp(`</${name.replace(/[^\w:]/g, "\\$&")}[^>]*>?`, "gi");
  close.lastIndex = from;
  return close.test(markup) ? close.lastIndex : markup.length;
}

const namePattern = /[^\s/><]+/y;

function readName(markup: string, at: number): string {
  namePattern.lastIndex = at;
  return namePattern.exec(markup)?.[0] ?? "";
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
