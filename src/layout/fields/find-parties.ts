/**
 * Finds who issued a receipt or an invoice, to whom, and a receipt's address: the name at the head of the page with the
 * lines of address under it, the name in the section of a party, the block of address that a letter has in its window.
 * Meant for pages that other signs have shown to be a receipt or an invoice.
 */
import type { Word } from "../page.ts";
import type { Piece, PieceRow } from "./cut-pieces.ts";
import { findColon } from "./judge-label.ts";
import { matchLabel, matchNormalized, normalizeLabel } from "./match-label.ts";
import { parseAmount } from "./parse-amount.ts";
import { parseDate } from "./parse-date.ts";
import { textOf } from "./read-rows.ts";

export interface Party {
  words: Word[];
  value: string;
  confidence: number;
}

export interface Issuer extends Party {
  row: number;
  piece: Piece;
}

const legalForm =
  /(?:^|[\s,.])(?:sdn\.?\s?bhd|s\/b|gmbh|ag|kg|ohg|e\.?\s?k|ug|ltd|limited|plc|inc|llc|llp|corp|corporation|company|s\.?a\.?r\.?l|sasu?|eurl|s\.?a|s\.?l\.?u?|s\.?r\.?l|s\.?p\.?a|b\.?v|n\.?v|pvt|pty|oy|ab|a\/s|aps|sp\.?\s?z\s?o\.?\s?o)\.?(?=$|[\s,.)])/i;
const tradeWord =
  /\b(?:enterprise|trading|restaurant|restoran|stores?|shop|mart|supermarket|market|cafe|bakery|hardware|pharmacy|stationery|electronics|hotel|petrol|motors?|services|solutions|\p{L}*vermietung|bäckerei|apotheke|boulangerie|librairie|ristorante|tienda)\b/iu;
const streetWord =
  /\b(?:jalan|jln|jl|lorong|taman|street|st|road|rd|avenue|ave|blvd|boulevard|lane|drive|suite|floor|lot|no|batu|bandar|\p{L}*stra(?:ß|ss)e|\p{L}+str|\p{L}+weg|\p{L}+platz|\p{L}*allee|rue|chemin|place|calle|avenida|via|viale|piazza|\p{L}*straat|\p{L}+laan)\b\.?/iu;
const postcode = /(?:^|[\s,-])(?:[A-Z]{1,2}-?)?\d{4,6}(?:\s?[A-Z]{2})?(?=[\s,.]|$)/;
const title =
  /^(?:tax |simplified |cash |payment |sales |proforma |commercial |official )*(?:invoice|receipt|bill|\p{L}*rechnung|quittung|facture|re[cç]u|factura|fattura|factuur|credit note|gutschrift|copy|original|page|seite)(?!\p{L})|^welcome|^thank/iu;
const documentWord = /^(?:invoice|receipt|rechnung|facture|factura|fattura|factuur)$/i;
const salutation = /^(?:herrn?|frau|firma|an|mr|mrs|ms|m|mme|monsieur|madame|attn|att|to)[.:]?$/i;
const addressLines = 6;
const headRows = 10;

/** The best name in the head of the page. */
export function findIssuer(rows: readonly PieceRow[]): Issuer | undefined {
  const heights = rows.flatMap((row) => row.pieces.map((piece) => piece.bottom - piece.top)).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 10;
  let best: { row: number; piece: Piece; score: number; words: Word[] } | undefined;
  for (const [row, { pieces }] of rows.slice(0, headRows).entries()) {
    for (const piece of pieces) {
      const words = nameWords(piece);
      const score = scoreName(textOf(words), piece, { row, usual, cut: words.length < piece.words.length });
      if (score > (best?.score ?? 0)) best = { row, piece, score, words };
    }
  }
  if (!best) return undefined;
  const value = textOf(best.words).replace(/[,\s]+$/, "");
  return {
    row: best.row,
    piece: best.piece,
    words: best.words,
    value,
    confidence: Math.min(0.8, 0.25 + 0.1 * best.score),
  };
}

/** The lines under the name, down to the first that is something else; none without a number in it. */
export function findAddressUnder(rows: readonly PieceRow[], issuer: Issuer): Party | undefined {
  const lines: Piece[] = [];
  let previous = issuer.piece;
  let last = addressLines;
  for (const row of rows.slice(issuer.row + 1, issuer.row + 3 + addressLines)) {
    const piece = row.pieces.find((candidate) => overlaps(candidate, issuer.piece));
    if (!piece) continue;
    if (lines.length >= last || piece.top - previous.bottom > 3 * (previous.bottom - previous.top)) break;
    previous = piece;
    if (isRegistration(piece.text)) continue;
    // Behind the town stands at most the country or a landmark.
    if (lines.length > 0 && postcode.test(piece.text)) last = Math.min(last, lines.length + 2);
    if (isAddressLine(piece, lines.length > 0)) lines.push(piece);
    else if (lines.length > 0) break;
  }
  const words = lines.flatMap((line) => line.words);
  const value = textOf(words);
  if (!/\d/.test(value) || !(postcode.test(value) || streetWord.test(value))) return undefined;
  return { words, value, confidence: postcode.test(value) && streetWord.test(value) ? 0.7 : 0.5 };
}

