/**
 * Delivers one event to the operator's webhook, signed as Standard Webhooks (standardwebhooks.com) has it. The receiver
 * tells a repeated delivery by its id. Messages name the receiver's host only: the rest of the address may be a secret.
 */
import { createHmac } from "node:crypto";
import { DocmillError, errorFromStatus, RetryableError, TerminalError } from "../errors.ts";
import { version } from "../version.ts";

export interface Webhook {
  url: string;
  /** `whsec_` and the key in base64; anything else is the key itself. */
  secret: string;
  /** The same for every attempt to deliver the same event. */
  id: string;
  /** Of this attempt: receivers refuse what is more than some minutes old. */
  timestamp: Date;
  /** JSON, as it is signed and sent. */
  body: string;
  timeoutMs?: number;
}

const defaultTimeoutMs = 15_000;

export async function sendWebhook(webhook: Webhook, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { timeoutMs = defaultTimeoutMs, body } = webhook;
  const { url, authorization } = parseReceiver(webhook.url);
  const headers = new Headers({
    "content-type": "application/json",
    "user-agent": `docmill/${version}`,
    ...signatureHeaders(webhook),
    ...(authorization ? { authorization } : {}),
  });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      // What is signed for one receiver is not for whomever it names.
      redirect: "manual",
      signal: AbortSignal.any([signal, limit]),
    });
    // Nothing in it matters, and it may be endless; that it cannot be closed properly matters no more.
    await response.body?.cancel().catch(() => undefined);
    requireSuccess(response, url.host);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DocmillError) throw error;
    if (limit.aborted) {
      throw new RetryableError("TIMEOUT", `The webhook at ${url.host} did not answer within ${timeoutMs / 1000} s.`);
    }
    throw networkError(url.host, error);
  }
}

/** Credentials in the address become a header, since fetch refuses them (and quotes them as it does). */
function parseReceiver(text: string): { url: URL; authorization: string | undefined } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TerminalError("INVALID_URL", "The address of the webhook is not an http or https URL.");
  }
  const credentials = `${decode(url.username)}:${decode(url.password)}`;
  url.username = "";
  url.password = "";
  return {
    url,
    authorization: credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function signatureHeaders({ secret, id, timestamp, body }: Webhook): Record<string, string> {
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]*={0,2})$/.exec(secret)?.[1];
  const key = encoded !== undefined ? Buffer.from(encoded, "base64") : Buffer.from(secret);
  // Anyone can make the signatures of an empty key.
  if (key.length === 0) throw new TerminalError("INVALID_SECRET", "The webhook's secret is empty.");
  return key;
}

function requireSuccess({ ok, status, headers }: Response, host: string): void {
  if (ok) return;
  const message = `The webhook at ${host} answered ${status}.`;
  const details = { status };
  if (status === 410) throw new TerminalError("WEBHOOK_GONE", message, { details });
  if (status >= 500 || [408, 425, 429].includes(status)) throw errorFromStatus(status, message, headers);
  throw new TerminalError("WEBHOOK_REFUSED", message, { details });
}

/** fetch says "fetch failed"; what happened is in its causes. */
function networkError(host: string, error: unknown): RetryableError {
  let code: string | undefined;
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") code = at.code;
  }
  const message = `The connection to the webhook at ${host} failed${code ? ` (${code})` : ""}.`;
  return new RetryableError("NETWORK_ERROR", message, { cause: error });
}
