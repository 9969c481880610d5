/** Asks the server. Whatever goes wrong is an ApiError whose message people can read. */

export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0 where the server did not answer. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
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

/** Errors of batches and documents name a code; those of books are a sentence. */
function readError(status: number, text: string): ApiError {
  try {
    const { error, message, detail } = JSON.parse(text) as Record<string, unknown>;
    if (typeof message === "string") return new ApiError(status, String(error), message);
    if (typeof detail === "string") return new ApiError(status, `HTTP_${status}`, detail);
  } catch {
    // Not ours: a proxy's page, most likely.
  }
  return new ApiError(status, `HTTP_${status}`, `The server answered with ${status}. Try again in a moment.`);
}
