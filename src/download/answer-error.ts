/** The typed error for an answer that is no file. */
import type { IncomingMessage } from "node:http";
import { type DocmillError, errorFromStatus } from "../errors.ts";

export function answerError({ statusCode: status = 0, headers }: IncomingMessage): DocmillError {
  const wait = headers["retry-after"];
  const message = `The server answered ${status} instead of the file.`;
  return errorFromStatus(status, message, wait === undefined ? undefined : new Headers({ "retry-after": wait }));
}
