/**
 * Sends one request to a paid service and reads its whole answer within a time and a size limit. Whatever goes wrong on
 * the way is a RetryableError; nothing is tried again here, because the engine does that, and knows the wait asked for.
 */
import { Readable } from "node:stream";
import { DocmillError, RetryableError, TerminalError } from "../../errors.ts";

interface FileBody {
  open(): Promise<Readable>;
  size: number;
  contentType: string;
}

export interface ServiceRequest {
  /** As people know the service, for messages. */
  service: string;
  url: URL;
  headers: Record<string, string>;
  /** What must never appear in a message or a log. */
  secrets: readonly string[];
  /** Of a POST; without one it is a GET. */
  body?: { json: unknown } | { file: FileBody };
  /** A service that knows the header does not charge twice for a request it gets twice. */
  idempotencyKey?: string;
  /** For the whole exchange, to the last byte of the answer. */
  timeoutMs: number;
  maxAnswerBytes: number;
  signal: AbortSignal;
}

export interface ServiceAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export async function sendRequest(request: ServiceRequest): Promise<ServiceAnswer> {
  request.signal.throwIfAborted();
  const headers = headersOf(request);
  const limit = AbortSignal.timeout(request.timeoutMs);
  const upload = request.body && "file" in request.body ? await openUpload(request.body.file) : undefined;
  try {
    const response = await fetch(request.url, {
      method: request.body ? "POST" : "GET",
      headers,
      body: upload?.body ?? (request.body && "json" in request.body ? JSON.stringify(request.body.json) : undefined),
      ...(upload && { duplex: "half" }),
      // A redirect would carry the key to whoever it names.
      redirect: "manual",
      signal: AbortSignal.any([request.signal, limit]),
    });
    return { status: response.status, headers: response.headers, text: await readText(response, request) };
  } catch (error) {
    request.signal.throwIfAborted();
    if (limit.aborted) {
      const message = `${request.service} did not answer within ${request.timeoutMs / 1000} s.`;
      throw new RetryableError("TIMEOUT", message, { cause: error });
    }
    if (upload?.failure) throw upload.failure;
    if (error instanceof DocmillError) throw error;
    throw networkError(request.service, error);
  } finally {
    upload?.stream.destroy();
  }
}

function headersOf({ service, url, headers, body, idempotencyKey }: ServiceRequest): Headers {
  const all: Record<string, string> = { accept: "application/json", ...headers };
  if (idempotencyKey) all["idempotency-key"] = idempotencyKey;
  if (body && "json" in body) all["content-type"] = "application/json";
  if (body && "file" in body) {
    all["content-type"] = body.file.contentType;
    // Not every gateway takes a body of unknown length.
    all["content-length"] = String(body.file.size);
  }
  // What fetch says about either quotes it: without a cause, so that no secret reaches a log.
  if (url.username || url.password) {
    throw new TerminalError("INVALID_CREDENTIALS", `The address of ${service} must not carry a name or a password.`);
  }
  try {
    return new Headers(all);
  } catch {
    throw new TerminalError("INVALID_CREDENTIALS", `The key for ${service} has characters that no key has.`);
  }
}

/** A file that cannot be read is no fault of the service: its own error is kept apart from the connection's. */
async function openUpload(file: FileBody) {
  const stream = await file.open();
  const upload: { stream: Readable; body: ReadableStream; failure?: unknown } = {
    stream,
    body: Readable.toWeb(stream) as ReadableStream,
  };
  stream.once("error", (error) => {
    if (error.name !== "AbortError") upload.failure = error;
  });
  return upload;
}

async function readText(response: Response, { service, maxAnswerBytes }: ServiceRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) {
      const megabytes = Math.round(maxAnswerBytes / 2 ** 20);
      throw new TerminalError("ANSWER_TOO_LARGE", `${service} answered with more than ${megabytes} MB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** fetch says "fetch failed" or "terminated"; what happened is in the causes. */
function networkError(service: string, error: unknown): RetryableError {
  const codes: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") codes.push(code);
  }
  const code = codes.at(-1);
  if (code?.includes("TIMEOUT") || code === "ETIMEDOUT") {
    return new RetryableError("TIMEOUT", `${service} did not answer in time (${code}).`, { cause: error });
  }
  const message = `The connection to ${service} failed${code ? ` (${code})` : ""}.`;
  return new RetryableError("NETWORK_ERROR", message, { cause: error });
}
