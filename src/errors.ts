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
