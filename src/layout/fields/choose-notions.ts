/**
 * Chooses for each known notion (invoice number, total, due date …) the one pair of the page that says it best. Totals are
 * chosen with the arithmetic of the receipt: rounding, cash and change tell which of several totals was to be paid.
 */
import type { NotionName } from "./label-synonyms.ts";
import type { Pair } from "./pair.ts";

export interface RatedPair {
  pair: Pair;
  confidence: number;
}

export interface ChosenNotion {
  key: string;
  from: RatedPair;
  /** How sure it is that this pair is the notion's, given that it is a field at all. */
  confidence: number;
}

interface Candidate extends RatedPair {
  group: number;
  score: number;
}

/** What has one value on a page and is not decided by arithmetic. */
const simpleNotions = [
  "invoice_number",
  "invoice_date",
  "due_date",
  "delivery_date",
  "order_number",
  "order_date",
  "customer_number",
  "date",
  "paid",
  "change",
  "discount",
  "rounding",
  "currency",
  "seller",
  "buyer",
  "iban",
  "bic",
  "vat_id",
  "tax_number",
  "phone",
  "fax",
  "email",
  "website",
] as const satisfies readonly NotionName[];

const cent = 0.011;
/** Cash is rounded to at most this in any currency whose receipts the rules know. */
const largestRounding = 0.5;

export function chooseNotions(pairs: readonly RatedPair[]): ChosenNotion[] {
  const chosen: ChosenNotion[] = [];
  for (const key of simpleNotions) {
    const [best] = candidatesFor(key, pairs);
    if (best) chosen.push({ key, from: best, confidence: best.score });
  }
  // Of a page with a date of its own kind, a bare "date" is some other day.
  const dated = chosen.some((notion) => notion.key === "invoice_date");
  return [...chosen.filter((notion) => !(dated && notion.key === "date")), ...chooseAmounts(pairs)];
}

function chooseAmounts(pairs: readonly RatedPair[]): ChosenNotion[] {
  const subtotals = candidatesFor("subtotal", pairs);
  const taxes = candidatesFor("tax", pairs);
  const dues = candidatesFor("amount_due", pairs);
  const total = chooseTotal(pairs);
  const chosen: ChosenNotion[] = [];
  const add = (key: string, from: Candidate | undefined) => {
    if (from) chosen.push({ key, from, confidence: from.score });
  };
  add("total", total);
  const tax = chooseTax(taxes, subtotals, total);
  add("tax", tax);
  add("amount_due", dues[0]);
  const fitting = subtotals.find(
    (sub) => total && tax && Math.abs(amountOf(sub) + amountOf(tax) - amountOf(total)) < cent,
  );
  add("subtotal", fitting ?? subtotals[0]);
  return chosen;
}

function chooseTotal(pairs: readonly RatedPair[]): Candidate | undefined {
  const totals = candidatesFor("total", pairs);
  const dues = candidatesFor("amount_due", pairs);
  const [paid] = candidatesFor("paid", pairs);
  const [change] = candidatesFor("change", pairs);
  const settled = paid && (change ? amountOf(paid) - Math.abs(amountOf(change)) : amountOf(paid));
  const agreeing =
    settled === undefined ? undefined : totals.find((total) => Math.abs(amountOf(total) - settled) < cent);
  if (agreeing && change) return { ...agreeing, score: Math.min(0.98, agreeing.score + 0.05) };
  const [best] = totals;
  if (best) {
    const last = totals.filter((total) => total.group === best.group && total.score > best.score - 0.1);
    return last.find((total) => agreesWithTax(total, pairs)) ?? largest(last);
  }
  if (dues[0]) return { ...dues[0], score: dues[0].score * 0.9 };
  // Small tills print no total: what was paid less the change is it, and without change the payment itself.
  return paid && (change === undefined || Math.abs(amountOf(change)) < cent)
    ? { ...paid, score: paid.score * 0.6 }
    : undefined;
}

/** The amount printed after a rounding, when it is the total rounded: receipts often print it without a label. */
export function isRoundedTotal(amount: number, total: number, rounding: number): boolean {
  return (
    Math.abs(rounding) <= largestRounding &&
    rounding !== 0 &&
    Math.abs(Math.abs(total - amount) - Math.abs(rounding)) < cent / 2
  );
}

function agreesWithTax(total: Candidate, pairs: readonly RatedPair[]): boolean {
  return candidatesFor("subtotal", pairs).some((sub) =>
    candidatesFor("tax", pairs).some(
      (tax) => amountOf(tax) > 0 && Math.abs(amountOf(sub) + amountOf(tax) - amountOf(total)) < cent,
    ),
  );
}

function chooseTax(
  taxes: readonly Candidate[],
  subtotals: readonly Candidate[],
  total: Candidate | undefined,
): Candidate | undefined {
  const fitting =
    total &&
    taxes.find((tax) => subtotals.some((sub) => Math.abs(amountOf(sub) + amountOf(tax) - amountOf(total)) < cent));
  if (fitting) return fitting;
  const [best] = taxes;
  // Several lines of tax without a sum of them: none is the tax.
  const rivals = taxes.filter((tax) => tax.group === best?.group && amountOf(tax) !== amountOf(best));
  return best && rivals.length === 0 ? best : undefined;
}

function largest(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((a, b) => amountOf(b) - amountOf(a))[0];
}

function amountOf(candidate: RatedPair): number {
  return Number(candidate.pair.recognised.normalized ?? Number.NaN);
}

/** Best first; of equals the one that stands first on the page. */
function candidatesFor(key: NotionName, pairs: readonly RatedPair[]): Candidate[] {
  return pairs
    .flatMap((rated) => {
      const match = rated.pair.notions.find((notion) => notion.notion === key);
      return match ? [{ ...rated, group: match.group, score: rated.confidence * (match.group === 0 ? 1 : 0.9) }] : [];
    })
    .sort((a, b) => b.score - a.score);
}
