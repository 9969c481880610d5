/**
 * A real HTTP server on loopback that plays a paid service: it counts what it was paid for, by content, and misbehaves as
 * planned. Counts can be read over HTTP too (`GET /_calls`), and misbehaviour added (`POST /_plan`), by any process.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the next call meets. An answer is paid for also if it never arrives whole. */
export type Misbehaviour =
  /** An error, before any work is done. */
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Never an answer. */
  | "hang"
  | "cut-before-headers"
  | "cut-after-headers"
  | "cut-mid-body"
  /** The answer, a byte every now and then, without end in sight. */
  | "drip"
  /** Success, with this as its body. */
  | { raw: string }
  /** For the service itself to act on, for example `refusal`. */
  | { wrong: string };

/** `undefined` is good behaviour. Calls take from the front of a list; a function is asked for every call. */
export type Plan =
  | (Misbehaviour | undefined)[]
  | ((call: { path: string; number: number }) => Misbehaviour | undefined);

interface PaidContent {
  /** SHA-256 of the method, the path and the body. */
  content: string;
  path: string;
  /** How often it was asked for, and how often that was paid work. */
  requests: number;
  paid: number;
}

export interface ServiceRequestSeen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  status: number | undefined;
  misbehaviour: Misbehaviour | undefined;
}

export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** JSON, unless it is a string. */
  body: unknown;
}

export interface FakeService {
  url: string;
  /** Every request, in the order of their coming. */
  requests: ServiceRequestSeen[];
  /** By content, in the order of their first coming. */
  calls(): PaidContent[];
  /** Adds to the plan. */
  plan(...more: (Misbehaviour | undefined)[]): void;
  close(): Promise<void>;
}

export interface FakeServiceOptions {
  plan?: Plan;
  port?: number;
  /** The answer to a call. What `free` is true of costs nothing (a poll). */
  answer(request: ServiceRequestSeen, wrong: string | undefined): FakeAnswer & { free?: boolean };
  /** An error before all else: a wrong key, an unknown path. */
  refuse?(request: ServiceRequestSeen): FakeAnswer | undefined;
}

const dripEveryMs = 20;

export async function startFakeService({
  plan = [],
  port = 0,
  answer,
  refuse,
}: FakeServiceOptions): Promise<FakeService> {
  const requests: ServiceRequestSeen[] = [];
  const contents = new Map<string, PaidContent>();
  const planned = Array.isArray(plan) ? [...plan] : [];
  let number = 0;

  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    void serve(incoming, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  }).listen(port, "127.0.0.1");
  await once(server, "listening");

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", "http://fake");
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (url.pathname === "/_calls") return reply(response, { body: listCalls() });
    if (url.pathname === "/_plan") {
      planned.push(...(JSON.parse(body.toString()) as Misbehaviour[]));
      return reply(response, { body: {} });
    }
    const seen: ServiceRequestSeen = {
      method: incoming.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body,
      status: undefined,
      misbehaviour: undefined,
    };
    requests.push(seen);
    const refused = refuse?.(seen);
    if (refused) {
      seen.status = refused.status;
      return reply(response, refused);
    }
    seen.misbehaviour = typeof plan === "function" ? plan({ path: seen.path, number: ++number }) : planned.shift();
    await misbehave(seen, response);
  }

  async function misbehave(seen: ServiceRequestSeen, response: ServerResponse): Promise<void> {
    const { misbehaviour } = seen;
    const content = contentOf(seen);
    content.requests++;
    if (misbehaviour === "hang") return;
    if (misbehaviour === "cut-before-headers") return void response.destroy();
    if (typeof misbehaviour === "object" && "status" in misbehaviour) {
      seen.status = misbehaviour.status;
      return reply(response, { ...misbehaviour, body: misbehaviour.body ?? { error: { message: "planned" } } });
    }
    const wrong = typeof misbehaviour === "object" && "wrong" in misbehaviour ? misbehaviour.wrong : undefined;
    const good = answer(seen, wrong);
    seen.status = good.status ?? 200;
    if (!good.free && seen.status < 300) content.paid++;
    if (typeof misbehaviour === "object" && "raw" in misbehaviour) return reply(response, { body: misbehaviour.raw });
    if (misbehaviour === undefined || wrong !== undefined) return reply(response, good);
    const text = JSON.stringify(good.body);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...good.headers };
    response.writeHead(seen.status, headers);
    response.flushHeaders();
    if (misbehaviour === "cut-after-headers") return void response.destroy();
    if (misbehaviour === "cut-mid-body") {
      return void response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
    }
    drip(response, text);
  }

  function contentOf({ method, path, query, body }: ServiceRequestSeen): PaidContent {
    const hash = createHash("sha256").update(`${method} ${path}?${query} `).update(body).digest("hex");
    const known = contents.get(hash) ?? { content: hash, path, requests: 0, paid: 0 };
    contents.set(hash, known);
    return known;
  }

  function listCalls(): PaidContent[] {
    return [...contents.values()].map((content) => ({ ...content }));
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    calls: listCalls,
    plan: (...more) => void planned.push(...more),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function reply(response: ServerResponse, { status = 200, headers, body }: FakeAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function drip(response: ServerResponse, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length - 1) response.write(text.charAt(at++));
  }, dripEveryMs);
  response.on("close", () => clearInterval(timer));
}
