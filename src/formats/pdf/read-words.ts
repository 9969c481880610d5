/**
 * The words of a page with their boxes, in the order of the file. Words that run upright come first: those that stand on
 * their side (stamps, labels of axes) would be read into the lines they cross.
 */
import { TerminalError } from "../../errors.ts";
import type { Box, Word } from "../../layout/page.ts";
import { cleanCharacter, isDebris, isSpace } from "./clean-character.ts";
import { composeAccents, isAccent, type Letters } from "./compose-accents.ts";
import type { PageSpace } from "./page-space.ts";
import type { Pdfium } from "./pdfium.ts";
import { type Glyph, readGlyph } from "./read-glyph.ts";
import { type Run, readRuns } from "./read-runs.ts";

export interface WordsRead {
  words: Word[];
  /** Words nobody sees: what OCR has laid over a scan. */
  invisible: Word[];
  characters: number;
  /** Characters without a meaning: their font does not tell. */
  debris: number;
}

/** In type sizes: farther apart, characters are not of one word, whatever stands between them. */
const widestGap = 0.5;
/** Over a space that was only guessed because an accent stood in between. */
const accentGap = 0.08;
const lineShift = 0.6;
/** Ten times what the densest newspaper has on a page. */
const mostCharacters = 500_000;

export function readWords(pdfium: Pdfium, page: number, space: PageSpace): WordsRead {
  const { call } = pdfium;
  const textPage = call.FPDFText_LoadPage(page);
  if (textPage === 0) return { words: [], invisible: [], characters: 0, debris: 0 };
  try {
    const runs = readRuns(pdfium, textPage, space);
    const count = call.FPDFText_CountChars(textPage);
    if (count > mostCharacters) {
      const message = `The page has ${count} characters; at most ${mostCharacters} are read.`;
      throw new TerminalError("TEXT_TOO_LARGE", message, { details: { characters: count } });
    }
    const drafts: Letters[] = [];
    let word: Letters | undefined;
    let hasAccents = false;
    let characters = 0;
    let debris = 0;
    for (let index = 0; index < count; index++) {
      const code = readCode(index);
      if (isSpace(code)) {
        word = undefined;
        continue;
      }
      characters++;
      if (isDebris(code)) debris++;
      const text = cleanCharacter(code);
      if (text !== "") {
        const run = runs.of(index);
        const glyph = readGlyph(pdfium, textPage, index, space, run);
        hasAccents ||= isAccent(code);
        if (word && continues(word, run, glyph, widestGap)) {
          word.parts.push(text);
          word.glyphs.push(glyph);
        } else {
          word = { parts: [text], glyphs: [glyph], run };
          drafts.push(word);
        }
      }
      if (code > 0xffff && call.FPDFText_GetUnicode(textPage, index) !== code) index++;
    }
    const words = hasAccents ? composeAccents(drafts, adjoins) : drafts;
    return { ...finish(words, space), characters, debris };
  } finally {
    call.FPDFText_ClosePage(textPage);
  }

  /** The character at `index`; beyond 0xffff it may come in two halves. */
  function readCode(index: number): number {
    const code = call.FPDFText_GetUnicode(textPage, index);
    if (code < 0xd800 || code >= 0xdc00) return code;
    const low = call.FPDFText_GetUnicode(textPage, index + 1);
    return low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : code;
  }
}

function continues(word: Letters, run: Run, glyph: Glyph, gap: number): boolean {
  const last = word.glyphs.at(-1);
  const { direction, invisible, size } = word.run;
  if (!last || run.direction !== direction || run.invisible !== invisible) return false;
  const reach = Math.max(size, run.size);
  // Either way round: some scripts run from right to left.
  const apartX = Math.max(glyph.left - last.right, last.left - glyph.right);
  const apartY = Math.max(glyph.top - last.bottom, last.top - glyph.bottom);
  if (direction === undefined) return apartX < gap * reach && apartY < gap * reach;
  const upright = direction % 2 === 0;
  const shift = upright ? Math.abs(glyph.baseY - last.baseY) : Math.abs(glyph.baseX - last.baseX);
  return (upright ? apartX : apartY) < gap * reach && shift < lineShift * reach;
}

function adjoins(word: Letters, next: Letters): boolean {
  const [first] = next.glyphs;
  return first !== undefined && continues(word, next.run, first, accentGap);
}

function finish(drafts: readonly Letters[], space: PageSpace): Pick<WordsRead, "words" | "invisible"> {
  const upright: Word[] = [];
  const turned: Word[] = [];
  const invisible: Word[] = [];
  const seen = new Map<string, Box[]>();
  for (const { parts, glyphs, run } of drafts) {
    const text = parts.join("");
    let { left, top, right, bottom } = glyphs[0] as Glyph;
    for (const glyph of glyphs) {
      left = Math.min(left, glyph.left);
      top = Math.min(top, glyph.top);
      right = Math.max(right, glyph.right);
      bottom = Math.max(bottom, glyph.bottom);
    }
    const middleX = (left + right) / 2;
    const middleY = (top + bottom) / 2;
    if (!(middleX >= 0 && middleX <= space.width && middleY >= 0 && middleY <= space.height)) continue;
    const box = { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
    // Bold made by printing twice, and shadows.
    const same = seen.get(text);
    if (same?.some((other) => isNearlySame(other, box, run.size))) continue;
    if (same) same.push(box);
    else seen.set(text, [box]);
    const word: Word = { text, box, fontSize: round(run.size) };
    if (run.invisible) {
      // OCR writes in whatever font comes to hand.
      invisible.push(word);
      continue;
    }
    if (run.style.bold) word.bold = true;
    if (run.style.italic) word.italic = true;
    if (run.style.mono) word.mono = true;
    if (run.direction === 0) upright.push(word);
    else turned.push(word);
  }
  return { words: [...upright, ...turned], invisible };
}

function isNearlySame(one: Box, other: Box, size: number): boolean {
  const near = size * 0.2;
  return (
    Math.abs(one.x - other.x) < near && Math.abs(one.y - other.y) < near && Math.abs(one.width - other.width) < near
  );
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
