/** From a document's fields and tables to an invoice, and what is wrong with it. Pure functions: easy to test. */
import type { DocumentField, DocumentTable } from "docmill";

export interface InvoiceLine {
  what: string;
  count: number;
  unitCents: number;
  amountCents: number;
}

export interface Invoice {
  number: string;
  seller: string | null;
  subtotalCents: number | null;
  taxCents: number | null;
  totalCents: number | null;
  lines: InvoiceLine[];
}

/** Undefined where a document has no number of an invoice or no table of lines. */
export function readInvoice(fields: readonly DocumentField[], tables: readonly DocumentTable[]): Invoice | undefined {
  const field = (key: string) => fields.find((one) => one.key === key);
  const cents = (key: string) => toCents(field(key)?.normalized ?? undefined);
  const number = field("invoice_number")?.value;
  const lines = tables.map(readLines).find(({ length }) => length > 0);
  if (number === undefined || lines === undefined) return undefined;
  return {
    number,
    seller: field("seller")?.value ?? null,
    subtotalCents: cents("subtotal"),
    taxCents: cents("tax"),
    totalCents: cents("total"),
    lines,
  };
}

/** What does not add up, one sentence each. */
export function findProblems({ lines, subtotalCents, taxCents, totalCents }: Invoice): string[] {
  const problems = lines.flatMap(({ what, count, unitCents, amountCents }) =>
    Math.round(count * unitCents) === amountCents
      ? []
      : [
          `${what}: ${count} at ${show(unitCents)} are ${show(Math.round(count * unitCents))}, not ${show(amountCents)}.`,
        ],
  );
  const sum = lines.reduce((total, { amountCents }) => total + amountCents, 0);
  if (subtotalCents !== null && sum !== subtotalCents)
    problems.push(`The lines add up to ${show(sum)}, not to ${show(subtotalCents)}.`);
  const due = (subtotalCents ?? sum) + (taxCents ?? 0);
  if (totalCents === null) problems.push("No total was found.");
  else if (due !== totalCents) problems.push(`With tax it is ${show(due)}, not ${show(totalCents)}.`);
  return problems;
}

export function show(cents: number): string {
  return (cents / 100).toFixed(2);
}

function readLines({ rows, headerRows }: DocumentTable): InvoiceLine[] {
  const [header = [], ...body] = rows.slice(Math.max(0, headerRows - 1)).map((row) => row.map(({ text }) => text));
  const column = (name: RegExp) => header.findIndex((text) => name.test(text));
  const [what, count, unit, amount] = [/description/i, /qty|quantity/i, /unit price/i, /amount/i].map(column);
  if (what === undefined || [what, count, unit, amount].includes(-1)) return [];
  return body.flatMap((row) => {
    const number = (at: number | undefined) => toCents(row[at ?? -1]?.replaceAll(",", ""));
    const [hundredths, unitCents, amountCents] = [number(count), number(unit), number(amount)];
    if (hundredths === null || unitCents === null || amountCents === null) return [];
    return [{ what: row[what] ?? "", count: hundredths / 100, unitCents, amountCents }];
  });
}

function toCents(text: string | undefined): number | null {
  const value = Number(text);
  return text === undefined || text.trim() === "" || Number.isNaN(value) ? null : Math.round(value * 100);
}
