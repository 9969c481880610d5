import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Field } from "../blocks.ts";
import type { PageText, Word } from "../page.ts";
import { findFields } from "./find-fields.ts";

type Line = [y: number, ...parts: [x: number, text: string][]];

/** A page of type 10 points high and 5 wide; each part of a line begins at its x. */
function pageOf(lines: Line[], page: Partial<PageText> = {}): PageText {
  const words = lines.flatMap(([y, ...parts]) => parts.flatMap(([x, text]) => wordsOf(text, x, y)));
  return { page: 1, width: 595, height: 842, source: "text", words, rules: [], ...page };
}

function wordsOf(text: string, x: number, y: number): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    box: { x: x + 5 * match.index, y, width: 5 * match[0].length, height: 10 },
  }));
}

function labels(fields: Field[]): Record<string, string> {
  return Object.fromEntries(fields.filter((field) => field.source === "label").map(({ key, value }) => [key, value]));
}

function notions(fields: Field[]): Record<string, string> {
  const known = fields.filter((field) => field.source === "pattern");
  return Object.fromEntries(known.map(({ key, value, normalized }) => [key, normalized ?? value]));
}

const invoice = pageOf([
  [40, [50, "Northwind Lamps Ltd - 12 Harbour Lane - 4021 Seaport"]],
  [80, [50, "Mara Winter"]],
  [92, [50, "7 Mill Road"]],
  [104, [50, "8812 Oakfield"]],
  [150, [50, "Invoice No: NL-2024-118"], [350, "Due Date: 14/02/2024"]],
  [165, [50, "Invoice Date ........ 31/01/2024"], [350, "Customer No"], [450, "77120"]],
  [210, [50, "Item"], [250, "Qty"], [350, "Price"], [450, "Amount"]],
  [225, [50, "Desk lamp"], [250, "2"], [350, "€ 20.00"], [450, "€ 40.00"]],
  [240, [50, "Bulb"], [250, "10"], [350, "€ 1.00"], [450, "€ 10.00"]],
  [280, [350, "Subtotal"], [450, "€ 50.00"]],
  [295, [350, "VAT 20%"], [450, "€ 10.00"]],
  [310, [350, "Grand Total"], [450, "€ 60.00"]],
  [400, [50, "IBAN DE89 3704 0044 0532 0130 00 - BIC : COBADEFFXXX - VAT ID: ATU12345678"]],
]);

