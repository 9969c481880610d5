/**
 * Finds what belongs to the paper and not to the text: running heads and feet, page numbers, text along the edge. They
 * are told by what a survey of all pages knows, and on a single page only by what cannot be anything else.
 */
import type { Block, PageBlocks } from "./blocks.ts";
import type { FurnitureSurvey } from "./furniture-survey.ts";
import { edgesOf, isAtEdge, outermostOf, textOf } from "./page-edges.ts";

const lonePageNumber =
  /^[-–—\s|[(]*(page|seite|p\.|pag\.|página)?\s*(\d{1,6}|[ivxlc]{1,7})(\s*(\/|of|von|de|sur)\s*\d{1,4})?[-–—\s|\])]*$/i;
const lineNumbers = /^1 2 3 4 5\b[\d ]*$|^\d+ 5 10 15\b|^5 10 15 20\b/;

/** The blocks of the page that are no text of the document. */
export function findFurniture(page: PageBlocks, survey: FurnitureSurvey): Set<Block> {
  const found = new Set<Block>();
  const outermost = new Set(outermostOf(page));
  for (const block of edgesOf(page)) {
    if (survey.isFurniture(block, page, outermost.has(block))) found.add(block);
    else if (lonePageNumber.test(textOf(block)) && isAtEdge(block, page, 0.1)) found.add(block);
  }
  for (const block of page.blocks) {
    if (lonePageNumber.test(textOf(block)) && isOutermost(block, page)) found.add(block);
  }
  if (survey.pages <= 2) for (const block of marginalOf(page)) found.add(block);
  for (const block of page.blocks) {
    if (block.kind === "table") continue;
    if (isAlongEdge(block, page) || lineNumbers.test(block.text)) found.add(block);
  }
  return survey.pages > 2 ? found : keepSomething(page, found);
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

/** The only page with words keeps them. */
function keepSomething(page: PageBlocks, found: Set<Block>): Set<Block> {
  if (found.size < page.blocks.length) return found;
  return new Set([...found].filter((block) => lonePageNumber.test(textOf(block)) || isAlongEdge(block, page)));
}
