/**
 * Finds what belongs to the paper and not to the text: running heads and feet, page numbers, text along the edge. They
 * are told by standing at the same place on several pages with the same words, by numbers that grow with the pages, and
 * on a single page only by what cannot be anything else.
 */
import type { Block, PageBlocks } from "./blocks.ts";

const edgeBlocks = 4;
/** Of the page's height: nothing nearer its middle is a running head or foot. */
const edgeShare = 0.14;

const lonePageNumber =
  /^[-–—\s|[(]*(page|seite|p\.|pag\.|página)?\s*(\d{1,6}|[ivxlc]{1,7})(\s*(\/|of|von|de|sur)\s*\d{1,4})?[-–—\s|\])]*$/i;
const lineNumbers = /^1 2 3 4 5\b[\d ]*$|^\d+ 5 10 15\b|^5 10 15 20\b/;

export class FurnitureSurvey {
  /** Text without its numbers and where it stands → pages it was seen on. */
  readonly #seen = new Map<string, number>();
  /** Number in an edge block minus the page's number → how often. */
  readonly #offsets = new Map<number, number>();
  #pages = 0;

  addPage(page: PageBlocks): void {
    this.#pages++;
    const keys = new Set<string>();
    const offsets = new Set<number>();
    for (const block of edgesOf(page)) {
      for (const key of keysOf(block, page)) keys.add(key);
      for (const number of numbersAtEnds(textOf(block))) offsets.add(number - page.page);
    }
    for (const key of keys) this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
    for (const offset of offsets) this.#offsets.set(offset, (this.#offsets.get(offset) ?? 0) + 1);
  }

  /** The blocks of the page that are no text of the document. */
  furnitureOf(page: PageBlocks): Set<Block> {
    const found = new Set<Block>();
    const offset = this.#pageOffset();
    for (const block of edgesOf(page)) {
      if (this.#repeats(block, page) || isNumberedFurniture(block, page, offset)) found.add(block);
      else if (lonePageNumber.test(textOf(block)) && isAtEdge(block, page, 0.1)) found.add(block);
    }
    for (const block of page.blocks) {
      if (lonePageNumber.test(textOf(block)) && isOutermost(block, page)) found.add(block);
    }
    if (this.#pages <= 2) for (const block of marginalOf(page)) found.add(block);
    for (const block of page.blocks) {
      if (block.kind === "table") continue;
      if (isAlongEdge(block, page) || lineNumbers.test(block.text)) found.add(block);
    }
    return this.#pages > 2 ? found : keepSomething(page, found);
  }

  #repeats(block: Block, page: PageBlocks): boolean {
    return keysOf(block, page).some((key) => (this.#seen.get(key) ?? 0) >= (this.#pages > 12 ? 3 : 2));
  }

  #pageOffset(): number | undefined {
    let best: number | undefined;
    let most = 1;
    for (const [offset, count] of this.#offsets) {
      if (count > most && count >= Math.max(2, this.#pages * 0.3)) {
        best = offset;
        most = count;
      }
    }
    return best;
  }
}

function textOf(block: Block): string {
  return block.kind === "table"
    ? block.rows.map((row) => row.map((cell) => cell.text).join(" ")).join(" ")
    : block.text;
}

/** What a letter or an invoice prints at the foot of its only page is part of what it says. */
const businessDetails = /iban|bic\b|swift|vat\b|tax|ust-?id|account|bank|phone|tel\b|tel\.|fax|e-?mail|register/i;
const fewestLetters = 900;

/**
 * On a page without neighbours to compare with: single small lines at the very edge of a page of running text, clear of
 * that text.
 */
function marginalOf(page: PageBlocks): Block[] {
  const paragraphs = page.blocks.filter((block) => block.kind === "paragraph" && block.text.length > 120);
  const letters = paragraphs.reduce((sum, block) => sum + textOf(block).length, 0);
  if (letters < fewestLetters) return [];
  const body = Math.max(...paragraphs.map((block) => (block.kind === "table" ? 0 : block.fontSize)));
  return page.blocks.filter((block) => {
    if (block.kind === "table" || block.fontSize > body * 0.97 || block.box.height > block.fontSize * 1.8) return false;
    const { y, height } = block.box;
    const atEdge = y + height < page.height * 0.05 || y > page.height * 0.93;
    return atEdge && block.text.length < 160 && !businessDetails.test(block.text);
  });
}

/** Text along the edge has room for nothing but itself. */
function isAlongEdge(block: Block, page: PageBlocks): boolean {
  const { box } = block;
  if (box.height < box.width * 4 || box.height < 60 || block.kind === "table") return false;
  return box.x + box.width < page.width * 0.12 || box.x > page.width * 0.88;
}

/** Alone above or below everything else, in the middle or at the side where page numbers are. */
function isOutermost(block: Block, page: PageBlocks): boolean {
  if (!isAtEdge(block, page, 0.2)) return false;
  const { y, height } = block.box;
  const others = page.blocks.filter((other) => other !== block);
  const clear = height * 1.5;
  return (
    others.length > 0 &&
    (others.every((other) => other.box.y + other.box.height < y - clear) ||
      others.every((other) => other.box.y > y + height + clear))
  );
}

function isAtEdge(block: Block, page: PageBlocks, share: number): boolean {
  return block.box.y + block.box.height < page.height * share || block.box.y > page.height * (1 - share);
}

function edgesOf(page: PageBlocks): Block[] {
  const near = page.blocks.filter((block) => isAtEdge(block, page, edgeShare) && textOf(block).length < 300);
  if (near.length <= edgeBlocks * 2) return near;
  const sorted = near.toSorted((a, b) => a.box.y - b.box.y);
  return [...sorted.slice(0, edgeBlocks), ...sorted.slice(-edgeBlocks)];
}

/** Two neighbouring places each, so that what stands on the border between them is found again. */
function keysOf(block: Block, page: PageBlocks): string[] {
  const bare = textOf(block)
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/[*_`\\]/g, "")
    .trim();
  if (bare === "") return [];
  const places = [Math.floor(block.box.y / 5), Math.floor((block.box.y + 2.5) / 5) + 0.5];
  return places.map((place) => `${Math.round(page.height)} ${place} ${bare}`);
}

function numbersAtEnds(text: string): number[] {
  const numbers: number[] = [];
  const first = /^\D{0,3}(\d{1,6})(?=\s|$)/.exec(text)?.[1];
  const last = /(?:^|\s)(\d{1,6})\D{0,3}$/.exec(text)?.[1];
  if (first !== undefined) numbers.push(Number(first));
  if (last !== undefined && last !== first) numbers.push(Number(last));
  return numbers;
}

function isNumberedFurniture(block: Block, page: PageBlocks, offset: number | undefined): boolean {
  if (offset === undefined || !isAtEdge(block, page, edgeShare)) return false;
  const text = textOf(block);
  return text.length < 160 && numbersAtEnds(text).includes(page.page + offset);
}

/** The only page with words keeps them. */
function keepSomething(page: PageBlocks, found: Set<Block>): Set<Block> {
  if (found.size < page.blocks.length) return found;
  return new Set([...found].filter((block) => lonePageNumber.test(textOf(block)) || isAlongEdge(block, page)));
}
