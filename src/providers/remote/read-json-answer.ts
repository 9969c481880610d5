/**
 * Makes of a service's answer the JSON in it, or the typed error it stands for. Messages quote the service, never a
 * key: what looks like one is hidden, also where the service itself repeats it.
 */
import { type DocmillError, errorFromStatus, RetryableError, TerminalError } from "../../errors.ts";
import type { ServiceAnswer, ServiceRequest } from "./send-request.ts";

const longestExcerpt = 200;

type Named = Pick<ServiceRequest, "service" | "secrets">;

/** Escapes of NUL and of halves of characters, which may or may not be pairs. */
const mayNotBeStorable = /\\u(?:0000|d[89a-f])/i;

export function readJsonAnswer(request: Named, answer: ServiceAnswer): unknown {
  requireSuccess(request, answer);
  try {
    return JSON.parse(answer.text, mayNotBeStorable.test(answer.text) ? toStorable : undefined);
  } catch {
    const said = excerptOf(answer.text, request.secrets);
    throw new RetryableError("BAD_ANSWER", `${request.service} answered with something that is not JSON: ${said}`);
  }
}

export function requireSuccess(request: Named, answer: ServiceAnswer): void {
  if (answer.status < 200 || answer.status > 299) throw errorOf(request, answer);
}

/** For JSON.parse: PostgreSQL keeps neither NUL nor half a character, and neither means anything. */
export function toStorable(_: string, value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value;
}

function errorOf(request: Named, answer: ServiceAnswer): DocmillError {
  const { code, message } = readServiceError(answer.text);
  const said = excerptOf(message ?? answer.text, request.secrets);
  const text = `${request.service} answered ${answer.status}${said && `: ${said}`}`;
  // OpenAI says this with 429, but no wait helps: someone has to pay a bill first.
  if (code === "insufficient_quota") return new TerminalError("QUOTA_EXCEEDED", text, { details: { status: 429 } });
  if (code === "content_filter")
    return new TerminalError("MODEL_REFUSED", text, { details: { status: answer.status } });
  return errorFromStatus(answer.status, text, answer.headers);
}

/** OpenAI and Azure wrap it the same way: `{ "error": { "code", "message" } }`. */
export function readServiceError(text: string): { code?: string; message?: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {};
  }
  const { error } = (body ?? {}) as { error?: unknown };
  if (typeof error === "string") return { message: error };
  if (typeof error !== "object" || error === null) return {};
  const { code, type, message } = error as Record<string, unknown>;
  return { code: stringOf(code) ?? stringOf(type), message: stringOf(message) };
}

function excerptOf(text: string, secrets: readonly string[]): string {
  let shown = text.slice(0, 4 * longestExcerpt + 1_000);
  for (const secret of secrets) if (secret) shown = shown.replaceAll(secret, "[hidden]");
  shown = shown
    .replace(/\b(?:sk|pk|key)-[\w*.-]{4,}/gi, "[hidden]")
    .replace(/\bBearer\s+\S+/gi, "[hidden]")
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
  return shown.length > longestExcerpt ? `${shown.slice(0, longestExcerpt).toWellFormed()}…` : shown;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
