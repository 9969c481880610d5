/** Lines of verse that stand in an element each become one stanza with line breaks, not a paragraph a line. */
import {
  attribute,
  element,
  findElement,
  type HtmlElement,
  type HtmlNode,
  isElement,
  kindsOf,
  plainText,
  replaceElements,
} from "./html-tree.ts";

const stanzaClass = /(?:^|[\s_-])(?:line-?group|line-?block|stanza|verse|lg|poem|poetry)(?:$|[\s_-])/i;
const containers = new Set(["div", "section", "blockquote"]);
const longestLine = 150;

export function joinVerse(
  stanza: HtmlElement,
  clean: (part: HtmlElement) => HtmlNode[] | undefined,
): HtmlNode[] | undefined {
  if (!containers.has(stanza.tagName) || !isStanza(stanza)) return undefined;
  const parts = stanza.children.filter((child) => isElement(child));
  if (parts.filter(isLine).length < 2) return undefined;
  const lines = new Set<HtmlNode>(parts.filter(isLine));
  const joined: HtmlNode[] = [];
  let verse: HtmlElement | undefined;
  for (const part of stanza.children) {
    if (!lines.has(part)) {
      if (isElement(part)) verse = undefined;
      joined.push(part);
      continue;
    }
    const { children } = part as HtmlElement;
    if (verse) verse.children.push(element("br", []), ...children);
    else {
      verse = element("p", [...children]);
      joined.push(verse);
    }
  }
  stanza.children = joined;
  replaceElements(stanza, clean);
  return [stanza];
}

function isStanza(part: HtmlElement): boolean {
  return (
    stanzaClass.test(attribute(part, "className") ?? "") ||
    kindsOf(part).some((kind) => kind === "z3998:verse" || kind === "z3998:poem")
  );
}

function isLine(part: HtmlElement): boolean {
  return (
    ["div", "p", "span"].includes(part.tagName) &&
    plainText(part).length <= longestLine &&
    plainText(part) !== "" &&
    !findElement(part, (inner) => /^(?:br|div|p|ul|ol|table|h[1-6]|section|blockquote|img)$/.test(inner.tagName))
  );
}
