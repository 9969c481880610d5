/**
 * Tells what a value is (a date, an amount, an IBAN, a phone number …) and normalises it with what the rest of the page
 * proves about its way of writing. Says "text" rather than guess.
 */
import type { Field } from "../blocks.ts";
import { parseAmount } from "./parse-amount.ts";
import { parseDate } from "./parse-date.ts";
import type { PageEvidence } from "./read-evidence.ts";

type ValueShape =
  | "date"
  | "amount"
  | "number"
  | "percent"
  | "iban"
  | "vat_id"
  | "email"
  | "url"
  | "phone"
  | "code"
  | "checkbox"
  | "text";

export interface RecognisedValue {
  shape: ValueShape;
  kind: Field["kind"];
  normalized?: string;
  currency?: string;
}

const email = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;
const url =
  /^(?:https?:\/\/\S+|www\.[\w-]+\.\S+|(?:[\w-]+\.)+(?:com|org|net|de|fr|it|es|nl|eu|io|co\.uk|at|ch|be)(?:\/\S*)?)$/i;
const phone = /^(?:\(?\+\d{1,3}\)?|\(?0?\d{1,5}\)?)(?:[\s./-]{0,3}\(?\d{1,5}\)?){1,6}(?:\s?(?:ext|x)\.?\s?\d+)?$/i;
const vatId =
  /^(?:ATU\d{8}|BE[01]\d{9}|BG\d{9,10}|CHE\d{9}(?:MWST|TVA|IVA)?|CY\d{8}[A-Z]|CZ\d{8,10}|DE\d{9}|DK\d{8}|EE\d{9}|EL\d{9}|ES[A-Z\d]\d{7}[A-Z\d]|FI\d{8}|FR[A-Z\d]{2}\d{9}|GB(?:\d{9}|\d{12})|HR\d{11}|HU\d{8}|IE\d[A-Z\d]\d{5}[A-Z]{1,2}|IT\d{11}|LT(?:\d{9}|\d{12})|LU\d{8}|LV\d{11}|MT\d{8}|NL\d{9}B\d{2}|PL\d{10}|PT\d{9}|RO\d{2,10}|SE\d{12}|SI\d{8}|SK\d{10})$/;
const code = /^[#]?[\p{L}\d](?:[\p{L}\d._/#*-]*[\p{L}\d*])?$/u;
const afterAmount = /^(?:[A-Z*]{1,2}|SR|ZRL|[A-Z]\d)?$/;
const aroundDate =
  /^[\s,;|-]*(?:\d{1,2}\s?[:.h]\s?\d{2}(?:\s?:\s?\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?(?:\s?[A-Z]{2,4})?)?[\s,.;|-]*$/i;
const weekday =
  /^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|[\p{L}]{2,9}tag|mo|di|mi|do|fr|sa|so|le|am|den|the)?[,.]?\s*$/iu;

/** Longer values are text, whatever is in them. */
const longestValue = 200;

export function recogniseValue(raw: string, evidence: PageEvidence): RecognisedValue {
  const text = raw.trim();
  if (text.length > longestValue) return { shape: "text", kind: "text" };
  if (/^[xX✓✔☑☒]$/.test(text)) return { shape: "checkbox", kind: "checkbox", normalized: "true" };
  if (text.includes("@") && email.test(text)) return { shape: "email", kind: "text", normalized: text.toLowerCase() };
  if (url.test(text)) return { shape: "url", kind: "text" };
  if (!/\d/.test(text)) return { shape: "text", kind: "text" };
  return (
    readIban(text) ??
    readVatId(text) ??
    readDate(text, evidence) ??
    readPhone(text) ??
    readAmount(text, evidence) ??
    readRest(text)
  );
}

/** The IBAN the text is, without its spaces, when its check digits agree. */
function readIban(text: string): RecognisedValue | undefined {
  const compact = text.replace(/[\s.-]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(compact)) return undefined;
  const digits = `${compact.slice(4)}${compact.slice(0, 4)}`.replace(
    /[A-Z]/g,
    (letter) => `${letter.charCodeAt(0) - 55}`,
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1 ? { shape: "iban", kind: "text", normalized: compact } : undefined;
}

function readVatId(text: string): RecognisedValue | undefined {
  const compact = text.replace(/[\s.-]/g, "").toUpperCase();
  return vatId.test(compact) ? { shape: "vat_id", kind: "text", normalized: compact } : undefined;
}

function readDate(text: string, evidence: PageEvidence): RecognisedValue | undefined {
  const date = parseDate(text, evidence.dayMonthOrder);
  if (!date || !weekday.test(text.slice(0, date.start)) || !aroundDate.test(text.slice(date.end))) return undefined;
  return { shape: "date", kind: "date", ...(date.iso !== undefined && { normalized: date.iso }) };
}

function readPhone(text: string): RecognisedValue | undefined {
  const digits = text.replace(/\D/g, "").length;
  const punctuated = /^\(?\+/.test(text) || /\d[\s()/-]+\d/.test(text);
  if (digits < 7 || digits > 16 || !punctuated || /\d[.,]\d{2}$/.test(text)) return undefined;
  return phone.test(text) ? { shape: "phone", kind: "text" } : undefined;
}

function readAmount(text: string, evidence: PageEvidence): RecognisedValue | undefined {
  const amount = parseAmount(text, evidence.decimalMark);
  if (amount?.start !== 0 || !afterAmount.test(text.slice(amount.end).trim())) return undefined;
  const normalized = amount.decimal === undefined ? {} : { normalized: amount.decimal };
  if (amount.percent) return { shape: "percent", kind: "number", ...normalized };
  if (amount.currency !== undefined)
    return { shape: "amount", kind: "amount", currency: amount.currency, ...normalized };
  if (amount.fraction === 2) return { shape: "amount", kind: "amount", ...normalized };
  // Long digits and digits after a zero name something; they count nothing.
  if (amount.end < text.length || /^[-–(]?0\d/.test(text) || /\d{9}/.test(text)) return undefined;
  return { shape: "number", kind: "number", ...normalized };
}

function readRest(text: string): RecognisedValue {
  const words = text.split(/\s+/);
  // Of several words a code has no small letters: `H A 123`, `DE 80333`.
  const named = words.length === 1 || (words.length <= 4 && !/\p{Ll}/u.test(text) && /\d{2}/.test(text));
  return { shape: named && words.every((word) => code.test(word)) ? "code" : "text", kind: "text" };
}
