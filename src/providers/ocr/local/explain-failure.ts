/** Tells a crash of the engine from what has a code already: limits, damaged images, a caller who gave up. */
import { DocmillError, TerminalError } from "../../../errors.ts";

export function explainFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && error === signal.reason) return error;
  const known = error instanceof DocmillError && error.code !== "UNKNOWN" && error.code !== "PARSER_CRASHED";
  return known ? error : new TerminalError("OCR_FAILED", "The OCR engine failed on this page.", { cause: error });
}
