/** How the command ends, as scripts see it: the same four codes for every command. */
import { DocmillError } from "../errors.ts";

export const exitCodes = {
  done: 0,
  /** The work failed or was cancelled, or the program could not do what was asked. */
  failed: 1,
  wrongUsage: 2,
  /** The server, or the database it would use, cannot be reached. */
  unreachable: 3,
} as const;

const wrongUsage = new Set([
  "WRONG_SETTINGS",
  "WRONG_INPUT",
  "CONFIG_FILE_MISSING",
  "CONFIG_FILE_BROKEN",
  "CONFIG_FILE_WRONG",
  "NO_STAGES",
  "DUPLICATE_KIND",
  "DATABASE_URL_NEEDED",
  "OPEN_BIND_REFUSED",
  // What the server says of a request that cannot be right.
  "INVALID_INPUT",
  "INVALID_REQUEST",
  "INVALID_PARAMETER",
  "NOT_STORABLE",
  "BODY_TOO_LARGE",
  "UNKNOWN_KIND",
  "NOT_FOUND",
  "INVALID_PRIORITY",
  "INVALID_IDEMPOTENCY_KEY",
  "IDEMPOTENCY_KEY_REUSED",
  "MISSING_SWIMMER",
  "NO_PDFS",
  "BATCH_TOO_LARGE",
  "INVALID_URLS",
  "INVALID_EMAIL",
  // A key that is missing, wrong or may too little: DOCMILL_API_KEY.
  "UNAUTHORIZED",
  "WRONG_KEY",
  "FORBIDDEN",
]);

const unreachable = new Set([
  "SERVER_UNREACHABLE",
  "DATABASE_UNAVAILABLE",
  "DATABASE_UNREACHABLE",
  "DATABASE_REFUSED",
  "DATABASE_UNTRUSTED",
  "DATABASE_TOO_OLD",
  "DATABASE_MISSING",
]);

export function exitCodeFor(error: unknown): number {
  const code = error instanceof DocmillError ? error.code : "";
  if (wrongUsage.has(code)) return exitCodes.wrongUsage;
  if (unreachable.has(code)) return exitCodes.unreachable;
  return exitCodes.failed;
}
