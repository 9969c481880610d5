/** When a failed attempt is tried again: a property of the pipeline, applied as the job's run_at. */
import type { DocmillError } from "../errors.ts";

export interface RetryPolicy {
  /** How often the work is tried in all, the first time included. */
  attempts: number;
  baseMs: number;
  factor: number;
  capMs: number;
}

export const defaultRetry: RetryPolicy = { attempts: 3, baseMs: 1_000, factor: 2, capMs: 300_000 };

/** How long to wait after the given failed attempt (1, 2, …), or undefined when there is no further one. */
export function nextDelayMs(policy: RetryPolicy, attempt: number, error: DocmillError): number | undefined {
  if (!error.retryable || attempt >= policy.attempts) return undefined;
  // Kept finite: a base of 0 times infinity is no number.
  const growth = Math.min(Number.MAX_VALUE, policy.factor ** (attempt - 1));
  const backoff = Math.min(policy.capMs, policy.baseMs * growth);
  // The other side knows best how long it needs, even beyond our own cap.
  return Math.max(backoff, error.retryAfterMs ?? 0);
}
