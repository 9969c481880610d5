/**
 * One error type with a code a program can branch on. `retryable` says whether the same work may succeed later;
 * the engine decides by it, never by the text of a message.
 */
export interface DocmillErrorOptions {
  cause?: unknown;
  /** How long the other side asked us to wait (its Retry-After). */
  retryAfterMs?: number;
  /** Facts for the client, safe to show. */
  details?: Record<string, unknown>;
}

export class DocmillError extends Error {
  override readonly name: string = "DocmillError";
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: string, message: string, options: DocmillErrorOptions & { retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details;
  }
}

/** Trying again cannot help: the input is wrong, the file is encrypted, the answer is no. */
export class TerminalError extends DocmillError {
  override readonly name = "TerminalError";
  constructor(code: string, message: string, options: DocmillErrorOptions = {}) {
    super(code, message, { ...options, retryable: false });
  }
}

/** The same work may succeed later: a rate limit, a time-out, a network that was down. */
export class RetryableError extends DocmillError {
  override readonly name = "RetryableError";
  constructor(code: string, message: string, options: DocmillErrorOptions = {}) {
    super(code, message, { ...options, retryable: true });
  }
}

/** The typed error for an HTTP answer that is not a success, with the wait it asks for. */
export function errorFromStatus(status: number, message: string, headers?: Headers): DocmillError {
  const options = { retryAfterMs: askedWaitMs(headers), details: { status } };
  if (status === 429) return new RetryableError("RATE_LIMIT", message, options);
  if (status === 408 || status === 504) return new RetryableError("TIMEOUT", message, options);
  // Another request was in the way, or this one came too early.
  if (status === 409 || status === 425) return new RetryableError("SERVICE_UNAVAILABLE", message, options);
  if (status === 529) return new RetryableError("AI_OVERLOADED", message, options);
  if (status >= 500) return new RetryableError("SERVICE_UNAVAILABLE", message, options);
  return new TerminalError(`HTTP_${status}`, message, options);
}

/** Model services say the wait in milliseconds too, in headers of their own; that is the exacter word. */
function askedWaitMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get("retry-after-ms") ?? headers?.get("x-ms-retry-after-ms");
  if (milliseconds && Number.isFinite(Number(milliseconds))) return Math.max(0, Number(milliseconds));
  return retryAfterMs(headers?.get("retry-after"));
}

/** Retry-After is a number of seconds or a date. */
export function retryAfterMs(header: string | null | undefined, nowMs = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
