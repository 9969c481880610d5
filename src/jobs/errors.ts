/** Errors the engine itself raises, and the one place where foreign errors become typed ones. */
import { inspect } from "node:util";
import { isConnectionError, isDiskFull } from "../db/database.ts";
import { DocmillError, RetryableError, TerminalError } from "../errors.ts";

/** The job belongs to someone else by now: nothing this worker writes for it is kept. */
export class LeaseLost extends DocmillError {
  override readonly name = "LeaseLost";
  constructor(jobId: string) {
    super("LEASE_LOST", `The lease on job ${jobId} was lost; another worker has it, or it was ended.`);
  }
}

/** A person cancelled the job while it ran. */
export class JobCancelled extends DocmillError {
  override readonly name = "JobCancelled";
  constructor(jobId: string) {
    super("CANCELLED", `Job ${jobId} was cancelled.`);
  }
}

/** The worker is shutting down: the job is handed back and goes on elsewhere from its last checkpoint. */
export class ShuttingDown extends DocmillError {
  override readonly name = "ShuttingDown";
  constructor() {
    super("SHUTTING_DOWN", "The worker is shutting down.");
  }
}

const networkCodes = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ENETDOWN",
  "ENETUNREACH",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
]);
const timeoutCodes = new Set([
  "ETIMEDOUT",
  "ESOCKETTIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/**
 * The typed form of whatever a stage threw. Time-outs and network errors are retryable; what nobody has classified is
 * terminal, because repeating an unknown failure mostly repeats its cost.
 */
export function toDocmillError(error: unknown): DocmillError {
  if (error instanceof DocmillError) return error;
  if (!(error instanceof Error))
    return new TerminalError("UNKNOWN", `A stage threw ${inspect(error).slice(0, 200)}, which is not an error.`);
  const known = findKnownCause(error);
  if (known) return known;
  return new TerminalError("UNKNOWN", error.message || `${error.name} without a message`, { cause: error });
}

function findKnownCause(error: Error): DocmillError | undefined {
  // fetch wraps what really happened: "fetch failed" with the socket's error as its cause.
  for (
    let current: unknown = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth++
  ) {
    const code = (current as { code?: unknown }).code;
    if (current.name === "TimeoutError" || (typeof code === "string" && timeoutCodes.has(code))) {
      return new RetryableError("TIMEOUT", error.message || "The operation timed out.", { cause: error });
    }
    if (typeof code === "string" && networkCodes.has(code)) {
      return new RetryableError("NETWORK_ERROR", `${error.message} (${code})`, { cause: error });
    }
    if (isDiskFull(current)) {
      const message = "The disk of the database is full: free some space.";
      return new RetryableError("STORAGE_FULL", message, { cause: error });
    }
    if (isConnectionError(current)) {
      return new RetryableError("DATABASE_UNAVAILABLE", "The database could not be reached.", { cause: error });
    }
  }
  return undefined;
}
