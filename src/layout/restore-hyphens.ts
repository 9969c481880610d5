/**
 * Gives compounds their hyphen back that looked like parted words to their page, since the parts, but never the word,
 * occur elsewhere in the document.
 */
import type { PageBlocks, TextBlock } from "./blocks.ts";
import { keepsHyphen } from "./join-hyphens.ts";
import { KnownWords } from "./known-words.ts";

const wordsWithin = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;

export class HyphenSurvey {
  readonly #words = new Set<string>();
  readonly #known = new KnownWords(() => this.#words);

  addPage(page: PageBlocks): void {
    for (const block of page.blocks) {
      if (block.kind === "table" || block.kind === "code") continue;
      const own = new Set(block.joined?.map(withoutHyphen));
      for (const word of block.text.match(wordsWithin) ?? []) if (!own.has(word)) this.#words.add(word);
    }
  }

  /** To be asked when all pages were added. */
  restore(block: TextBlock): TextBlock {
    const wrong = block.joined?.filter((parted) => keepsHyphen(parted, this.#known)) ?? [];
    if (wrong.length === 0) return block;
    const text = wrong.reduce((before, parted) => before.replace(withoutHyphen(parted), parted), block.text);
    return { ...block, text };
  }
}

function withoutHyphen(parted: string): string {
  return parted.replace(/[-\u2010\u00ad]/, "");
}
