/** What is wrong with an answer, whatever the request was: an error of the server, a body outside the contract, something from inside. */
import { fileURLToPath } from "node:url";
import { BatchError } from "../../../src/contract/batches.ts";
import { BookError } from "../../../src/contract/books.ts";
import { ErrorAnswer } from "../../../src/contract/errors.ts";
import type { HostileRequest } from "./hostile-requests.ts";
import type { RawAnswer } from "./send-raw.ts";

const projectFolder = fileURLToPath(new URL("../../..", import.meta.url));

/** What any operation may be answered with, besides what its description has: a part, nothing new, or it was not asked at all. */
const general = new Set([206, 304, 416, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 421, 429, 431]);

export function judgeAnswer(request: HostileRequest, { status, headers, body }: RawAnswer, secrets: readonly string[]) {
  const complaints: string[] = [];
  if (status === undefined) {
    if (request.mustBeAnswered) complaints.push("the connection was closed without an answer");
    return complaints;
  }
  if (!(status >= 200 && status < 500)) complaints.push(`the status is ${status}: ${body.slice(0, 300)}`);
  if (request.operation && !request.operation.statuses.has(status) && !general.has(status)) {
    complaints.push(`the status ${status} is not described`);
  }
  if (status >= 400 && request.method !== "HEAD") {
    if (!isContractual(request, body))
      complaints.push(`${status} with a body outside the contract: ${body.slice(0, 300)}`);
    if (/\n\s+at |node_modules|\.ts:\d|node:internal/.test(body))
      complaints.push(`a stack trace: ${body.slice(0, 300)}`);
    for (const secret of [projectFolder, ...secrets]) {
      if (body.includes(secret)) complaints.push(`something from inside: ${body.slice(0, 300)}`);
    }
  }
  if (headers["x-injected"] !== undefined) complaints.push("a header that the request made up");
  if (headers["x-content-type-options"] !== "nosniff" && status < 400)
    complaints.push("an answer without security headers");
  return complaints;
}

/** What is refused before it reaches an operation is refused in no operation's words. */
const beforeOperations = /^(INVALID_HTTP|HEADERS_TOO_LARGE|CHUNKS_TOO_LARGE|EXPECTATION_FAILED|REQUEST_TIMEOUT)$/;

function isContractual({ operation }: HostileRequest, body: string): boolean {
  const answer = parse(body);
  const early = ErrorAnswer.safeParse(answer);
  if (early.success && beforeOperations.test(early.data.error)) return true;
  const schemas = operation ? [schemaOf(operation.path)] : [ErrorAnswer, BatchError, BookError];
  return schemas.some((schema) => schema.safeParse(answer).success);
}

function schemaOf(path: string) {
  if (path.startsWith("/admin/")) return BookError;
  return /^\/api\/(batch|results|discover-heatsheets)/.test(path) ? BatchError : ErrorAnswer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
