/** The one error of the client: what the server refused, or that it could not be reached or understood. */
import { BookError } from "../contract/books.ts";
import { ErrorAnswer } from "../contract/errors.ts";

export interface ApiErrorFacts {
  /** 0 where there was no answer. */
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
  requestId?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

export class DocmillApiError extends Error {
  override readonly name = "DocmillApiError";
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  /** What a program can branch on. SERVER_UNREACHABLE, SERVER_NOT_UNDERSTOOD and SERVER_ERROR are the client's own. */
  readonly code: string;
  readonly details?: Record<string, unknown>;
  /** Under which the server's log has more of an internal error. */
  readonly requestId?: string;
  /** When the server wants to be asked again. */
  readonly retryAfterSeconds?: number;

  constructor({ status, code, message, details, requestId, retryAfterSeconds, cause }: ApiErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Undefined where the body is no JSON; throws where it did not come whole. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an answer that is no success says. */
export async function toApiError(response: Response, server: string): Promise<DocmillApiError> {
  const { status } = response;
  const retryAfterSeconds = readRetryAfter(response.headers.get("retry-after"));
  const body = await readJson(response);
  const parsed = ErrorAnswer.safeParse(body);
  if (parsed.success) {
    const { error: code, message, details, requestId } = parsed.data;
    return new DocmillApiError({ status, code, message, details, requestId, retryAfterSeconds });
  }
  const ofBook = BookError.safeParse(body);
  if (ofBook.success) {
    const code = codeOfStatus[status] ?? "SERVER_REFUSED";
    return new DocmillApiError({ status, code, message: ofBook.data.detail, retryAfterSeconds });
  }
  const message = `${server} answered ${status}. Is it a Docmill server?`;
  return new DocmillApiError({ status, code: "SERVER_ERROR", message, retryAfterSeconds });
}

/** Errors about books are a sentence without a code. */
const codeOfStatus: Readonly<Record<number, string>> = { 401: "UNAUTHORIZED", 403: "FORBIDDEN", 429: "RATE_LIMITED" };

export function unreachable(server: string, cause: unknown): DocmillApiError {
  const message = `There is no Docmill server at ${server} (${reasonOf(cause)}).`;
  return new DocmillApiError({ status: 0, code: "SERVER_UNREACHABLE", message, cause });
}

export function notUnderstood(server: string, status: number, cause: unknown): DocmillApiError {
  const message = `${server} answered something that this version of Docmill does not understand. Is it a Docmill server of the same version?`;
  return new DocmillApiError({ status, code: "SERVER_NOT_UNDERSTOOD", message, cause });
}

/** fetch hides what happened in the cause of its error. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message?: string };
  return code ?? message ?? "no answer";
}

/** In seconds, or as a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
