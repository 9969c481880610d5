/**
 * Ranks the headings of a whole document. An outline decides where there is one; else sizes do, numbers like 2.1 refine
 * them, and bold lines in the size of the text come last.
 */
import type { Block, PageBlocks, TextBlock } from "./blocks.ts";
import { mayBeHeading, numberedDepth } from "./text-kinds.ts";

export interface OutlineTitle {
  level: number;
  title: string;
  page?: number;
}

interface Style {
  size: number;
  count: number;
}

export class HeadingSurvey {
  readonly #letters = new Map<number, number>();
  readonly #sizes = new Map<number, number>();
  /** Levels of numbered headings by depth are measured against the sizes of the first depth. */
  readonly #numberedSizes = new Map<number, number>();

  addPage(page: PageBlocks, furniture: ReadonlySet<Block>): void {
    for (const block of page.blocks) {
      if (block.kind === "table" || furniture.has(block)) continue;
      const size = roundSize(block.fontSize);
      if (block.kind === "paragraph" || block.kind === "list_item") add(this.#letters, size, block.text.length);
      if (block.kind !== "heading") continue;
      add(this.#sizes, size, 1);
      if (numberedDepth(block.text) === 1) add(this.#numberedSizes, size, 1);
    }
  }

  rank(outline: readonly OutlineTitle[]): HeadingRanks {
    const bodySize = mostOf(this.#letters) ?? 0;
    const larger = [...this.#sizes]
      .map(([size, count]): Style => ({ size, count }))
      .filter(({ size }) => size > bodySize * 1.08)
      .sort((a, b) => b.size - a.size);
    return new HeadingRanks(bodySize, mergeClose(larger), mostOf(this.#numberedSizes), outline);
  }
}

function add(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function mostOf(counts: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const [key, count] of counts) {
    if (count > most) {
      best = key;
      most = count;
    }
  }
  return best;
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}

/** Sizes that differ by less than a reader sees are one. */
function mergeClose(styles: readonly Style[]): number[] {
  const sizes: number[] = [];
  for (const { size } of styles) {
    const last = sizes.at(-1);
    if (last === undefined || size < last * 0.94) sizes.push(size);
  }
  return sizes;
}

export class HeadingRanks {
  readonly bodySize: number;
  readonly #sizes: readonly number[];
  readonly #numberedSize: number | undefined;
  readonly #outline: Map<string, OutlineTitle[]>;
  readonly #hasOutline: boolean;
  #current = 0;

  constructor(
    bodySize: number,
    sizes: readonly number[],
    numberedSize: number | undefined,
    outline: readonly OutlineTitle[],
  ) {
    this.bodySize = bodySize;
    this.#sizes = sizes;
    this.#numberedSize = numberedSize;
    this.#outline = Map.groupBy(outline, (entry) => bareTitle(entry.title));
    this.#hasOutline = outline.length >= 2;
  }

  /** The level of a block's heading, or undefined if it is none. To be asked once for each block, in order. */
  levelOf(block: TextBlock, page: number): number | undefined {
    const listed = this.#hasOutline && block.text.length <= 240 ? this.#listedLevel(block, page) : undefined;
    if (listed !== undefined) {
      this.#current = listed;
      return listed;
    }
    if (!this.#isHeading(block)) return undefined;
    if (this.#hasOutline) return Math.min(6, this.#current + 1);
    return this.#levelBySize(block);
  }

  #isHeading(block: TextBlock): boolean {
    const larger = block.fontSize / Math.max(1, this.bodySize);
    if (block.kind === "heading") return larger > 1.08 || block.bold || /^[^\p{Ll}]+$/u.test(block.text);
    // A page whose text is all large looks like body text to itself.
    return block.kind === "paragraph" && larger >= 1.25 && block.text.length < 150 && mayBeHeading(block.text);
  }

  #levelBySize(block: TextBlock): number {
    const size = roundSize(block.fontSize);
    const rank = this.#sizes.findIndex((known) => size >= known * 0.94);
    const bySize = rank < 0 ? this.#sizes.length + 1 : rank + 1;
    const depth = numberedDepth(block.text);
    if (depth === undefined || this.#numberedSize === undefined) return Math.min(6, bySize);
    const first = this.#sizes.findIndex((known) => (this.#numberedSize ?? 0) >= known * 0.94);
    return Math.min(6, (first < 0 ? this.#sizes.length : first) + depth);
  }

  #listedLevel(block: TextBlock, page: number): number | undefined {
    if (block.kind === "code" || block.kind === "footnote" || block.kind === "caption") return undefined;
    const bare = bareTitle(block.kind === "list_item" ? `${block.marker ?? ""} ${block.text}` : block.text);
    const entries = this.#outline.get(bare) ?? this.#outline.get(withoutNumber(bare));
    const entry = entries?.find((one) => one.page === undefined || Math.abs(one.page - page) <= 1);
    if (entry === undefined) return undefined;
    // A plain mention in the text has the words of a title as well, but neither its face nor its page.
    const stands = block.kind === "heading" || block.bold || entry.page === page;
    return stands ? Math.min(6, Math.max(1, entry.level)) : undefined;
  }
}

function bareTitle(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function withoutNumber(bare: string): string {
  return bare.replace(/^(chapter|section|appendix|kapitel)?\d+/, "");
}
