/** Cuts the text of a document without pages into sections that can be shown one at a time. Together they are all of it. */
import type { DocumentOutline } from "../../../../../src/contract/documents.ts";

export interface TextSection {
  start: number;
  end: number;
  /** Of the first heading in it; null where there is none. */
  title: string | null;
}

/** About as much as one reads at a sitting, and a browser renders at once. */
const fullSection = 20_000;

export function cutSections(
  markdown: string,
  outline: DocumentOutline["items"],
  full: number = fullSection,
): TextSection[] {
  const headings = outline
    .filter(({ offset }) => offset >= 0 && offset < markdown.length)
    .toSorted((a, b) => a.offset - b.offset);
  const starts = [0];
  for (const [i, { level, offset }] of headings.entries()) {
    const begun = starts.at(-1) ?? 0;
    const next = headings[i + 1]?.offset ?? markdown.length;
    // A chapter begins anew, unless what stands before it is only a title page.
    const isChapter = level === 1 && offset - begun > full / 4;
    if (offset > begun && (isChapter || next - begun > full)) starts.push(offset);
  }
  return starts.flatMap((start, i) => {
    const end = starts[i + 1] ?? markdown.length;
    const title = headings.find(({ offset }) => offset >= start && offset < end)?.title ?? null;
    return cutLong(markdown, start, end, full).map((part) => ({ ...part, title }));
  });
}

/** Where a section is far too long, between paragraphs. */
function cutLong(markdown: string, start: number, end: number, full: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > full * 2) {
    const gap = markdown.indexOf("\n\n", from + full);
    if (gap < 0 || gap + 2 >= end) break;
    parts.push({ start: from, end: gap + 2 });
    from = gap + 2;
  }
  return [...parts, { start: from, end }];
}

/** Which of several stretches, in order, an offset lies in: the last that begins at or before it. */
export function indexAt(stretches: readonly { start: number }[], offset: number): number {
  return Math.max(
    0,
    stretches.findLastIndex(({ start }) => start <= offset),
  );
}
