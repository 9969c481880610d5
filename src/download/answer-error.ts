/** The typed error for an answer that is no file. */
import type { IncomingMessage } from "node:http";
import { type DocmillError, RetryableError, TerminalError } from "../errors.ts";

export function answerError(response: IncomingMessage): DocmillError {
  const status = response.statusCode ?? 0;
  const message = `The server answered ${status} instead of the file.`;
  const options = { details: { status }, retryAfterMs: toRetryAfterMs(response.headers["retry-after"]) };
  if (status === 429) return new RetryableError("RATE_LIMIT", message, options);
  if (status === 408 || status === 425 || status === 504) return new RetryableError("TIMEOUT", message, options);
  if (status >= 500) return new RetryableError("SERVICE_UNAVAILABLE", message, options);
  return new TerminalError(`HTTP_${status}`, message, options);
}

/** Retry-After is a number of seconds or a date. */
function toRetryAfterMs(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
