/**
 * The tags and texts of an HTML page in their order, by their places. One pass, no tree, nothing kept; comments and
 * what is not markup (scripts, styles) are passed over. Good for finding things in a page, not for understanding it.
 */
interface MarkupPart {
  kind: "start" | "end" | "text";
  /** Of a tag, in lower case. */
  name: string;
  from: number;
  to: number;
}

const rawElements = new Set(["script", "style", "textarea", "title", "xmp", "noembed"]);

export function* scanTags(html: string): Generator<MarkupPart, void, undefined> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const textEnd = open < 0 ? html.length : open;
    if (textEnd > at) yield { kind: "text", name: "", from: at, to: textEnd };
    if (open < 0) return;
    const next = html[open + 1] ?? "";
    if (next === "!" || next === "?") {
      at = endOf(html, html.startsWith("<!--", open) ? "-->" : ">", open + 2);
      continue;
    }
    const nameStart = next === "/" ? open + 2 : open + 1;
    const name = readName(html, nameStart);
    if (!name) {
      yield { kind: "text", name: "", from: open, to: open + 1 };
      at = open + 1;
      continue;
    }
    const to = tagEnd(html, nameStart + name.length);
    // A tag without an end is what browsers leave out too.
    if (to < 0) return;
    yield { kind: next === "/" ? "end" : "start", name, from: open, to };
    at = next !== "/" && rawElements.has(name) ? endTagOf(html, name, to) : to;
  }
}

const namePattern = /[a-z][^\s/>]{0,40}/iy;

function readName(html: string, at: number): string {
  namePattern.lastIndex = at;
  return namePattern.exec(html)?.[0].toLowerCase() ?? "";
}

/** Behind the ">", which may also stand in a quoted value; -1 if there is none. */
function tagEnd(html: string, from: number): number {
  let valueNext = false;
  for (let at = from; at < html.length; at++) {
    const character = html[at] as string;
    if (character === ">") return at + 1;
    if (character === "=") valueNext = true;
    else if (valueNext && (character === '"' || character === "'")) {
      at = html.indexOf(character, at + 1);
      if (at < 0) return -1;
      valueNext = false;
    } else if (!/\s/.test(character)) valueNext = false;
  }
  return -1;
}

/** Where the end tag begins; without one the rest of the page belongs to the element. */
function endTagOf(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function endOf(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

/** The attributes of a start tag as they are written, character references included; the first of a name counts. */
export function readAttributes(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;
  pattern.lastIndex = 1 + readName(tag, 1).length;
  for (const [, name = "", double, single, bare] of tag.matchAll(pattern)) {
    const known = name.toLowerCase();
    if (!attributes.has(known)) attributes.set(known, double ?? single ?? bare ?? "");
  }
  return attributes;
}
