/** What helps a document that failed. */

/** `retry`: what failed may pass. `replace`: it lies in the file or its address, and every try would end alike. */
export type FailureFix = "retry" | "replace";

const families = /^(ENCRYPTED|CORRUPT|INVALID|EMPTY|UNSUPPORTED|SUSPICIOUS)_|_TOO_LARGE$/;
const codes = new Set(["NO_PAGES", "TOO_MANY_PAGES", "PARSER_CRASHED", "URL_FORBIDDEN", "BLOCKED_URL"]);
/** Of these families, but set right by whoever runs the server. */
const passing = new Set(["INVALID_CREDENTIALS"]);

export function fixOf(errorCode: string | null): FailureFix {
  if (errorCode === null || passing.has(errorCode)) return "retry";
  return families.test(errorCode) || codes.has(errorCode) ? "replace" : "retry";
}
