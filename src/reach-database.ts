/**
 * Waits until the database of DATABASE_URL answers, because servers that start together rarely start in order, and
 * refuses one that is too old. Never gives the password away.
 */
import { setTimeout as delay } from "node:timers/promises";
import { maskPassword } from "./config.ts";
import { isConnectionError } from "./db/database.ts";
import { withClient } from "./db/with-client.ts";
import { DocmillError } from "./errors.ts";
import type { Logger } from "./logger.ts";

export interface ReachOptions {
  url: string;
  waitMs: number;
  logger: Logger;
  signal?: AbortSignal;
}

const tryEveryMs = 500;

const oldestMajor = 15;

/** Answers the server's version, as in `15.13`. */
export async function reachDatabase({ url, waitMs, logger, signal }: ReachOptions): Promise<string> {
  const deadline = performance.now() + waitMs;
  for (let told = false; ; told = true) {
    try {
      return await readServerVersion(url);
    } catch (error) {
      if (error instanceof DocmillError) throw error;
      if (!isConnectionError(error)) throw refused(url, error);
      if (performance.now() + tryEveryMs > deadline) throw unreachable(url, waitMs, error);
      if (!told)
        logger.warn(
          { database: maskPassword(url), waitMs, reason: reasonOf(error) },
          "the database does not answer yet; waiting",
        );
      await delay(tryEveryMs, undefined, { signal });
    }
  }
}

export function readServerVersion(url: string): Promise<string> {
  return withClient(url, "docmill start", async (client) => {
    const { rows } = await client.query<{ number: number; name: string }>(
      "select current_setting('server_version_num')::integer as number, split_part(current_setting('server_version'), ' ', 1) as name",
    );
    const { number, name } = rows[0] as { number: number; name: string };
    if (number >= oldestMajor * 10_000) return name;
    throw new DocmillError(
      "DATABASE_TOO_OLD",
      `${maskPassword(url)} is PostgreSQL ${name}; Docmill needs ${oldestMajor} or newer. Upgrade it, or use another one.`,
    );
  });
}

function unreachable(url: string, waitMs: number, cause: unknown): DocmillError {
  return new DocmillError(
    "DATABASE_UNREACHABLE",
    `The database ${maskPassword(url)} did not answer within ${waitMs / 1000} s (${reasonOf(cause)}). Start it or correct DATABASE_URL; DOCMILL_DB_WAIT_MS is how long Docmill waits.`,
    { cause },
  );
}

/** What the driver says of a certificate that it does not believe. */
const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

function refused(url: string, cause: unknown): DocmillError {
  const { code } = cause as { code?: unknown };
  if (typeof code === "string" && untrusted.test(code)) {
    return new DocmillError(
      "DATABASE_UNTRUSTED",
      `The certificate of the database ${maskPassword(url)} is not trusted (${reasonOf(cause)}). Name its authority in DATABASE_URL with sslmode=verify-full&sslrootcert=/path/to/ca.pem, or encrypt without checking it with sslmode=no-verify.`,
      { cause },
    );
  }
  return new DocmillError(
    "DATABASE_REFUSED",
    `The database ${maskPassword(url)} refused the connection (${reasonOf(cause)}). Correct user, password or database in DATABASE_URL.`,
    { cause },
  );
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || "no reason given";
}
