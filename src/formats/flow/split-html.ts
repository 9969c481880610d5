/**
 * Cuts a large HTML document into sections of about the same size, before headings where it can be done. The cut depends
 * on the document alone, so every reader numbers the sections alike.
 */
import { findElement, type HtmlElement, type HtmlNode, type HtmlParent, isElement, textContent } from "./html-tree.ts";

const wrappers = new Set(["article", "body", "div", "main", "section"]);

export function findBody(tree: HtmlParent): HtmlParent {
  return findElement(tree, (part) => part.tagName === "body") ?? tree;
}

export function splitHtml(body: HtmlParent, sectionChars: number): HtmlNode[][] {
  const sections: HtmlNode[][] = [];
  let current: HtmlNode[] = [];
  let chars = 0;
  for (const { node, size } of openWrappers(body, sectionChars)) {
    const full = chars + size > sectionChars;
    const atHeading = chars > sectionChars / 2 && isElement(node) && /^h[1-3]$/.test(node.tagName);
    if (current.length > 0 && (full || atHeading)) {
      sections.push(current);
      current = [];
      chars = 0;
    }
    current.push(node);
    chars += size;
  }
  if (current.length > 0 || sections.length === 0) sections.push(current);
  return sections;
}

/** The blocks of a document: wrappers too large for a section are replaced by what is in them. */
function* openWrappers(parent: HtmlParent, sectionChars: number): Generator<{ node: HtmlNode; size: number }> {
  for (const node of parent.children) {
    const size = textContent(node).length;
    if (size > sectionChars / 4 && isWrapper(node)) yield* openWrappers(node, sectionChars);
    else yield { node, size };
  }
}

function isWrapper(node: HtmlNode): node is HtmlElement {
  return isElement(node) && wrappers.has(node.tagName) && node.properties.dataNote === undefined;
}
