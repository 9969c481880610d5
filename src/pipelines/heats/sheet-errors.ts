/** The codes by which people know what can go wrong with a heat sheet, for whatever the parts below call it. */
import { DocmillError, RetryableError, TerminalError } from "../../errors.ts";

const names: Readonly<Record<string, string>> = {
  FILE_TOO_LARGE: "PDF_TOO_LARGE",
  CORRUPT_PDF: "INVALID_PDF",
  NO_PAGES: "INVALID_PDF",
  UNSUPPORTED_TYPE: "INVALID_PDF",
  EMPTY_FILE: "INVALID_PDF",
  ENCRYPTED_FILE: "ENCRYPTED_PDF",
  URL_FORBIDDEN: "BLOCKED_URL",
  TOO_MANY_PAGES: "EXTRACTION_FAILED",
  TIME_LIMIT: "EXTRACTION_FAILED",
  MEMORY_LIMIT: "EXTRACTION_FAILED",
  PARSER_CRASHED: "EXTRACTION_FAILED",
  BAD_ANSWER: "EXTRACTION_FAILED",
  ANSWER_CUT: "EXTRACTION_FAILED",
  ANSWER_TOO_LARGE: "EXTRACTION_FAILED",
  MODEL_REFUSED: "EXTRACTION_FAILED",
};

/** What passes is known by one of these; whatever else may pass, storage or a model that says nothing, is the last. */
const passing = new Set(["RATE_LIMIT", "TIMEOUT", "NETWORK_ERROR", "AI_OVERLOADED", "SERVICE_UNAVAILABLE"]);

/** Undefined for what is called by its own name already, and for what is no error of Docmill's. */
export function toSheetError(error: unknown): DocmillError | undefined {
  if (!(error instanceof DocmillError)) return undefined;
  if (error.retryable) {
    if (passing.has(error.code)) return undefined;
    const { message, retryAfterMs, details } = error;
    return new RetryableError("SERVICE_UNAVAILABLE", message, { cause: error, retryAfterMs, details });
  }
  const code = Object.hasOwn(names, error.code) ? names[error.code] : undefined;
  const { maxBytes } = error.details ?? {};
  if (code === "PDF_TOO_LARGE" && typeof maxBytes === "number") return pdfTooLarge("The file", maxBytes);
  return code === undefined ? undefined : new TerminalError(code, error.message, { cause: error });
}

export function pdfTooLarge(filename: string, maxBytes: number): TerminalError {
  const mb = Math.round(maxBytes / 2 ** 20);
  const message = `${filename} is larger than ${mb} MB, which is the most a PDF may have (DOCMILL_MAX_PDF_MB).`;
  return new TerminalError("PDF_TOO_LARGE", message, { details: { filename, maxBytes } });
}

export function swimmerNotFound(swimmerName: string, nearMisses: readonly string[]): TerminalError {
  const offer = nearMisses.length > 0 ? ` ${didYouMean(nearMisses)}` : "";
  return new TerminalError("SWIMMER_NOT_FOUND", `${swimmerName} does not occur in this sheet.${offer}`);
}

export function didYouMean(names: readonly string[]): string {
  return `Did you mean ${names.map((name) => `"${name}"`).join(" or ")}?`;
}
