/**
 * Azure's paragraphs, tables and figures as blocks in reading order, which is the order of their spans. Running heads,
 * feet and page numbers are left out; what stands in a table or a figure is not said a second time.
 */
import type { Block, TableBlock, TableCell, TextBlock } from "../../../layout/blocks.ts";
import { escapeInline } from "../../../layout/escape-markdown.ts";
import type { AnalyzedTable, AnalyzeResult, Paragraph, Passage, Span } from "./analyze-result.ts";
import { firstRegion, type PageScale, toBox } from "./page-scale.ts";

/** Azure does not say how large the type is; headings are told apart by these. */
const sizes = { title: 24, headings: [18, 16, 14, 12], text: 11, footnote: 9 };
const runningRoles = new Set(["pageHeader", "pageFooter", "pageNumber"]);
const bullet = /^[•·▪◦●‣■□–—*-]\s+/;
const number = /^(\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+/;

export interface PlacedBlock {
  page: number;
  block: Block;
}

export function readBlocks(result: AnalyzeResult, scaleOfPage: (page: number) => PageScale): PlacedBlock[] {
  const cells = result.tables.flatMap((table) => table.cells.flatMap((cell) => cell.spans));
  const tableCaptions = result.tables.flatMap((table) => table.caption?.spans ?? []);
  const captions = result.figures.flatMap((figure) => figure.caption?.spans ?? []);
  const footnotes = result.tables.flatMap((table) => table.footnotes.flatMap((footnote) => footnote.spans));
  const inFigures = result.figures.flatMap((figure) => figure.spans);
  const depths = headingDepths(result);
  const found: (PlacedBlock & { offset: number })[] = [];
  const place = (at: Pick<Passage, "boundingRegions" | "spans">, make: (scale: PageScale) => Block | undefined) => {
    const page = firstRegion(at)?.pageNumber ?? result.pages[0]?.pageNumber ?? 1;
    const block = make(scaleOfPage(page));
    if (block) found.push({ page, block, offset: offsetOf(at) });
  };

  for (const [index, paragraph] of result.paragraphs.entries()) {
    if (runningRoles.has(paragraph.role ?? "") || isWithin(paragraph, cells) || isWithin(paragraph, tableCaptions))
      continue;
    const isCaption = isWithin(paragraph, captions);
    if (!isCaption && isWithin(paragraph, inFigures)) continue;
    const kind = isCaption ? "caption" : isWithin(paragraph, footnotes) ? "footnote" : undefined;
    place(paragraph, (scale) => readParagraph(paragraph, kind, depths.get(index), scale));
  }
  for (const table of result.tables) place(table, (scale) => readTable(table, scale));
  for (const figure of result.figures) {
    // The labels of a drawing are no sentences: together they can at least be found.
    const labels = result.paragraphs.filter(
      (paragraph) => isWithin(paragraph, figure.spans) && !isWithin(paragraph, [...captions, ...cells]),
    );
    const text = toLine(labels.map(({ content }) => content).join(" "));
    if (text) place(figure, (scale) => textBlock("paragraph", text, boxOf(figure, scale), sizes.text));
  }
  return found.sort((a, b) => a.page - b.page || a.offset - b.offset);
}

function readParagraph(
  paragraph: Paragraph,
  kind: "caption" | "footnote" | undefined,
  depth: number | undefined,
  scale: PageScale,
): Block | undefined {
  const text = toLine(paragraph.content);
  if (!text) return undefined;
  const box = boxOf(paragraph, scale);
  if (kind) return textBlock(kind, text, box, kind === "footnote" ? sizes.footnote : sizes.text);
  if (paragraph.role === "title") return { ...textBlock("heading", text, box, sizes.title), bold: true };
  if (paragraph.role === "sectionHeading") {
    const size = sizes.headings[Math.min(Math.max(depth ?? 1, 1), sizes.headings.length) - 1] ?? sizes.text;
    return { ...textBlock("heading", text, box, size), bold: true };
  }
  if (paragraph.role === "footnote") return textBlock("footnote", text, box, sizes.footnote);
  const marker = bullet.test(text) ? "-" : number.exec(text)?.[1];
  if (!marker) return textBlock("paragraph", text, box, sizes.text);
  const rest = text.replace(marker === "-" ? bullet : number, "");
  return { ...textBlock("list_item", rest, box, sizes.text), depth: 0, marker };
}

function readTable(table: AnalyzedTable, scale: PageScale): TableBlock | undefined {
  const rows: TableCell[][] = Array.from({ length: table.rowCount }, () =>
    Array.from({ length: table.columnCount }, () => ({ text: "" })),
  );
  const headers = new Set<number>();
  for (const cell of table.cells) {
    const row = rows[cell.rowIndex];
    if (!row || cell.columnIndex >= row.length) continue;
    row[cell.columnIndex] = {
      text: toLine(cell.content),
      ...(firstRegion(cell) && { box: boxOf(cell, scale) }),
      ...(cell.rowSpan > 1 && { rowSpan: cell.rowSpan }),
      ...(cell.columnSpan > 1 && { columnSpan: cell.columnSpan }),
    };
    if (cell.kind === "columnHeader") for (let i = 0; i < cell.rowSpan; i++) headers.add(cell.rowIndex + i);
  }
  if (rows.length === 0 || table.columnCount === 0) return undefined;
  // Headers further down would be rows of their own; only those at the top are the table's.
  let headerRows = 0;
  while (headers.has(headerRows)) headerRows++;
  const caption = table.caption && toLine(table.caption.content);
  return { kind: "table", rows, headerRows, box: boxOf(table, scale), ...(caption && { caption }) };
}

/** How deep the section stands that a paragraph belongs to, by the number of the paragraph. */
function headingDepths({ sections }: AnalyzeResult): Map<number, number> {
  const depths = new Map<number, number>();
  const waiting = sections.length > 0 ? [{ section: 0, depth: 0 }] : [];
  const seen = new Set<number>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { section, depth } = next;
    if (seen.has(section)) continue;
    seen.add(section);
    for (const element of sections[section]?.elements ?? []) {
      const [, kind, index] = /^\/(sections|paragraphs)\/(\d+)$/.exec(element) ?? [];
      if (kind === "sections") waiting.push({ section: Number(index), depth: depth + 1 });
      if (kind === "paragraphs") depths.set(Number(index), depth);
    }
  }
  return depths;
}

function textBlock(kind: TextBlock["kind"], text: string, box: TextBlock["box"], fontSize: number): TextBlock {
  return { kind, text, box, fontSize, bold: false };
}

function boxOf(passage: Pick<Passage, "boundingRegions">, scale: PageScale) {
  return toBox(firstRegion(passage)?.polygon ?? [], scale);
}

/** One line of markdown. Azure writes a ticked box as a word of its own. */
function toLine(content: string): string {
  const ticked = content.replace(/:selected:/g, "☒").replace(/:unselected:/g, "☐");
  return escapeInline(ticked.replace(/\s+/g, " ").trim());
}

function offsetOf({ spans }: Pick<Passage, "spans">): number {
  return spans[0]?.offset ?? Number.MAX_SAFE_INTEGER;
}

function isWithin(passage: Pick<Passage, "spans">, ranges: readonly Span[]): boolean {
  const offset = passage.spans[0]?.offset;
  return offset !== undefined && ranges.some((range) => offset >= range.offset && offset < range.offset + range.length);
}
