/** A stream is followed over a real connection to a server that breaks off, fails, ends and vanishes. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onSignedOut } from "../api/signed-out.ts";
import { type EventStream, openEventStream, type StreamMessage, type StreamState } from "./open-event-stream.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What the server does with one connection after the other; the last goes for all that follow. */
let answers: Answer[] = [];
let asked: (string | undefined)[] = [];
let stream: EventStream | undefined;
const server = createServer((request, response) => {
  asked.push(request.headers["last-event-id"] as string | undefined);
  (answers.length > 1 ? answers.shift() : answers[0])?.(request, response);
});

beforeEach(async () => {
  // Browsers tell when they are online again; Node.js has nobody to tell it.
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  asked = [];
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  stream?.close();
  vi.unstubAllGlobals();
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

function follow(): { messages: StreamMessage[]; states: StreamState[] } {
  const seen = { messages: [] as StreamMessage[], states: [] as StreamState[] };
  const { port } = server.address() as AddressInfo;
  stream = openEventStream({
    url: `http://127.0.0.1:${port}/`,
    onMessage: (message) => seen.messages.push(message),
    onState: (state) => seen.states.push(state),
  });
  return seen;
}

const tell = (from: number, to: number, then: (response: ServerResponse) => void = () => undefined): Answer => {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let number = from; number <= to; number++) {
      response.write(`id: ${number}\nevent: step\ndata: {"number":${number}}\n\n`);
    }
    then(response);
  };
};
const refuse =
  (status: number, body = ""): Answer =>
  (_request, response) =>
    response.writeHead(status).end(body);
const breakOff = (response: ServerResponse) => setImmediate(() => response.destroy());

test("comes back after the last event it had, and ends when the server says it is over", async () => {
  answers = [tell(1, 2, breakOff), tell(3, 4, (response) => response.end()), refuse(204)];
  const { messages, states } = follow();
  await vi.waitFor(() => expect(states.at(-1)).toBe("over"), 20_000);
  expect(messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
  expect(messages[2]).toEqual({ type: "step", id: "3", data: { number: 3 } });
  expect(asked).toEqual([undefined, "2", "4"]);
  expect(states).toEqual(["connecting", "open", "lost", "open", "lost", "over"]);
});

test("keeps trying while the server fails", async () => {
  answers = [refuse(500), refuse(503), tell(1, 1)];
  const { messages } = follow();
  await vi.waitFor(() => expect(messages).toHaveLength(1), 20_000);
  expect(asked).toHaveLength(3);
});

test("gives up where there is no such stream, but not for a proxy that knows no better", async () => {
  answers = [refuse(404, "<h1>404</h1>"), refuse(404, '{"error":"NOT_FOUND","message":"There is no batch."}')];
  const { states } = follow();
  await vi.waitFor(() => expect(states.at(-1)).toBe("gone"), 20_000);
  expect(states).toEqual(["connecting", "lost", "gone"]);
});

test("stops where somebody has to sign in first, and tells", async () => {
  answers = [tell(1, 1, breakOff), refuse(401, "<h1>A proxy</h1>"), refuse(401, '{"error":"UNAUTHORIZED"}')];
  const told = vi.fn();
  const stop = onSignedOut(told);
  const { states } = follow();
  await vi.waitFor(() => expect(states.at(-1)).toBe("refused"), 20_000);
  expect(told).toHaveBeenCalledOnce();
  expect(asked).toEqual([undefined, "1", "1"]);
  stop();
});

test("ends its connection when it is closed, and never comes back", async () => {
  let gone: Promise<unknown> | undefined;
  answers = [
    tell(1, 1, (response) => {
      gone = once(response, "close");
    }),
  ];
  const { messages, states } = follow();
  await vi.waitFor(() => expect(messages).toHaveLength(1));
  const before = [...states];
  stream?.close();
  await gone;
  expect(states).toEqual(before);
  expect(asked).toHaveLength(1);
});

test("a listener that fails costs neither the connection nor the next message", async () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  answers = [tell(1, 2)];
  const { port } = server.address() as AddressInfo;
  const states: StreamState[] = [];
  const seen: string[] = [];
  stream = openEventStream({
    url: `http://127.0.0.1:${port}/`,
    onMessage: ({ id }) => {
      seen.push(id);
      if (id === "1") throw new Error("a mistake of a page");
    },
    onState: (state) => states.push(state),
  });
  await vi.waitFor(() => expect(seen).toEqual(["1", "2"]));
  expect(states).toEqual(["connecting", "open"]);
  expect(reported).toHaveBeenCalledOnce();
});
