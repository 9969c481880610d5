/**
 * A rehype plugin that marks a passage, given by its offsets in the markdown, and words in it. Blocks get the offset
 * they begin at, by which a place can be scrolled to.
 */
import { readWords } from "./search-words.ts";

/** As much of a hast node as is looked at here. */
export interface MarkedNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: MarkedNode[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

export interface PassageRange {
  start: number;
  end: number;
}

export interface MarkOptions {
  /** The markdown that is rendered. */
  source: string;
  /** Where it begins in the whole document, whose offsets the passage is given in. */
  base: number;
  passage?: PassageRange;
  isSearched?(word: string): boolean;
}

const blocks = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "pre", "blockquote", "tr"]);

export function markPassage(options: MarkOptions) {
  return (tree: MarkedNode): void => markChildren(tree, options, undefined);
}

function markChildren(parent: MarkedNode, options: MarkOptions, around: PassageRange | undefined): void {
  parent.children = parent.children?.flatMap((node) => {
    const own = rangeOf(node, options.base);
    if (node.type === "text") return markText(node, options, own, around);
    if (own && node.tagName !== undefined && blocks.has(node.tagName)) {
      node.properties = { ...node.properties, dataOffset: own.start };
    }
    markChildren(node, options, own ?? around);
    return [node];
  });
}

/** In offsets of the document. */
function rangeOf({ position }: MarkedNode, base: number): PassageRange | undefined {
  const start = position?.start.offset;
  const end = position?.end.offset;
  return start === undefined || end === undefined ? undefined : { start: start + base, end: end + base };
}

function markText(
  node: MarkedNode,
  options: MarkOptions,
  own: PassageRange | undefined,
  around: PassageRange | undefined,
): MarkedNode[] {
  const value = node.value ?? "";
  if (value.trim() === "") return [node];
  const inPassage = passageIn(value, options, own, around);
  const words = options.isSearched ? readWords(value).filter(({ word }) => options.isSearched?.(word)) : [];
  const cuts = new Set([0, value.length, inPassage.start, inPassage.end]);
  for (const { start, end } of words) cuts.add(start).add(end);
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.slice(1).flatMap((end, i) => {
    const start = sorted[i] ?? 0;
    const text: MarkedNode = { type: "text", value: value.slice(start, end) };
    const isWord = words.some((word) => start >= word.start && end <= word.end);
    if (isWord) return [mark(text, "word")];
    return start >= inPassage.start && end <= inPassage.end ? [mark(text, "passage")] : [text];
  });
}

function mark(text: MarkedNode, kind: "passage" | "word"): MarkedNode {
  return { type: "element", tagName: "mark", properties: { dataMark: kind }, children: [text] };
}

/** Which part of a text node belongs to the passage; nothing is an empty range. */
function passageIn(
  value: string,
  { source, base, passage }: MarkOptions,
  own: PassageRange | undefined,
  around: PassageRange | undefined,
): PassageRange {
  const nothing = { start: 0, end: 0 };
  if (!passage) return nothing;
  if (!own) {
    // The text of a block of code has no place of its own, only the block has.
    const meets = around !== undefined && passage.start < around.end && passage.end > around.start;
    return meets ? { start: 0, end: value.length } : nothing;
  }
  if (passage.start >= own.end || passage.end <= own.start) return nothing;
  const written = source.slice(own.start - base, own.end - base);
  return {
    start: toShown(written, value, passage.start - own.start),
    end: toShown(written, value, passage.end - own.start),
  };
}

/** From an offset in text as it is written, with escapes, entities and indents, to one in the text that is shown. */
export function toShown(written: string, shown: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= written.length) return shown.length;
  if (written.length === shown.length) return offset;
  let from = 0;
  let to = 0;
  while (from < offset && to < shown.length) {
    const entity = /^&(?:#\w+|\w+);/.exec(written.slice(from, from + 40))?.[0];
    if (entity !== undefined && !shown.startsWith(entity, to)) {
      from += entity.length;
      to++;
    } else {
      if (written[from] === shown[to]) to++;
      from++;
    }
  }
  return to;
}