describe("findFields", () => {
  test("reads an invoice: labels as printed, notions by name, dates and amounts normalised", () => {
    const fields = findFields(invoice, []);
    expect(labels(fields)).toMatchObject({
      "Invoice No": "NL-2024-118",
      "Due Date": "14/02/2024",
      "Invoice Date": "31/01/2024",
      "Customer No": "77120",
      "Grand Total": "€ 60.00",
    });
    expect(notions(fields)).toEqual({
      invoice_number: "NL-2024-118",
      invoice_date: "2024-01-31",
      due_date: "2024-02-14",
      customer_number: "77120",
      total: "60.00",
      subtotal: "50.00",
      tax: "10.00",
      currency: "EUR",
      iban: "DE89370400440532013000",
      bic: "COBADEFFXXX",
      vat_id: "ATU12345678",
      seller: "Northwind Lamps Ltd",
      buyer: "Mara Winter",
    });
  });

  test("tells where the value stands and how sure it is", () => {
    const total = findFields(invoice, []).find((field) => field.key === "total");
    expect(total).toMatchObject({ page: 1, kind: "amount", box: { x: 450, y: 310, width: 35, height: 10 } });
    expect(total?.confidence).toBeGreaterThan(0.8);
  });

  test("reads a German title and amounts with a decimal comma", () => {
    const found = notions(
      findFields(
        pageOf([
          [40, [50, "Rechnung Nr. 4711/24 vom 05.06.2024"]],
          [80, [50, "Kundennr."], [150, "10017"], [300, "Zahlbar bis"], [400, "19. Juni 2024"]],
          [200, [300, "Summe netto"], [450, "1.420,00"]],
          [215, [300, "Umsatzsteuer 19 %"], [450, "269,80"]],
          [230, [300, "Rechnungsbetrag"], [450, "1.689,80 €"]],
        ]),
        [],
      ),
    );
    expect(found).toMatchObject({
      invoice_number: "4711/24",
      invoice_date: "2024-06-05",
      customer_number: "10017",
      due_date: "2024-06-19",
      subtotal: "1420.00",
      tax: "269.80",
      total: "1689.80",
      currency: "EUR",
    });
  });

  test("reads a receipt: company, address, a date without a label, and the total after rounding", () => {
    const receipt = pageOf(
      [
        [20, [60, "GOLDEN KETTLE SDN BHD"]],
        [35, [60, "(123456-K)"]],
        [50, [60, "NO 7, JALAN MELATI 3,"]],
        [65, [60, "TAMAN INDAH, 81100 JOHOR"]],
        [80, [60, "TEL: 07-1234567"]],
        [110, [60, "19/10/2018 20:49:59"]],
        [140, [20, "TEA POT"], [220, "60.31"]],
        [170, [20, "TOTAL AMT........ RM"], [220, "60.31"]],
        [185, [20, "ROUNDING ADJ"], [220, "-0.01"]],
        [200, [160, "RM"], [220, "60.30"]],
        [215, [20, "CASH"], [180, "RM"], [220, "70.30"]],
        [230, [20, "CHANGE"], [180, "RM"], [220, "10.00"]],
      ],
      { source: "ocr", width: 280, height: 600 },
    );
    expect(notions(findFields(receipt, []))).toMatchObject({
      company: "GOLDEN KETTLE SDN BHD",
      address: "NO 7, JALAN MELATI 3, TAMAN INDAH, 81100 JOHOR",
      date: "2018-10-19",
      total: "60.30",
      rounding: "-0.01",
      paid: "70.30",
      change: "10.00",
      currency: "MYR",
    });
  });

  test("reads values below their labels, and addresses over several lines", () => {
    const form = pageOf([
      [40, [50, "Booking ID"], [250, "Check In"], [400, "Rooms"]],
      [54, [50, "IBZY2087"], [250, "31/12/2017"], [400, "1"]],
      [100, [50, "Delivery address:"], [200, "Mara Winter"]],
      [113, [200, "7 Mill Road"]],
      [126, [200, "8812 Oakfield"]],
      [160, [50, "Signature"]],
    ]);
    expect(labels(findFields(form, []))).toEqual({
      "Booking ID": "IBZY2087",
      "Check In": "31/12/2017",
      Rooms: "1",
      "Delivery address": "Mara Winter, 7 Mill Road, 8812 Oakfield",
    });
  });

  test("reads ticked and empty boxes on either side of their labels", () => {
    const fields = findFields(
      pageOf([
        [40, [50, "☐ Yes   ☑ No"]],
        [60, [50, "[x] Urgent [ ] Fragile"]],
        [80, [50, "Insured ☒"]],
      ]),
      [],
    );
    const ticks = fields.map(({ key, kind, normalized }) => [key, kind, normalized]);
    expect(ticks).toEqual([
      ["Yes", "checkbox", "false"],
      ["No", "checkbox", "true"],
      ["Urgent", "checkbox", "true"],
      ["Fragile", "checkbox", "false"],
      ["Insured", "checkbox", "true"],
    ]);
  });

  test("knows a label with a misread character, and is less sure of it", () => {
    const read = (label: string) =>
      findFields(pageOf([[40, [50, label], [200, "31.01.2024"]]], { source: "ocr" }), []).find(
        (field) => field.key === "due_date",
      );
    expect(read("Due Dale")?.normalized).toBe("2024-01-31");
    expect(read("Due Dale")?.confidence).toBeLessThan(read("Due Date")?.confidence ?? 0);
  });

  test("leaves a date undecided when the page does not say which comes first", () => {
    const date = (...more: Line[]) =>
      findFields(pageOf([[40, [50, "Date: 03/04/2024"]], ...more]), []).find((field) => field.source === "label");
    expect(date()).toMatchObject({ kind: "date", value: "03/04/2024" });
    expect(date()?.normalized).toBeUndefined();
    expect(date([60, [50, "Start: 12/25/2023"]])?.normalized).toBe("2024-03-04");
    expect(date([60, [50, "Start: 25/12/2023"]])?.normalized).toBe("2024-04-03");
  });

  test("prefers the amount due on the whole invoice to subtotals and quantities", () => {
    const found = notions(
      findFields(
        pageOf([
          [40, [50, "Invoice"], [200, "A-100"]],
          [80, [50, "Total Qty"], [300, "7"]],
          [95, [50, "Total excl. VAT"], [300, "£ 100.00"]],
          [110, [50, "Total VAT"], [300, "£ 20.00"]],
          [125, [50, "Total"], [300, "£ 120.00"]],
        ]),
        [],
      ),
    );
    expect(found).toMatchObject({ total: "120.00", subtotal: "100.00", tax: "20.00", currency: "GBP" });
  });

  test("finds nothing in prose, contents, code and tables", () => {
    const prose = pageOf(
      Array.from(
        { length: 30 },
        (_, row): Line => [
          40 + 14 * row,
          [50, "Note: the following lines are there to be read, and the total: of them is what the reader makes of it"],
        ],
      ),
    );
    expect(findFields(prose, [])).toEqual([]);
    const contents = pageOf(
      ["Preface", "Getting started", "Reference", "Index"].map(
        (name, row): Line => [40 + 14 * row, [50, `${name} ..........`], [400, `${row * 12 + 1}`]],
      ),
    );
    expect(findFields(contents, [])).toEqual([]);
    const listing = pageOf([
      [40, [50, "Name: value"]],
      [52, [50, "Other: thing"]],
    ]);
    const code: Block = {
      kind: "code",
      text: "",
      fontSize: 10,
      bold: false,
      box: { x: 40, y: 30, width: 300, height: 60 },
    };
    expect(labels(findFields(listing, []))).toEqual({ Name: "value", Other: "thing" });
    expect(labels(findFields(listing, [code]))).not.toHaveProperty("Other");
  });

  test("is the same in any order of the words, and never throws", () => {
    const shuffled = { ...invoice, words: [...invoice.words].reverse() };
    expect(findFields(shuffled, [])).toEqual(findFields(invoice, []));
    const text = fc.constantFrom(
      "Date",
      "Total",
      ":",
      "12.50",
      "€",
      "☐",
      "[",
      "x",
      "]",
      "....",
      "|",
      "IBAN",
      "Invoice",
      "No",
      "7",
    );
    const word = fc.record({ text, x: fc.integer({ min: 0, max: 500 }), y: fc.integer({ min: 0, max: 100 }) });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const page = pageOf(words.map(({ text: string, x, y }): Line => [y, [x, string]]));
        for (const field of findFields(page, [])) {
          expect(field.confidence).toBeGreaterThanOrEqual(0.4);
          expect(field.confidence).toBeLessThanOrEqual(1);
          expect(field.key).not.toBe("");
          expect(field.value).not.toBe("");
        }
      }),
    );
  });
});
