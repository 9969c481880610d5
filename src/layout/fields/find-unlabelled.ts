/**
 * What a receipt or an invoice says without a label: who issued it, where and to whom, its date, its currency, the account
 * to pay to, and the total after rounding. Says nothing about pages that are neither.
 */
import type { PageText, Word } from "../page.ts";
import { isRoundedTotal } from "./choose-notions.ts";
import type { PieceRow } from "./cut-pieces.ts";
import { findAddressUnder, findIssuer, findNameInSection, findRecipient, type Party } from "./find-parties.ts";
import type { PageEvidence } from "./read-evidence.ts";
import { type RecognisedValue, recogniseValue } from "./recognise-value.ts";

/** A value found under a key of the rules' vocabulary. */
export interface Finding {
  key: string;
  value: string;
  valueWords: readonly Word[];
  recognised: RecognisedValue;
  confidence: number;
}

interface PageFindings {
  rows: readonly PieceRow[];
  evidence: PageEvidence;
  /** What labels have said already. */
  known: readonly Finding[];
}

const receiptWord = /\b(?:receipt|cash bill|cashier|quittung|kassenbon|ticket de caisse|scontrino|kassabon)\b/i;
const text: RecognisedValue = { shape: "text", kind: "text" };

export function findUnlabelled(page: PageText, { rows, evidence, known }: PageFindings): Finding[] {
  const has = (key: string) => known.some((finding) => finding.key === key);
  const receipt = isReceipt(page, rows, has);
  if (!receipt && !has("total") && !has("amount_due") && !has("invoice_number")) return [];
  return [
    ...findParties(page, { rows, has, receipt }),
    ...(receipt && !has("date") && !has("invoice_date") ? findDate(rows, evidence) : []),
    ...(has("iban") ? [] : findIban(rows, evidence)),
    ...findCurrency(evidence, has),
    ...findRoundedTotal(rows, evidence, known),
  ];
}

/** Long and narrow, or in a till's words; and amounts on it. */
function isReceipt(page: PageText, rows: readonly PieceRow[], has: (key: string) => boolean): boolean {
  if (has("rounding") || has("change")) return true;
  const pieces = rows.flatMap((row) => row.pieces).filter((piece) => !piece.prose);
  const amounts = pieces.filter((piece) => /\d[.,]\d{2}(?:\s?[A-Z]{1,2})?$/.test(piece.text)).length;
  return (
    amounts >= 2 &&
    (page.height > 1.7 * page.width || pieces.some((piece) => piece.words.length < 5 && receiptWord.test(piece.text)))
  );
}

/** An invoice names its parties on the first page; each page of receipts may be one. */
function findParties(
  page: PageText,
  { rows, has, receipt }: { rows: readonly PieceRow[]; has: (key: string) => boolean; receipt: boolean },
): Finding[] {
  if (!receipt && page.page !== 1) return [];
  const findings: Finding[] = [];
  const add = (key: string, party: Party | undefined) => {
    if (party) findings.push({ ...party, key, valueWords: party.words, recognised: text });
  };
  const issuer = findIssuer(rows);
  if (receipt) {
    add("company", issuer);
    add("address", issuer && findAddressUnder(rows, issuer));
    return findings;
  }
  if (!has("seller")) add("seller", findNameInSection(rows, "seller") ?? issuer);
  if (!has("buyer"))
    add("buyer", findNameInSection(rows, "buyer") ?? findRecipient(rows, page.height, issuer?.value ?? "\n"));
  return findings;
}

function findDate(rows: readonly PieceRow[], evidence: PageEvidence): Finding[] {
  const found = findWords(rows, [1, 2, 3], (value) => {
    const recognised = recogniseValue(value, evidence);
    return recognised.shape === "date" ? recognised : undefined;
  });
  return found ? [{ ...found, key: "date", confidence: 0.75 }] : [];
}

function findIban(rows: readonly PieceRow[], evidence: PageEvidence): Finding[] {
  const found = findWords(rows, [1, 4, 5, 6, 7], (value) => {
    const recognised = /^[A-Z]{2}\d{2}/.test(value) ? recogniseValue(value, evidence) : text;
    return recognised.shape === "iban" ? recognised : undefined;
  });
  return found ? [{ ...found, key: "iban", confidence: 0.95 }] : [];
}

function findCurrency({ currency }: PageEvidence, has: (key: string) => boolean): Finding[] {
  if (has("currency") || !(has("total") || has("amount_due")) || currency?.length !== 3) return [];
  return [{ key: "currency", value: currency, valueWords: [], recognised: text, confidence: 0.85 }];
}

/** Receipts print the total after rounding without a label, below the rounding. */
function findRoundedTotal(rows: readonly PieceRow[], evidence: PageEvidence, known: readonly Finding[]): Finding[] {
  const [total, rounding] = ["total", "rounding"].map((key) => known.find((finding) => finding.key === key));
  const [amount, difference] = [Number(total?.recognised.normalized), Number(rounding?.recognised.normalized)];
  if (!total || !(Math.abs(difference) > 0)) return [];
  const below = rows.filter((row) => row.top > (total.valueWords[0]?.box.y ?? 0) + 1 && row.pieces.length <= 2);
  const found = findWords(below, [1, 2], (value) => {
    const recognised = recogniseValue(value, evidence);
    const fits = recognised.shape === "amount" && isRoundedTotal(Number(recognised.normalized), amount, difference);
    return fits ? recognised : undefined;
  });
  return found ? [{ ...found, key: "total", confidence: Math.min(0.95, total.confidence + 0.03) }] : [];
}

/** The first words in a row, as many as one of the counts says, that are what is looked for. */
function findWords(
  rows: readonly PieceRow[],
  counts: readonly number[],
  recognise: (value: string) => RecognisedValue | undefined,
): Pick<Finding, "value" | "valueWords" | "recognised"> | undefined {
  for (const piece of rows.flatMap((row) => row.pieces)) {
    if (piece.prose || !/\d/.test(piece.text)) continue;
    for (const count of counts) {
      for (let from = 0; from + count <= Math.min(piece.words.length, 10); from++) {
        const valueWords = piece.words.slice(from, from + count);
        const value = valueWords.map((word) => word.text).join(" ");
        const recognised = recognise(value);
        if (recognised) return { value, valueWords, recognised };
      }
    }
  }
  return undefined;
}
