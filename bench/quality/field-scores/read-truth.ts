/**
 * Reads what the corpus says is on a form, a receipt or an invoice, and brings its several spellings of keys to the
 * vocabulary of the rules. Keys the rules have no word for are asked for by their value alone.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { TruthKind } from "./compare-values.ts";

export type TruthGroup = "receipts" | "invoices" | "e-invoices" | "forms";

export interface TruthField {
  /** The key as the truth spells it. */
  name: string;
  /** The keys under which the rules may report it; empty: under any label. */
  keys: readonly string[];
  kind: TruthKind;
  /** Any of these, or all of them joined. */
  values: readonly string[];
}

export interface DocumentTruth {
  group: TruthGroup;
  fields: TruthField[];
}

interface KnownKey {
  keys: readonly string[];
  kind: TruthKind;
}

const knownKeys: Readonly<Record<string, KnownKey>> = {
  company: { keys: ["company", "seller"], kind: "text" },
  issuer: { keys: ["seller", "company"], kind: "text" },
  seller: { keys: ["seller", "company"], kind: "text" },
  buyer: { keys: ["buyer"], kind: "text" },
  address: { keys: ["address"], kind: "text" },
  date: { keys: ["invoice_date", "date"], kind: "date" },
  issue_date: { keys: ["invoice_date", "date"], kind: "date" },
  date_due: { keys: ["due_date"], kind: "date" },
  due_date: { keys: ["due_date"], kind: "date" },
  delivery_date: { keys: ["delivery_date"], kind: "date" },
  total: { keys: ["total"], kind: "amount" },
  amount: { keys: ["total"], kind: "amount" },
  grand_total: { keys: ["total"], kind: "amount" },
  amount_untaxed: { keys: ["subtotal"], kind: "amount" },
  tax_basis_total: { keys: ["subtotal"], kind: "amount" },
  tax_total: { keys: ["tax"], kind: "amount" },
  due_payable: { keys: ["amount_due"], kind: "amount" },
  invoice_number: { keys: ["invoice_number"], kind: "text" },
  currency: { keys: ["currency"], kind: "text" },
  vat: { keys: ["vat_id"], kind: "text" },
  iban: { keys: ["iban"], kind: "text" },
  payment_iban: { keys: ["iban"], kind: "text" },
  bic: { keys: ["bic"], kind: "text" },
};

/** What the truth adds and no page says: kinds of document by code, names made up by the tool the truth comes from. */
const unprinted = new Set([
  "type_code",
  "desc",
  "lines",
  "seller_tax_ids",
  "country_code",
  "partner_name",
  "prepaid",
  "line_total",
]);

/** The truth beside a document of the forms, or undefined when it has none the rules can be measured by. */
export async function readTruth(folder: string, document: string): Promise<DocumentTruth | undefined> {
  const name = path.parse(document).name;
  const group = groupOf(name);
  if (!group) return undefined;
  const truth: unknown = JSON.parse(await readFile(path.join(folder, `${name}.json`), "utf8"));
  return { group, fields: group === "forms" ? readPairs(truth) : readKeys(Array.isArray(truth) ? truth[0] : truth) };
}

function groupOf(name: string): TruthGroup | undefined {
  if (name.startsWith("receipt_")) return "receipts";
  if (name.startsWith("einvoice_")) return "e-invoices";
  if (name.startsWith("invoice_")) return "invoices";
  return name.startsWith("form_") ? "forms" : undefined;
}

function readPairs(truth: unknown): TruthField[] {
  const pairs = isRecord(truth) && Array.isArray(truth.pairs) ? truth.pairs.filter(isRecord) : [];
  return pairs
    .map(({ key, values }) => ({
      name: `${key}`,
      keys: [],
      kind: "text" as const,
      values: Array.isArray(values) ? values.map(String).filter((value) => value.trim() !== "") : [],
    }))
    .filter((field) => field.values.length > 0);
}

function readKeys(truth: unknown): TruthField[] {
  return Object.entries(isRecord(truth) ? truth : {}).flatMap(([name, value]) => {
    if (unprinted.has(name) || (typeof value !== "string" && typeof value !== "number")) return [];
    const kind: TruthKind = name.startsWith("date_") ? "date" : "text";
    return [{ name, ...(knownKeys[name] ?? { keys: [], kind }), values: [`${value}`] }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
