/**
 * Finds labels with their values within each row: behind a colon, across a gap or a leader when the label is known by
 * name, or right behind such a label. Marks the pieces it used, so that what is left can be looked up below.
 */
import type { Word } from "../page.ts";
import type { Piece, PieceRow } from "./cut-pieces.ts";
import { isRowOfLabels } from "./find-pairs-below.ts";
import { findColon, isPlausibleLabel } from "./judge-label.ts";
import { matchLabel, matchNormalized, normalizeLabel } from "./match-label.ts";
import { isLooseNotion, makePair, type Pair, type PairFinder } from "./pair.ts";
import { parseDate } from "./parse-date.ts";
import { textOf } from "./read-rows.ts";
import { recogniseValue } from "./recognise-value.ts";

const longestPrefix = 7;

export function findPairs(rows: readonly PieceRow[], finder: PairFinder): Pair[] {
  return rows.flatMap((row, index) => {
    const header = isRowOfLabels(rows, index);
    const pairs: Pair[] = [];
    for (const [at, piece] of row.pieces.entries()) {
      if (piece.used) continue;
      const above = rows[index - 1];
      const pair =
        readColon(row, at, above, finder) ?? readAcrossGap(row, at, header, finder) ?? readKnownPrefix(piece, finder);
      if (pair) pairs.push(pair);
    }
    return pairs;
  });
}

function readColon(row: PieceRow, at: number, above: PieceRow | undefined, finder: PairFinder): Pair | undefined {
  const piece = row.pieces[at];
  const colon = piece && findColon(piece.words);
  const word = colon && piece.words[colon.index];
  if (!word) return undefined;
  const own = [...piece.words.slice(0, colon.index).map((part) => part.text), colon.before].join(" ").trim();
  const matches = matchLabel(own, finder.misread);
  if (matches.length === 0 && !isPlausibleLabel(own)) return undefined;
  const inside = [...(colon.after === "" ? [] : [cutWord(word, colon.after)]), ...piece.words.slice(colon.index + 1)];
  const behind = inside.some((part) => /[\p{L}\d]/u.test(part.text)) ? [] : takeBehind(row, at, matches.length > 0);
  const valueWords = behind.length > 0 ? behind.flatMap((part) => part.words) : inside;
  const label = matches.length > 0 ? own : `${labelBegun(piece, above)}${own}`;
  const pair = makePair({ label, matches, valueWords, sign: "colon", prose: piece.prose }, finder.evidence);
  if (!/[\p{L}\d]/u.test(pair.value)) return undefined;
  for (const part of [piece, ...behind]) part.used = true;
  return pair;
}

/** A label in capitals may have begun on the line above, where nothing else stands. */
function labelBegun(piece: Piece, above: PieceRow | undefined): string {
  const [begin, ...others] = above?.pieces ?? [];
  if (!begin || others.length > 0 || begin.used || begin.words.length > 3 || findColon(begin.words)) return "";
  const height = piece.bottom - piece.top;
  const capitals = /^[\p{Lu}\s&/.-]+$/u;
  const close = piece.top - begin.bottom < 0.6 * height && Math.abs(piece.x - begin.x) < height;
  if (!close || !capitals.test(begin.text) || !capitals.test(piece.words[0]?.text.replace(/:.*$/, "") ?? "")) return "";
  begin.used = true;
  return `${begin.text} `;
}

/** The value behind a label that ends with a colon: the next piece, and those close behind it that nothing else claims. */
function takeBehind(row: PieceRow, at: number, known: boolean): Piece[] {
  const rest = row.pieces.slice(at + 1);
  const [next] = rest;
  if (!next || next.used || findColon(next.words)) return [];
  const alone = rest.every((piece) => !findColon(piece.words) && matchLabel(piece.text, false).length === 0);
  if (!alone || known) return [next];
  const taken = [next];
  for (const piece of rest.slice(1)) {
    const last = taken.at(-1);
    if (!last || piece.x - last.right > 2.5 * (last.bottom - last.top)) break;
    taken.push(piece);
  }
  return taken;
}

/** `Rechnungsnr.    30064443`: a label known by name, then a gap, then a value that fits it. */
function readAcrossGap(row: PieceRow, at: number, header: boolean, finder: PairFinder): Pair | undefined {
  const piece = row.pieces[at];
  const next = row.pieces[at + 1];
  if (!piece || !next || next.used || piece.prose) return undefined;
  const matches = matchLabel(withoutDate(piece.text), finder.misread);
  if (matches.length === 0) return undefined;
  const value = pickAmount(row.pieces.slice(at + 1), finder) ?? next;
  const sign = next.led ? "leader" : "gap";
  const pair = makePair({ label: piece.text, matches, valueWords: value.words, sign, prose: false }, finder.evidence);
  const fits = pair.notions.some((match) => !isLooseNotion(match.notion));
  const alone =
    row.pieces.length === 2 && !header && !findColon(next.words) && matchLabel(next.text, false).length === 0;
  if (!fits && !(alone && pair.notions.length > 0)) return undefined;
  piece.used = true;
  value.used = true;
  return pair;
}

/** The amount behind a rate or a scrap, and of several amounts the last when it is the sum of the others. */
function pickAmount(pieces: readonly Piece[], finder: PairFinder): Piece | undefined {
  const amounts: number[] = [];
  const shapes = pieces.slice(0, 6).map((piece) => recogniseValue(piece.text, finder.evidence));
  // A misread currency is a scrap of letters.
  const scrap = finder.misread && /^\D{1,3}$/.test(pieces[0]?.text ?? "");
  if (scrap || shapes[0]?.shape === "percent") return shapes[1]?.shape === "amount" ? pieces[1] : undefined;
  for (const { shape, normalized } of shapes) {
    if (shape !== "amount") break;
    amounts.push(Number(normalized));
  }
  const sum = amounts.slice(0, -1).reduce((total, amount) => total + amount, 0);
  return amounts.length > 2 && Math.abs(sum - (amounts.at(-1) ?? 0)) < 0.011 ? pieces[amounts.length - 1] : undefined;
}

/** `Invoice # RE-2019/507`, `IBAN DE88 …`: a label known by name with its value right behind it. */
function readKnownPrefix(piece: Piece, finder: PairFinder): Pair | undefined {
  if (piece.prose && piece.words.length > longestPrefix + 4) return undefined;
  for (let length = Math.min(longestPrefix, piece.words.length - 1); length >= 1; length--) {
    const label = textOf(piece.words.slice(0, length));
    const matches = matchNormalized(normalizeLabel(label), false);
    if (matches.length === 0) continue;
    const valueWords = piece.words.slice(length);
    const pair = makePair({ label, matches, valueWords, sign: "prefix", prose: false }, finder.evidence);
    if (pair.notions.some((match) => !isLooseNotion(match.notion))) {
      piece.used = true;
      return pair;
    }
  }
  return undefined;
}

function withoutDate(text: string): string {
  const date = parseDate(text);
  return date ? text.slice(0, date.start) + text.slice(date.end) : text;
}

function cutWord(word: Word, text: string): Word {
  const width = (word.box.width * text.length) / word.text.length;
  return { ...word, text, box: { ...word.box, x: word.box.x + word.box.width - width, width } };
}
