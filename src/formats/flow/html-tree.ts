/** The tree of an HTML document, and the few ways in which it is walked and asked. */
import rehypeParse from "rehype-parse";
import type { Options } from "rehype-remark";
import { unified } from "unified";
import { prepareMarkup } from "./prepare-markup.ts";

type Handle = NonNullable<NonNullable<Options["handlers"]>[string]>;
export type HtmlElement = Parameters<Handle>[1];
export type HtmlNode = HtmlElement["children"][number];
export type HtmlParent = { children: HtmlNode[] };

const parser = unified().use(rehypeParse).freeze();

/** The children of its body; in XHTML files of a book and elsewhere everything else is about the document. */
export function parseHtml(markup: string, syntax: "html" | "xhtml"): HtmlParent {
  return parser.parse(prepareMarkup(markup, { syntax })) as HtmlParent;
}

export function isElement(node: HtmlNode | undefined, ...names: string[]): node is HtmlElement {
  return node?.type === "element" && (names.length === 0 || names.includes(node.tagName));
}

/** Every element below, parents first. What `visit` returns takes the element's place; it is not visited again. */
export function replaceElements(parent: HtmlParent, visit: (element: HtmlElement) => HtmlNode[] | undefined): void {
  parent.children = parent.children.flatMap((child) => {
    if (child.type !== "element") return [child];
    const replacement = visit(child);
    if (!replacement) replaceElements(child, visit);
    return replacement ?? [child];
  });
}

/** Copies that can be changed without changing these; where they stood in the source is left behind. */
export function copyNodes(nodes: HtmlNode[]): HtmlNode[] {
  return nodes.map((node) => {
    if (node.type !== "element") return { ...node, position: undefined };
    const { tagName, properties, children } = node;
    return { type: "element", tagName, properties: { ...properties }, children: copyNodes(children) };
  });
}

export function findElement(parent: HtmlParent, matches: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    const found = matches(child) ? child : findElement(child, matches);
    if (found) return found;
  }
  return undefined;
}

export function findElements(parent: HtmlParent, matches: (element: HtmlElement) => boolean): HtmlElement[] {
  return parent.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return matches(child) ? [child] : findElements(child, matches);
  });
}

export function textContent(node: HtmlNode | HtmlParent): string {
  if ("children" in node) return node.children.map(textContent).join("");
  return "value" in node && "type" in node && node.type === "text" ? node.value : "";
}

/** Its text in one line. */
export function plainText(node: HtmlNode | HtmlParent): string {
  return textContent(node).replace(/\s+/g, " ").trim();
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  const value = element.properties[name];
  if (Array.isArray(value)) return value.join(" ");
  return value === undefined || value === null || value === false ? undefined : String(value);
}

/** What a book says an element is: its `epub:type` and its ARIA role, which use the same words. */
export function kindsOf(element: HtmlElement): string[] {
  const types = attribute(element, "epub:type") ?? attribute(element, "epubType") ?? "";
  const roles = (attribute(element, "role") ?? "").replaceAll("doc-", "");
  return `${types} ${roles}`.toLowerCase().split(/\s+/).filter(Boolean);
}

export function element(
  tagName: string,
  children: HtmlNode[],
  properties: HtmlElement["properties"] = {},
): HtmlElement {
  return { type: "element", tagName, properties, children };
}

export function text(value: string): HtmlNode {
  return { type: "text", value };
}
