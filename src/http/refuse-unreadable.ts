/**
 * Answers what never gets as far as a route, because it is no HTTP, or not whole, or asks for what no server does: in the
 * words of the API, where Node and the framework would close the connection or answer without a body.
 */
import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Context, Next } from "hono";
import type { ErrorAnswer } from "../contract/errors.ts";
import { DocmillError } from "../errors.ts";
import { securityHeaders } from "./security-headers.ts";

interface Refusal {
  status: number;
  reason: string;
  body: ErrorAnswer;
}

const unreadable: Refusal = {
  status: 400,
  reason: "Bad Request",
  body: { error: "INVALID_HTTP", message: "This is not an HTTP request that can be read, or not all of it came." },
};

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: "Request Header Fields Too Large",
    body: {
      error: "HEADERS_TOO_LARGE",
      message: "The address and the headers are too long together. Send less of them.",
    },
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: "Payload Too Large",
    body: { error: "CHUNKS_TOO_LARGE", message: "The chunks of the body have extensions that are too long." },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: "Request Timeout",
    body: {
      error: "REQUEST_TIMEOUT",
      message: "The request did not come in time. Send it again over a faster connection.",
    },
  },
};

const expectationRefused: ErrorAnswer = {
  error: "EXPECTATION_FAILED",
  message: "Of what a request may expect, only 100-continue is known. Leave out the Expect header.",
};

/** What the parser refuses, and expectations nobody can meet. */
export function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, response) => answers.set(socket, response));
  server.on("checkExpectation", (_, response) => {
    response.writeHead(417, { ...securityHeaders, "content-type": "application/json" });
    response.end(JSON.stringify(expectationRefused));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    const isInTheMiddle = answer?.headersSent && !answer.writableFinished;
    // Within an answer that has begun a second one would be taken for part of the first.
    if (socket.writable && !isInTheMiddle) socket.write(toText(refusals[error.code ?? ""] ?? unreadable));
    socket.destroy(error);
  });
}

/** A Host that only looks like one, as a number too large for an address does: the framework would find out too late. */
export async function refuseBrokenAddresses({ req }: Context, next: Next): Promise<void> {
  if (!URL.canParse(req.url)) throw new DocmillError(unreadable.body.error, unreadable.body.message);
  await next();
}

/** What the framework refuses to make a request of: a Host that is none, a path that is no address. */
export function answerUnreadable(): Response {
  return Response.json(unreadable.body, { status: unreadable.status, headers: securityHeaders });
}

/** What a client that is too slow is told, as it goes over the wire. */
export const tooSlow = (): string => toText(refusals.ERR_HTTP_REQUEST_TIMEOUT ?? unreadable);

function toText({ status, reason, body }: Refusal): string {
  const text = JSON.stringify(body);
  const headers = { ...securityHeaders, "content-type": "application/json", connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, `content-length: ${Buffer.byteLength(text)}`, "", text].join(
    "\r\n",
  );
}
