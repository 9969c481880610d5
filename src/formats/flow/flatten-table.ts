/**
 * Fits a table into what markdown can say: a cell is one line, a span has bounds. Tables that only arrange a page, or
 * hold whole passages, become the passages.
 */
import {
  attribute,
  element,
  findElement,
  findElements,
  type HtmlElement,
  type HtmlNode,
  isElement,
  plainText,
  text,
} from "./html-tree.ts";

const maxColumnSpan = 40;
const longCellChars = 1500;
const longestName = 60;
const blocks = new Set(
  "address article aside blockquote dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section ul".split(
    " ",
  ),
);

export function flattenTable(table: HtmlElement): HtmlNode[] {
  const rows = findElements(table, (part) => part.tagName === "tr");
  const cells = rows.flatMap((row) => row.children.filter((cell) => isElement(cell, "td", "th")));
  if (cells.length === 0) return plainText(table) ? [element("p", [text(plainText(table))])] : [];
  if (isArrangement(table, rows, cells)) return cells.map((cell) => element("div", (cell as HtmlElement).children));
  const captions = findElements(table, (part) => part.tagName === "caption");
  for (const cell of cells) if (isElement(cell)) flattenCell(cell, rows.length);
  if (rows.length > 1 && !cells.some((cell) => isElement(cell, "th"))) makeHeader(rows[0]);
  return [...captions.map((caption) => element("p", inline(caption.children))), table];
}

function isArrangement(table: HtmlElement, rows: HtmlElement[], cells: HtmlNode[]): boolean {
  if (/presentation|none/.test(attribute(table, "role") ?? "")) return true;
  if (cells.length === rows.length && cells.length < 3) return true;
  return cells.some(
    (cell) =>
      isElement(cell) &&
      (findElement(cell, (part) => /^(?:table|h[1-6])$/.test(part.tagName)) || plainText(cell).length > longCellChars),
  );
}

/** Markdown's tables have a header. Where none is marked, the first row mostly is it. */
function makeHeader(row: HtmlElement | undefined): void {
  const cells = row?.children.filter((cell) => isElement(cell)) ?? [];
  const names = cells.map(plainText);
  if (!names.every((name) => name !== "" && name.length <= longestName)) return;
  for (const cell of cells) cell.tagName = "th";
}

function flattenCell(cell: HtmlElement, rowCount: number): void {
  cell.children = joinTexts(inline(cell.children));
  const span = Number(cell.properties.colSpan);
  if (span > maxColumnSpan || span < 1) delete cell.properties.colSpan;
  const height = Number(cell.properties.rowSpan);
  if (height > rowCount || height < 1) delete cell.properties.rowSpan;
}

function joinTexts(nodes: HtmlNode[]): HtmlNode[] {
  const joined: HtmlNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = `${last.value}${node.value}`.replace(/\s+; /, "; ");
    else joined.push(node);
  }
  return joined;
}

function inline(nodes: HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node, i) => {
    if (!isElement(node)) return [node];
    if (node.tagName === "br") return [text(" ")];
    if (!blocks.has(node.tagName)) {
      node.children = inline(node.children);
      return [node];
    }
    const separator = node.tagName === "li" && nodes.slice(0, i).some((other) => isElement(other, "li")) ? "; " : " ";
    return [text(separator), ...inline(node.children), ...(node.tagName === "li" ? [] : [text(" ")])];
  });
}
