/**
 * Cuts markdown into chunks for embedding and search: along its headings, then paragraphs, then sentences. The same
 * markdown gives the same chunks, and a change in one place leaves the chunks far from it as they were.
 */
import type { Chunk } from "./chunk.ts";
import type { Atom } from "./chunk-atoms.ts";
import { type AtomRange, chooseRanges } from "./chunk-ranges.ts";
import { readSections, type Section, type SectionTree } from "./chunk-sections.ts";
import { countTokens } from "./chunk-tokens.ts";
import type { MarkdownDocument } from "./markdown-document.ts";

interface ChunkOptions {
  /** How much new text a chunk has, about: at most a fifth more. */
  targetTokens?: number;
  /** Of whole sentences repeated from the chunk before, in front of the new text. */
  overlapTokens?: number;
}

export function chunkMarkdown(document: MarkdownDocument, options: ChunkOptions = {}): Chunk[] {
  const { targetTokens = 400, overlapTokens = 50 } = options;
  const { markdown } = document;
  const maxTokens = Math.max(1, Math.floor(targetTokens * 1.2));
  const tree = readSections(document, maxTokens);
  const findPage = pageFinder(document);
  const chunks: Chunk[] = [];
  let previous: AtomRange | undefined;
  for (const range of chooseRanges(markdown, tree, { maxTokens, slackTokens: overlapTokens })) add(range);
  return chunks;

  /**
   * Pieces were counted one by one, and together they can be a few tokens more. What then is too large repeats less, and
   * is cut in two when it repeats nothing.
   */
  function add(range: AtomRange): void {
    for (let first = previous ? overlapStart(tree, previous, range, overlapTokens) : range.from; ; first++) {
      const { start, end } = trim(markdown, (tree.atoms[first] as Atom).start, (tree.atoms[range.to - 1] as Atom).end);
      if (start >= end) return;
      const content = markdown.slice(start, end);
      const tokens = countTokens(content);
      const whole = first === range.from;
      if (tokens > maxTokens + overlapTokens && !whole) continue;
      if (tokens > maxTokens + overlapTokens && range.to - range.from > 1) {
        const middle = (range.from + range.to) >> 1;
        add({ from: range.from, to: middle });
        add({ from: middle, to: range.to });
        return;
      }
      const headingPath = pathOf(tree, range);
      const [pageFrom, pageTo] = [findPage(start), findPage(end - 1)];
      chunks.push({ index: chunks.length, content, start, end, headingPath, pageFrom, pageTo, tokens });
      previous = range;
      return;
    }
  }
}

/** The atom from which a chunk repeats the one before: only within a section, and only running text. */
function overlapStart(tree: SectionTree, previous: AtomRange, range: AtomRange, overlapTokens: number): number {
  const { atoms, sectionOf } = tree;
  if (!atoms[range.from]?.prose) return range.from;
  let from = range.from;
  let tokens = 0;
  while (from - 1 > previous.from) {
    const before = atoms[from - 1] as Atom;
    tokens += before.tokens;
    if (!before.prose || sectionOf[from - 1] !== sectionOf[range.from] || tokens > overlapTokens) break;
    from--;
  }
  return from;
}

/** White space around it goes, but not the indent of its first line. */
function trim(markdown: string, from: number, to: number): { start: number; end: number } {
  const text = markdown.slice(from, to);
  const words = text.length - text.trimStart().length;
  const lineStart = markdown.lastIndexOf("\n", from + words - 1) + 1;
  const start = markdown.slice(lineStart, from + words).trim() === "" ? Math.max(lineStart, from) : from + words;
  return { start, end: from + text.trimEnd().length };
}

/** The headings all its text stands under. A heading without text does not count, unless there is nothing else. */
function pathOf({ sectionOf }: SectionTree, { from, to }: AtomRange): string[] {
  const sections = new Set<Section>(sectionOf.slice(from, to));
  const withText = [...sections].filter((section) => section.hasText);
  const paths = (withText.length > 0 ? withText : [...sections]).map((section) => section.path);
  const [path = [], ...others] = paths;
  const differs = path.findIndex((heading, i) => others.some((other) => other[i] !== heading));
  return differs < 0 ? path : path.slice(0, differs);
}

function pageFinder({ pages }: MarkdownDocument): (offset: number) => number | null {
  return (offset) => {
    let low = 0;
    let high = pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pages[middle]?.offset ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return pages[Math.max(low - 1, 0)]?.page ?? null;
  };
}
