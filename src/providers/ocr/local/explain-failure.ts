/** Tells a crash of the engine from what has a code already: limits, damaged images, a caller who gave up. */
import { DocmillError, RetryableError, TerminalError } from "../../../errors.ts";

export function explainFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && error === signal.reason) return error;
  if (error instanceof Error && "syscall" in error) return ocrUnavailable(error);
  const known = error instanceof DocmillError && error.code !== "UNKNOWN" && error.code !== "PARSER_CRASHED";
  return known ? error : new TerminalError("OCR_FAILED", "The OCR engine failed on this page.", { cause: error });
}

/** Its program was there at the start: it is being replaced, or the machine has no room for another process. */
export function ocrUnavailable(cause: unknown): RetryableError {
  const message = "The OCR engine could not be started. If tesseract was removed, install it again or restart Docmill.";
  return new RetryableError("OCR_UNAVAILABLE", message, { cause });
}
