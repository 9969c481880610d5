/** The invoice among the sample documents: fields with labels, parties, a table of items and its sums. */
import { type Drawing, ink, paintPdf, table } from "./paint.ts";

interface Item {
  what: string;
  count: number;
  cents: number;
}

const items: Item[] = [
  { what: "Booster pump TP-40, 4 kW", count: 2, cents: 184_500 },
  { what: "Gate valve DN 80, cast iron", count: 12, cents: 9_640 },
  { what: "Pressure sensor 0-16 bar", count: 8, cents: 6_225 },
  { what: "Pipe DN 80, length of 6 m", count: 30, cents: 5_480 },
  { what: "Fitting and testing, hours", count: 26, cents: 5_800 },
];
const taxPercent = 20;

export const invoiceTotals = sumUp();

export function writeInvoice(): Promise<Buffer> {
  return paintPdf("Invoice TP-2031-0187", (document) => {
    drawSender(document);
    drawFacts(document);
    document.y = 322;
    const rows = items.map(({ what, count, cents }, index) => [
      String(index + 1),
      what,
      String(count),
      money(cents),
      money(count * cents),
    ]);
    table(document, {
      left: 64,
      widths: [34, 213, 52, 78, 90],
      rows: [["Pos", "Description", "Qty", "Unit price", "Amount"], ...rows],
      numbers: [0, 2, 3, 4],
    });
    drawTotals(document);
    drawTerms(document);
  });
}

function sumUp() {
  const net = items.reduce((sum, { count, cents }) => sum + count * cents, 0);
  const tax = Math.round((net * taxPercent) / 100);
  return { subtotal: money(net), tax: money(tax), total: money(net + tax) };
}

function money(cents: number): string {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${whole}.${String(cents % 100).padStart(2, "0")}`;
}

function drawSender(document: Drawing): void {
  document.font("Helvetica-Bold").fontSize(17).fillColor(ink.accent).text("Tarnside Pumps Ltd", 64, 56);
  document.font("Helvetica").fontSize(9.5).fillColor(ink.soft);
  document.text("3 Mill Race Road, 40217 Tarnside").text("accounts@tarnside-pumps.example   +00 5550 218 340");
  document.moveTo(64, 112).lineTo(531, 112).lineWidth(1).strokeColor(ink.accent).stroke();
  document.font("Helvetica-Bold").fontSize(24).fillColor(ink.text).text("INVOICE", 64, 132);
}

function drawFacts(document: Drawing): void {
  document.font("Helvetica-Bold").fontSize(10).fillColor(ink.text).text("Bill to:", 64, 182);
  document.font("Helvetica").text("Elderwick Town Waterworks", 64, 198);
  document.text("Pump House, 12 Cooper's Lane").text("40233 Elderwick");
  const facts = [
    ["Invoice number:", "TP-2031-0187"],
    ["Invoice date:", "14 March 2031"],
    ["Due date:", "13 April 2031"],
    ["Order number:", "EW-PO-4471"],
    ["Customer number:", "C-20933"],
  ];
  for (const [index, [label = "", value = ""]] of facts.entries()) {
    const y = 182 + index * 17;
    document.font("Helvetica-Bold").text(label, 330, y, { lineBreak: false });
    document.font("Helvetica").text(value, 440, y, { lineBreak: false });
  }
  document
    .font("Helvetica")
    .fontSize(10)
    .text("Delivered to the pump house on 6 March 2031. Thank you for your order.", 64, 290);
}

function drawTotals(document: Drawing): void {
  const { subtotal, tax, total } = invoiceTotals;
  const lines = [
    ["Subtotal:", `${subtotal} EUR`],
    [`VAT ${taxPercent}%:`, `${tax} EUR`],
    ["Total amount due:", `${total} EUR`],
  ];
  const top = document.y + 4;
  for (const [index, [label = "", value = ""]] of lines.entries()) {
    document
      .font(index === 2 ? "Helvetica-Bold" : "Helvetica")
      .fontSize(index === 2 ? 11.5 : 10)
      .fillColor(ink.text);
    document.text(label, 330, top + index * 19, { lineBreak: false });
    document.text(value, 421, top + index * 19, { width: 104, align: "right", lineBreak: false });
  }
  document.y = top + lines.length * 19 + 30;
}

function drawTerms(document: Drawing): void {
  const top = document.y;
  document.font("Helvetica-Bold").fontSize(10).text("Payment", 64, top);
  document.font("Helvetica").fontSize(10);
  document.text("Please pay within 30 days and name the invoice number.", 64, top + 16);
  document.text("Two percent discount for payment within 10 days.", 64, top + 30);
  document.text("Bank: Miller's Bank Tarnside", 64, top + 52);
  document.text("IBAN: XX00 0000 1234 5678 9012 34", 64, top + 66);
}
