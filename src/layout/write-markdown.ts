/**
 * Writes a document of pages as one markdown text. The pages are read twice: first to learn the size of the text, the
 * ranks of headings, its words and what repeats at the edges, then to write. No more than the text and one page are held.
 */
import type { Block, PageBlocks, TextBlock } from "./blocks.ts";
import { findFurniture } from "./find-furniture.ts";
import { FurnitureSurvey } from "./furniture-survey.ts";
import type { MarkdownDocument, MarkdownHeading } from "./markdown-document.ts";
import { MarkdownText } from "./markdown-text.ts";
import { type HeadingRanks, HeadingSurvey, type OutlineTitle } from "./rank-headings.ts";
import { HyphenSurvey } from "./restore-hyphens.ts";

export async function writeMarkdown(
  pages: () => AsyncIterable<PageBlocks>,
  facts: { outline: readonly OutlineTitle[] },
): Promise<MarkdownDocument> {
  const furniture = new FurnitureSurvey();
  const headings = new HeadingSurvey();
  const hyphens = new HyphenSurvey();
  for await (const page of pages()) {
    furniture.addPage(page);
    headings.addPage(page, new Set());
    hyphens.addPage(page);
  }
  const writer = new DocumentWriter(headings.rank(facts.outline), hyphens);
  for await (const page of pages()) writer.writePage(page, findFurniture(page, furniture));
  return writer.finish();
}

class DocumentWriter {
  readonly #text = new MarkdownText();
  readonly #ranks: HeadingRanks;
  readonly #hyphens: HyphenSurvey;
  readonly #headings: MarkdownHeading[] = [];
  readonly #pages: { page: number; offset: number }[] = [];
  /** Pages without text so far: they begin where the next text does. */
  #empty: number[] = [];
  /** Footnotes, captions and tables at the end of a page wait until its last paragraph has ended. */
  #waiting: { block: Block; page: number }[] = [];

  constructor(ranks: HeadingRanks, hyphens: HyphenSurvey) {
    this.#ranks = ranks;
    this.#hyphens = hyphens;
  }

  writePage(page: PageBlocks, furniture: ReadonlySet<Block>): void {
    this.#empty.push(page.page);
    const blocks = page.blocks
      .filter((block) => !furniture.has(block))
      .map((block) => (block.kind === "table" ? block : this.#hyphens.restore(block)));
    const firstFlowing = blocks.findIndex((block) => !mayWait(block));
    blocks.forEach((block, at) => {
      if (at === firstFlowing && block.kind !== "table" && !this.#text.goesOnWith(block)) this.#flush();
      const isTail = firstFlowing >= 0 && blocks.slice(at).every((one) => one.kind === "footnote");
      if (isTail && at > 0) this.#waiting.push({ block, page: page.page });
      else {
        if (this.#waiting.length > 0 && !(block.kind !== "table" && this.#text.goesOnWith(block))) this.#flush();
        this.#write(block, page.page);
      }
    });
  }

  finish(): MarkdownDocument {
    this.#flush();
    const markdown = this.#text.toString();
    for (const page of this.#empty) this.#pages.push({ page, offset: markdown.length });
    return { markdown, pages: this.#pages, headings: this.#headings };
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { block, page } of waiting) this.#write(block, page);
  }

  #write(block: Block, page: number): void {
    const at = block.kind === "table" ? this.#text.writeTable(block) : this.#writeText(block, page);
    for (const empty of this.#empty) this.#pages.push({ page: empty, offset: at });
    this.#empty = [];
  }

  #writeText(block: TextBlock, page: number): number {
    const level = this.#ranks.levelOf(block, page);
    if (level === undefined)
      return this.#text.writeText(block.kind === "heading" ? { ...block, kind: "paragraph" } : block);
    const text = block.kind === "list_item" ? `${block.marker ?? ""} ${block.text}` : block.text;
    const offset = this.#text.writeHeading({ ...block, kind: "heading", text }, level);
    this.#headings.push({ level, text, offset, page });
    return offset;
  }
}

function mayWait(block: Block): boolean {
  return block.kind === "footnote" || block.kind === "caption" || block.kind === "table";
}
