/** A page of the web or from a disk: its main content, without what surrounds it on every page of a site. */
import { decodeText } from "./decode-text.ts";
import type { FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { inlineStyles } from "./hidden-styles.ts";
import { attribute, findElement, type HtmlParent, parseHtml, plainText } from "./html-tree.ts";
import { openTree } from "./open-tree.ts";
import { readWhole } from "./read-whole.ts";
import { removeBoilerplate } from "./remove-boilerplate.ts";
import { findBody } from "./split-html.ts";

export async function openHtml(path: string, limits: FlowLimits): Promise<FlowDocument> {
  const markup = decodeText(await readWhole(path, limits), { declared: "markup" });
  const tree = parseHtml(markup, isXhtml(markup) ? "xhtml" : "html");
  const body = findBody(tree);
  removeBoilerplate(body);
  return openTree(body, readHead(tree), limits, inlineStyles(markup));
}

/** Pages that only borrow XML's words are served as HTML, where an "empty" element is not empty. */
function isXhtml(markup: string): boolean {
  return /^\s*<\?xml/i.test(markup);
}

function readHead(tree: HtmlParent) {
  const title = findElement(tree, (part) => part.tagName === "title");
  const heading = findElement(tree, (part) => part.tagName === "h1");
  const author = findElement(tree, (part) => part.tagName === "meta" && attribute(part, "name") === "author");
  const html = findElement(tree, (part) => part.tagName === "html");
  return {
    title: (title && plainText(title)) || (heading && plainText(heading)) || undefined,
    author: (author && attribute(author, "content")?.trim()) || undefined,
    language: (html && (attribute(html, "lang") ?? attribute(html, "xmlLang"))) || undefined,
  };
}
