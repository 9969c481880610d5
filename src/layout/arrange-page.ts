/**
 * Makes blocks in reading order of a page's words: headings, paragraphs, list items, code, captions, footnotes and
 * tables. Every word of the page is in exactly one block. It works on text layers and on recognised words alike; which
 * headings rank above which is decided over the whole document, by `writeMarkdown`.
 */
import { addRegion } from "./add-region.ts";
import { arrangeRegion } from "./arrange-region.ts";
import { attachCaptions } from "./attach-captions.ts";
import type { Block, TableBlock } from "./blocks.ts";
import { cutColumns } from "./cut-columns.ts";
import { boxToEdges } from "./edges-to-box.ts";
import { fillGrid } from "./fill-grid.ts";
import { findGrids, type Grid, type Stroke, strokesOf } from "./find-grids.ts";
import { lineItem, tableItem } from "./flow-item.ts";
import { gatherLeaders } from "./gather-leaders.ts";
import { joinDropCaps } from "./join-drop-caps.ts";
import { joinLabels } from "./join-labels.ts";
import { joinLines } from "./join-lines.ts";
import { KnownWords } from "./known-words.ts";
import { type Line, prevailingSize } from "./line.ts";
import { readsRightToLeft } from "./order-words.ts";
import type { PageText } from "./page.ts";
import { type PlacedWord, placeWords } from "./placed-word.ts";
import { goesOnOutside } from "./shaded-rows.ts";
import { takeMargins } from "./take-margins.ts";

/** Fewer say nothing about the usual face: a title page may be all bold. */
const fewestLetters = 400;

export function arrangePage(page: PageText): Block[] {
  const words = gatherLeaders(placeWords(page));
  if (words.length === 0) return [];
  tellUsualFace(words);
  const { tables, free, forms } = takeGrids(page, words);
  const bodySize = prevailingSize(words);
  const pieces = joinLines(joinDropCaps(free, bodySize));
  const { lines, margins } = takeMargins(pieces, page);
  const items = [...lines.map(lineItem), ...tables.map(({ box }, table) => tableItem(boxToEdges(box), table))];
  const context = {
    bodySize,
    noisy: page.source === "ocr" || isTrembling(pieces),
    pageHeight: page.height,
    horizontals: strokesOf(page.rules, "horizontal").filter((bar) => !forms.some((form) => isWithin(bar, form))),
    known: new KnownWords(() => words.map((word) => word.text)),
  };
  const blocks: Block[] = [];
  for (const region of [...cutColumns(items, readsRightToLeft(free)), ...margins.map((line) => [lineItem(line)])]) {
    const here: Line[] = [];
    const inRegion: TableBlock[] = [];
    for (const item of region) {
      const table = item.table === undefined ? undefined : tables[item.table];
      if (table !== undefined) inRegion.push(table);
      else if (item.line !== undefined) here.push(item.line);
    }
    addRegion(blocks, arrangeRegion(here, inRegion, context));
  }
  return joinLabels(attachCaptions(blocks));
}

/** A frame around most of a page with few rules in it: sections of a form, each with lines of its own. */
function isForm(grid: Grid, page: PageText): boolean {
  const isLarge = grid.y2 - grid.y1 > page.height * 0.5 && grid.x2 - grid.x1 > page.width * 0.5;
  return isLarge && grid.cells.length < grid.rows * grid.columns * 0.5;
}

function isWithin(bar: Stroke, grid: Grid): boolean {
  return bar.at > grid.y1 - 2 && bar.at < grid.y2 + 2 && bar.start < grid.x2 && bar.end > grid.x1;
}

interface Taken {
  tables: TableBlock[];
  /** The words outside of them. */
  free: PlacedWord[];
  forms: Grid[];
}

function takeGrids(page: PageText, words: PlacedWord[]): Taken {
  const tables: TableBlock[] = [];
  const forms: Grid[] = [];
  let free = words;
  for (const grid of findGrids(page.rules)) {
    if (isForm(grid, page)) {
      forms.push(grid);
      continue;
    }
    const inside: PlacedWord[] = [];
    const outside: PlacedWord[] = [];
    for (const word of free) {
      const x = (word.x1 + word.x2) / 2;
      const y = (word.y1 + word.y2) / 2;
      const isInside = x >= grid.x1 && x <= grid.x2 && y >= grid.y1 && y <= grid.y2;
      (isInside ? inside : outside).push(word);
    }
    const table = inside.length === 0 || goesOnOutside(grid, outside) ? undefined : fillGrid(grid, inside);
    if (table === undefined) continue;
    tables.push(table);
    free = outside;
  }
  return { tables, free, forms };
}

/** The text layer of a scan was recognised once: the size changes from word to word. */
function isTrembling(pieces: readonly Line[]): boolean {
  let pairs = 0;
  let changes = 0;
  for (const { words } of pieces) {
    for (let i = 1; i < words.length; i++) {
      const [before, word] = [words[i - 1]?.size ?? 0, words[i]?.size ?? 0];
      pairs++;
      if (Math.abs(before - word) > 0.03 * word) changes++;
    }
  }
  return changes > 20 && changes > pairs * 0.35;
}

/**
 * What most of a page has is the face of its text: nothing is stressed by it. Where most is monospaced it was typed so,
 * unless it looks like code.
 */
function tellUsualFace(words: PlacedWord[]): void {
  const letters = { all: 0, bold: 0, italic: 0, mono: 0 };
  let signs = 0;
  for (const { text, bold, italic, mono } of words) {
    letters.all += text.length;
    if (bold) letters.bold += text.length;
    if (italic) letters.italic += text.length;
    if (!mono) continue;
    letters.mono += text.length;
    signs += text.match(/[{}()[\];=<>_/\\|$#&]/g)?.length ?? 0;
  }
  if (letters.all < fewestLetters) return;
  const most = letters.all * 0.6;
  for (const word of words) {
    if (letters.bold > most) word.bold = false;
    if (letters.italic > most) word.italic = false;
    if (letters.mono > most && signs < letters.mono * 0.05) word.mono = false;
  }
}
