/** Asks the server. Whatever goes wrong is an ApiError whose message people can read. */
import { tellSignedOut } from "./signed-out.ts";

export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0 where the server did not answer. */
  readonly status: number;
  readonly code: string;
  /** What the server says beside the message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, options: ApiErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = options.details ?? {};
  }
}

interface ApiErrorOptions extends ErrorOptions {
  details?: Record<string, unknown>;
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The answer as JSON, or undefined where there is none. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = "GET", body, query, headers = {}, signal } = options;
  const response = await fetch(withQuery(path, query), {
    method,
    signal,
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable(error);
  });
  const text = await response.text().catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable(error);
  });
  return readAnswer<Answer>(response.status, text);
}

/** What the server answered; throws an ApiError for everything that is no success of ours. */
export function readAnswer<Answer>(status: number, text: string): Answer {
  if (status < 200 || status >= 300) throw readError(status, text);
  if (text === "") return undefined as Answer;
  try {
    return JSON.parse(text) as Answer;
  } catch (error) {
    const message = "Something between here and the server answered in its place. Load the page again.";
    throw new ApiError(0, "NOT_OURS", message, { cause: error });
  }
}

export function withQuery(path: string, query: RequestOptions["query"] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

export function unreachable(cause?: unknown): ApiError {
  return new ApiError(0, "UNREACHABLE", "The server does not answer. Check that it is running, then try again.", {
    cause,
  });
}

/** For whoever has to sign in before anything else. */
export function signedOut(): ApiError {
  return new ApiError(401, "UNAUTHORIZED", "You are signed out. Sign in, then try again.");
}

function readError(status: number, text: string): ApiError {
  const error = readRefusal(status, text);
  if (error.code === "UNAUTHORIZED") {
    tellSignedOut();
    return signedOut();
  }
  return error.code === "FORBIDDEN" ? sayForbidden(error) : error;
}

/** Errors of batches and documents name a code; those of books are a sentence. */
function readRefusal(status: number, text: string): ApiError {
  try {
    const { error, message, detail, details } = JSON.parse(text) as Record<string, unknown>;
    if (typeof message === "string") {
      return new ApiError(status, String(error), message, { details: (details ?? {}) as Record<string, unknown> });
    }
    if (typeof detail === "string") {
      return new ApiError(status, status === 401 ? "UNAUTHORIZED" : `HTTP_${status}`, detail);
    }
  } catch {
    // Not ours: a proxy's page, most likely.
  }
  return new ApiError(status, `HTTP_${status}`, `The server answered with ${status}. Try again in a moment.`);
}

/** The server tells it to programs; people want to know whom to ask for what. */
function sayForbidden({ status, code, message, details }: ApiError): ApiError {
  if (typeof details.needs !== "string") return new ApiError(status, code, message, { details });
  const words = `Your key does not allow this: it takes one of scope ${details.needs}. Ask whoever runs this server for such a key.`;
  return new ApiError(status, code, words, { details });
}
