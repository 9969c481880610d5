/**
 * Where errors become answers. One table says which status a code has; an error that is not in it is internal, and all a
 * client learns of it is the id under which the log has the rest.
 */
import { randomUUID } from "node:crypto";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import type { ErrorAnswer } from "../contract/errors.ts";
import { isConnectionError, isDiskFull } from "../db/database.ts";
import { DocmillError } from "../errors.ts";
import type { Logger } from "../logger.ts";

/** 400: the request cannot be read. 422: it can, and what it asks for makes no sense. 409: not in this state. */
const statusOf: Readonly<Record<string, ContentfulStatusCode>> = {
  INVALID_HTTP: 400,
  INVALID_JSON: 400,
  INVALID_PARAMETER: 400,
  INVALID_CURSOR: 400,
  INVALID_IDEMPOTENCY_KEY: 400,
  INVALID_FORM: 400,
  NO_FILE: 400,
  EMPTY_FILE: 400,
  UPLOAD_BROKEN_OFF: 400,
  MISSING_SWIMMER: 400,
  NO_PDFS: 400,
  BATCH_TOO_LARGE: 400,
  INVALID_URLS: 400,
  INVALID_PDF: 400,
  INVALID_EMAIL: 400,
  NO_IMAGES: 400,
  TOO_MANY_IMAGES: 400,
  TOO_MANY_BOOK_PAGES: 400,
  UNSUPPORTED_IMAGE: 400,
  EMPTY_IMAGE: 400,
  EMPTY_PAGE_TEXT: 400,
  SEVERAL_PAGES: 400,
  NO_BOOK_PAGES: 400,
  INVALID_PAGE_RANGE: 400,
  NO_GUIDELINES: 400,
  INVALID_URL: 400,
  UNAUTHORIZED: 401,
  WRONG_KEY: 401,
  BLOCKED_URL: 403,
  FOREIGN_PAGE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NO_SUCH_PART: 404,
  BLOB_NOT_FOUND: 404,
  NO_PDFS_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_TRANSITION: 409,
  LOCK_HELD: 409,
  NOT_READY: 409,
  NOT_FAILED: 409,
  BOOK_BUSY: 409,
  LAST_ADMIN_KEY: 409,
  PAGE_NOT_READ: 409,
  DOCUMENT_DELETED: 410,
  BODY_TOO_LARGE: 413,
  FILE_TOO_LARGE: 413,
  TOO_MANY_FILES: 413,
  PDF_TOO_LARGE: 413,
  IMAGE_FILE_TOO_LARGE: 413,
  PAGE_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  WRONG_HOST: 421,
  INVALID_REQUEST: 422,
  INVALID_INPUT: 422,
  INVALID_PRIORITY: 422,
  UNKNOWN_KIND: 422,
  EMPTY_BATCH: 422,
  FETCH_FAILED: 422,
  NOT_STORABLE: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  ENCRYPTED_FILE: 422,
  ENCRYPTED_PDF: 422,
  CORRUPT_FILE: 422,
  CORRUPT_PDF: 422,
  CORRUPT_IMAGE: 422,
  // What drawing a page of such a file ends in.
  IMAGE_TOO_LARGE: 422,
  NO_PAGES: 422,
  TOO_MANY_PAGES: 422,
  TIME_LIMIT: 422,
  MEMORY_LIMIT: 422,
  PARSER_CRASHED: 422,
  SUSPICIOUS_ARCHIVE: 422,
  ARCHIVE_TOO_LARGE: 422,
  RATE_LIMITED: 429,
  DATABASE_UNAVAILABLE: 503,
  FILE_UNREADABLE: 503,
  THREAD_FAILED: 503,
  POOL_CLOSED: 503,
  STORAGE_UNAVAILABLE: 503,
  STORAGE_DENIED: 503,
  STORAGE_MISSING: 503,
  STORAGE_REFUSED: 503,
  EMBEDDINGS_UNAVAILABLE: 503,
  SAMPLES_MISSING: 503,
  STORAGE_FULL: 507,
};

/** What the framework itself refuses, by its status. */
const frameworkErrors: Readonly<Record<number, { code: string; message: string }>> = {
  400: { code: "INVALID_JSON", message: "The body is not JSON." },
  415: { code: "UNSUPPORTED_MEDIA_TYPE", message: "Send the body as JSON, with Content-Type: application/json." },
};

const retrySoonSeconds = 2;

export interface HttpError {
  status: ContentfulStatusCode;
  body: ErrorAnswer;
  headers: Record<string, string>;
}

/** `requestId`: what an answer to an error that nobody expected names, and its log line has. */
export function toHttpError(error: unknown, logger: Logger, requestId: string = randomUUID()): HttpError {
  const known = toKnownError(error);
  const status = known && Object.hasOwn(statusOf, known.code) ? statusOf[known.code] : undefined;
  if (!known || status === undefined) return internalError(error, logger, requestId);
  const headers: Record<string, string> = {};
  const { allow, retryAfterSeconds = retrySoonSeconds } = known.details ?? {};
  if (status === 503 || status === 429) headers["retry-after"] = String(retryAfterSeconds);
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (Array.isArray(allow)) headers.allow = allow.join(", ");
  if (status === 416) headers["content-range"] = `bytes */${known.details?.size}`;
  return { status, body: { error: known.code, message: known.message, details: known.details }, headers };
}

/** Every issue zod found, under the name of what it looked at. */
export function invalidRequest(target: string, error: z.core.$ZodError): DocmillError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const list = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  const [code, place] =
    target === "json" || target === "form"
      ? ["INVALID_REQUEST", "body"]
      : ["INVALID_PARAMETER", placeOf[target] ?? target];
  return new DocmillError(code, `The ${place} is invalid: ${list}`, { details: { issues } });
}

const placeOf: Readonly<Record<string, string>> = { param: "path", query: "query", header: "header" };

function toKnownError(error: unknown): DocmillError | undefined {
  if (error instanceof DocmillError) return error;
  if (error instanceof HTTPException) {
    const known = frameworkErrors[error.status];
    return known && new DocmillError(known.code, known.message);
  }
  if (isDiskFull(error)) {
    return new DocmillError("STORAGE_FULL", "The disk of the database is full: free some space, then try again.");
  }
  if (error instanceof Error && isConnectionError(error)) {
    return new DocmillError("DATABASE_UNAVAILABLE", "The database cannot be reached at the moment. Try again soon.");
  }
  return undefined;
}

function internalError(error: unknown, logger: Logger, requestId: string): HttpError {
  logger.error({ err: error, requestId }, "request failed");
  const message = `Something went wrong inside the server; its log has the reason under ${requestId}.`;
  return { status: 500, body: { error: "INTERNAL", message, requestId }, headers: {} };
}