/** The name in the section that a heading like "Seller" or "Käufer" opens: behind "Name:", else the first line. */
export function findNameInSection(rows: readonly PieceRow[], notion: "seller" | "buyer"): Party | undefined {
  for (const [index, row] of rows.entries()) {
    const heading = row.pieces.find((piece) =>
      matchLabel(piece.text.replace(/:$/, ""), false).some((match) => match.notion === notion),
    );
    if (!heading || row.pieces.length > 2) continue;
    const section = rows.slice(index + 1, index + 5);
    for (const [at, { pieces }] of section.entries()) {
      const named = readName(pieces, heading);
      if (named) return { ...named, confidence: 0.9 };
      const below = at === 0 ? pieces.find((piece) => Math.abs(piece.x - heading.x) < 8) : undefined;
      if (below && isName(below)) return { words: below.words, value: below.text, confidence: 0.7 };
    }
  }
  return undefined;
}

/** The first line of a block of address in the upper half of the page that is not the issuer's own. */
export function findRecipient(rows: readonly PieceRow[], height: number, issuer: string): Party | undefined {
  for (const [index, row] of rows.entries()) {
    if (row.top > height / 2) return undefined;
    const city = row.pieces.find(
      (piece) => postcode.test(piece.text) && piece.words.length <= 6 && !findColon(piece.words),
    );
    if (!city) continue;
    const block = linesAbove(city, rows.slice(Math.max(0, index - 8), index));
    const name = block.find((piece) => !salutation.test(piece.text));
    if (block.length < 2 || !name || !isName(name) || block.some((piece) => piece.text.includes(issuer))) continue;
    return { words: name.words, value: name.text, confidence: 0.5 };
  }
  return undefined;
}

/** Left-aligned lines right above one another, from the top. */
function linesAbove(last: Piece, rows: readonly PieceRow[]): Piece[] {
  const lines: Piece[] = [];
  let lower = last;
  for (const row of [...rows].reverse()) {
    const piece = row.pieces.find((candidate) => Math.abs(candidate.x - lower.x) < 3);
    if (!piece) continue;
    if (lower.top - piece.bottom > 1.2 * (piece.bottom - piece.top) || findColon(piece.words)) break;
    lines.unshift(piece);
    lower = piece;
  }
  return lines;
}

function readName(pieces: readonly Piece[], heading: Piece): { words: Word[]; value: string } | undefined {
  const at = pieces.findIndex(
    (piece) =>
      Math.abs(piece.x - heading.x) < 40 &&
      matchLabel(piece.words[0]?.text.replace(/:.*$/, "") ?? "", false).some((match) => match.notion === "name"),
  );
  const piece = pieces[at];
  const colon = piece && findColon(piece.words);
  if (!colon) return undefined;
  const words =
    piece.words.length > colon.index + 1 ? piece.words.slice(colon.index + 1) : (pieces[at + 1]?.words ?? []);
  return words.length > 0 ? { words, value: textOf(words) } : undefined;
}

function isName(piece: Piece): boolean {
  if (piece.prose || piece.words.length > 7 || findColon(piece.words) || title.test(piece.text)) return false;
  return /\p{L}{2}/u.test(piece.text) && !/\d{3}/.test(piece.text) && matchLabel(piece.text, false).length === 0;
}

/** `Name - street - town` and `Name Invoice` are the name with something behind it. */
function nameWords(piece: Piece): Word[] {
  const cut = piece.words.findIndex(
    (word, index) => index > 0 && (/^[-–—|•·●]$/.test(word.text) || documentWord.test(word.text)),
  );
  return cut === -1 ? piece.words : piece.words.slice(0, cut);
}

function scoreName(text: string, piece: Piece, place: { row: number; usual: number; cut: boolean }): number {
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  if (letters < 3 || letters < 0.55 * text.replace(/\s/g, "").length || text.length > 60) return 0;
  if (piece.prose || piece.used) return 0;
  if (title.test(text.trim()) || findColon(piece.words) || parseDate(text) || /@|www\.|https?:/.test(text)) return 0;
  if (matchLabel(text, false).length > 0) return 0;
  let score = 2.5 - 0.25 * place.row;
  if (legalForm.test(text)) score += 3;
  else if (tradeWord.test(text)) score += 1.5;
  if (piece.bottom - piece.top > 1.35 * place.usual) score += 1;
  if (piece.bold) score += 0.5;
  if (/^\p{Ll}/u.test(text)) score -= 1.5;
  if (place.cut) score += 0.5;
  if (postcode.test(text) || (streetWord.test(text) && !legalForm.test(text))) score -= 3;
  return score;
}

function isRegistration(text: string): boolean {
  if (/^\(?(?:co\.?\s?(?:reg|rfg|no)|reg\.? no|gst|company no|roc)\b/i.test(text)) return true;
  return (
    /^\([^)]*\d[^)]*\)$/.test(text) ||
    /\b(?:no|id|reg)\b\.?:?\s?\d{5,}/i.test(text) ||
    /^[A-Z]{0,3}\d{5,}\s?-?\s?[A-Z]?$/.test(text)
  );
}

function isAddressLine(piece: Piece, begun: boolean): boolean {
  const { text } = piece;
  if (
    title.test(text) ||
    parseDate(text) ||
    /^(?:tel|telephone|telefon|fax|phone|h\/p|gst|email|www|http)\b|^\(?\+?\d[\d\s()-]{7,}$/i.test(text)
  )
    return false;
  if (findColon(piece.words) || piece.prose || matchNormalized(normalizeLabel(text), true).length > 0) return false;
  const amount = parseAmount(text);
  if (amount?.currency !== undefined || (amount?.fraction === 2 && amount.end === text.length)) return false;
  return begun ? /\p{L}{2}/u.test(text) : /\d/.test(text) || streetWord.test(text);
}

function overlaps(a: Piece, b: Piece): boolean {
  return a.x < b.right + 20 && b.x < a.right + 20;
}
