/** Which part of the form an answer of the server is about. */
import type { ApiError } from "../../../api/request.ts";

export type FormPart = "swimmer" | "sheets" | "addresses" | "email" | "form";

export type FormErrors = Partial<Record<FormPart, string>>;

const partOf: Readonly<Record<string, FormPart>> = {
  MISSING_SWIMMER: "swimmer",
  // Of a form that this page has filled in, only the name can be too long or have letters that cannot be kept.
  INVALID_REQUEST: "swimmer",
  NOT_STORABLE: "swimmer",
  NO_PDFS: "sheets",
  BATCH_TOO_LARGE: "sheets",
  INVALID_PDF: "sheets",
  PDF_TOO_LARGE: "sheets",
  INVALID_URLS: "addresses",
  INVALID_EMAIL: "email",
};

/** What the server says is shown as it is, except where it speaks of the form's inner parts. */
const ownWords: Readonly<Record<string, string>> = {
  INVALID_URLS: "One of the addresses is none: they begin with http:// or https:// and have no password in them.",
};

export function placeError({ code, message }: ApiError): FormErrors {
  return { [partOf[code] ?? "form"]: ownWords[code] ?? message };
}

export function sayNoAddress(lines: readonly string[]): string {
  const [first = ""] = lines;
  return lines.length === 1
    ? `"${first}" is no address: it has to begin with http:// or https://.`
    : `${lines.length} lines are no addresses: they have to begin with http:// or https://.`;
}
