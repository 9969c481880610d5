/**
 * What a web page links to that may be a PDF. The parser of HTML sees none of the page's markup: a tree can be made far
 * larger and deeper than the page it is built from. It only decodes the few values that were found.
 */
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { readAttributes, scanTags } from "./scan-tags.ts";

interface PageLink {
  /** As they are written, relative or of any protocol: the first that leads to a PDF is meant. */
  addresses: string[];
  /** The page says that the first is a PDF, whatever it looks like. */
  saysPdf: boolean;
  /** What may serve as a title, best first. */
  titles: string[];
}

interface FoundTag {
  name: string;
  attributes: Map<string, string>;
  text: string;
  /** Of the first picture within. */
  alt: string;
}

const mostTags = 2_000;
const longestTag = 8_000;
const longestText = 1_000;
const linking = new Set(["a", "area", "embed", "iframe", "object"]);
const empty = new Set(["area", "embed"]);
const opensWindow =
  /^\s*(?:javascript:)?\s*(?:return\s+)?(?:(?:window|self|top|document)\.)?(?:open\s*\(|location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\()\s*(["'])([^"'\\]+)\1/i;

/** Links in the order of the page, and the address that its relative ones are based on. */
export function readPageLinks(html: string): { base: string | undefined; links: PageLink[] } {
  const { base, tags } = findTags(html);
  const names = ["href", "data", "src", "data-href", "onclick", "type", "download", "title", "aria-label"] as const;
  const decoded = decodeReferences([
    base ?? "",
    ...tags.flatMap(({ attributes, text, alt }) => [text, alt, ...names.map((name) => attributes.get(name) ?? "")]),
  ]);
  const width = names.length + 2;
  const links = tags.map((_, index) => {
    const [text = "", alt = "", ...values] = decoded.slice(1 + index * width, 1 + (index + 1) * width);
    const [
      href = "",
      data = "",
      src = "",
      dataHref = "",
      onclick = "",
      type = "",
      download = "",
      title = "",
      label = "",
    ] = values;
    const addresses = [
      href,
      data,
      src,
      dataHref,
      ...[href, onclick].map((script) => opensWindow.exec(script)?.[2] ?? ""),
    ];
    return {
      addresses: addresses.filter(Boolean),
      saysPdf: /^application\/pdf\b/i.test(type) || /\.pdf$/i.test(download),
      titles: [text, title, label, alt],
    };
  });
  return { base: base === undefined ? undefined : decoded[0], links };
}

/** Tags that may link to a PDF, with the text between them and their end. */
function findTags(html: string): { base: string | undefined; tags: FoundTag[] } {
  const tags: FoundTag[] = [];
  let base: string | undefined;
  let open: FoundTag | undefined;
  for (const { kind, name, from, to } of scanTags(html)) {
    if (kind === "text") {
      if (open && open.text.length < longestText) open.text += html.slice(from, Math.min(to, from + longestText));
      continue;
    }
    if (open && open.text.length < longestText) open.text += " ";
    // Links do not nest: one that was left open ends where the next begins.
    if (name === open?.name || name === "a") open = undefined;
    if (kind === "end" || to - from > longestTag) continue;
    const source = html.slice(from, to);
    if (name === "base") base ??= readAttributes(source).get("href");
    else if (name === "img" && open) open.alt ||= readAttributes(source).get("alt") ?? "";
    if (!/pdf/i.test(source) || !(linking.has(name) || /\s(?:data-href|onclick)\s*=/i.test(source))) continue;
    const tag = { name, attributes: readAttributes(source), text: "", alt: "" };
    tags.push(tag);
    open = empty.has(name) ? undefined : tag;
    if (tags.length === mostTags) break;
  }
  return { base, tags };
}

const parser = unified().use(rehypeParse).freeze();

/** Texts with their character references (`&amp;`, `&#46;`) resolved as a browser does. */
function decodeReferences(texts: readonly string[]): string[] {
  const markup = texts.map((text) => `<hr title="${text.replaceAll('"', "&quot;")}">`).join("");
  const [html] = parser.parse(markup).children.flatMap((node) => (node.type === "element" ? [node] : []));
  const body = html?.children.find((node) => node.type === "element" && node.tagName === "body");
  const rules = body && "children" in body ? body.children : [];
  return rules.flatMap((node) => (node.type === "element" ? [String(node.properties.title ?? "")] : []));
}
