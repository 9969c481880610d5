/** Sends exactly these bytes and reads what comes back, until the answer is whole, the stream has begun or the connection is closed. */
import { connect } from "node:net";

export interface RawAnswer {
  /** Undefined where the connection was closed without an answer. */
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
}

export interface RawSending {
  bytes: Buffer;
  method: string;
  /** Nothing more is coming, although the request said so. */
  halfClose?: boolean;
}

/** Far beyond what any answer takes, also on a slow machine. */
const hangMs = 45_000;

export function sendRaw(port: number, { bytes, method, halfClose }: RawSending): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let received = Buffer.alloc(0);
    const hung = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no whole answer came; so far: ${received.toString("latin1").slice(0, 300)}`));
    }, hangMs);
    const settle = (answer: RawAnswer) => {
      clearTimeout(hung);
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (data) => {
      received = Buffer.concat([received, data]);
      const answer = parseAnswer(received, method);
      if (answer) settle(answer);
    });
    // A server that closes early may break the sending; what it said before that counts.
    socket.on("error", () => undefined);
    socket.on("close", () =>
      settle(parseAnswer(received, method, true) ?? { status: undefined, headers: {}, body: "" }),
    );
    if (halfClose) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** The answer, if all of it is there; what there is of it where no more will come. */
function parseAnswer(received: Buffer, method: string, closed = false): RawAnswer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [line = "", ...fields] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  const rest = received.subarray(end + 4);
  if (status >= 100 && status < 200) return parseAnswer(rest, method, closed);
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(":");
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
  }
  const body = readBody(rest, status, headers, method);
  if (body === undefined && !closed) return undefined;
  return { status, headers, body: body ?? rest.toString() };
}

function readBody(rest: Buffer, status: number, headers: Record<string, string>, method: string): string | undefined {
  if (method === "HEAD" || status === 204 || status === 304) return "";
  // A stream that was asked for in good order goes on for ever.
  if (headers["content-type"]?.startsWith("text/event-stream")) return rest.length > 0 ? rest.toString() : undefined;
  if (headers["transfer-encoding"] === "chunked") return readChunks(rest);
  const length = headers["content-length"];
  if (length === undefined) return undefined;
  return rest.length >= Number(length) ? rest.toString("utf8", 0, Number(length)) : undefined;
}

function readChunks(rest: Buffer): string | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
    if (size === 0) return Buffer.concat(parts).toString();
    if (rest.length < lineEnd + 2 + size + 2) return undefined;
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
