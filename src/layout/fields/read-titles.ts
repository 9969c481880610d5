/**
 * Reads the number and the date out of a title like `Rechnung Nr. 471102 vom 05.06.2018`, `Facture n°562 du 2 juillet 2015`
 * or `Invoice # RE-7/507 issued at 2019-06-10`.
 */
import type { Word } from "../page.ts";
import type { Piece, PieceRow } from "./cut-pieces.ts";
import { makePair, type Pair } from "./pair.ts";
import { parseDate } from "./parse-date.ts";
import type { PageEvidence } from "./read-evidence.ts";
import { textOf } from "./read-rows.ts";

const documentWord = /(?:rechnung|gutschrift|invoice|facture|factura|fattura|factuur|avoir|credit note)$/i;
const numberMark = /^(?:n[°ºo]\.?|nr\.?|no\.?|num\.?|number|numéro|numero|nummer|#|№)$/i;
const gluedNumber = /^(?:n[°º]|#|№)\s?(\S*\d\S*)$/i;
const dateMark = /^(?:vom|du|of|dated|del|van|from|issued|date|datum|fecha|il)$/i;
const titleWords = 14;

export function readTitles(row: PieceRow, evidence: PageEvidence): Pair[] {
  return row.pieces.flatMap((piece, index) => readTitle(piece, row.pieces.slice(index + 1), evidence));
}

function readTitle(piece: Piece, behind: readonly Piece[], evidence: PageEvidence): Pair[] {
  if (piece.prose) return [];
  const at = piece.words.slice(0, 3).findIndex((word) => documentWord.test(word.text));
  if (at === -1) return [];
  const pieces = [piece, ...takeRest(behind)];
  const words = pieces.flatMap((part) => part.words);
  const number = words.length > titleWords ? undefined : findNumber(words.slice(at + 1));
  if (!number) return [];
  const label = textOf(words.slice(0, at + 1));
  const make = (notion: "invoice_number" | "invoice_date", name: string, valueWords: Word[]) =>
    makePair(
      { label: name, matches: [{ notion, group: 0, exact: true }], valueWords, sign: "prefix", prose: false },
      evidence,
    );
  const numbered = make("invoice_number", label, [number.word]);
  if (numbered.notions.length === 0) return [];
  for (const part of pieces) part.used = true;
  const dated = findDate(words.slice(at + 2 + number.index), evidence);
  return dated ? [numbered, make("invoice_date", `${label} ${dated.mark}`, dated.words)] : [numbered];
}

/** A title set wide: `Rechnung    Nr. 17    vom    1.2.2024`. */
function takeRest(behind: readonly Piece[]): Piece[] {
  const taken: Piece[] = [];
  for (const piece of behind) {
    const [first] = piece.words;
    const goesOn = first && (numberMark.test(first.text) || gluedNumber.test(first.text) || dateMark.test(first.text));
    const dateFollows = dateMark.test(taken.at(-1)?.words.at(-1)?.text ?? "");
    if (!goesOn && !dateFollows) break;
    taken.push(piece);
  }
  return taken;
}

/** Behind a mark for numbers, or right behind the document's word when it can be nothing but a number. */
function findNumber(words: readonly Word[]): { word: Word; index: number } | undefined {
  for (const [index, word] of words.slice(0, 6).entries()) {
    const glued = gluedNumber.exec(word.text)?.[1];
    if (glued !== undefined) return { word: { ...word, text: glued }, index };
    const next = words[index + 1];
    if (numberMark.test(word.text) && next && /\d/.test(next.text)) return { word: next, index: index + 1 };
    if (index === 0 && /^(?=.*\d)[A-Z\d][A-Z\d/-]{3,}$/i.test(word.text) && !parseDate(word.text))
      return { word, index };
  }
  return undefined;
}

function findDate(words: readonly Word[], evidence: PageEvidence): { words: Word[]; mark: string } | undefined {
  const at = words.findIndex((word) => dateMark.test(word.text));
  if (at === -1) return undefined;
  for (const skip of [1, 2]) {
    for (const count of [1, 2, 3, 4]) {
      const part = words.slice(at + skip, at + skip + count);
      const date = parseDate(part.map((word) => word.text).join(" "), evidence.dayMonthOrder);
      if (date?.start === 0) return { words: part, mark: words[at]?.text ?? "" };
    }
  }
  return undefined;
}
