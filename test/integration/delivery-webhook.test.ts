/** A webhook is signed so that another implementation of the standard accepts it, and its answers are understood. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { inspect } from "node:util";
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendWebhook, type Webhook } from "../../src/delivery/send-webhook.ts";
import { version } from "../../src/version.ts";
import { findClosedPort } from "../support/find-closed-port.ts";
import { until } from "../support/until.ts";

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string>;
  body: Buffer;
}

const secret = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;
const never = new AbortController().signal;

let server: http.Server;
let port: number;
let received: Received[];
let connections: Set<unknown>;
let answer: (response: http.ServerResponse) => void;

beforeEach(async () => {
  received = [];
  connections = new Set();
  answer = (response) => response.writeHead(204).end();
  server = http.createServer((request, response) => {
    buffer(request)
      .then((body) => {
        const { method, url, headers } = request;
        received.push({ method, url, headers: headers as Record<string, string>, body });
        answer(response);
      })
      .catch(() => undefined);
  });
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function send(changes: Partial<Webhook> = {}, signal = never): Promise<void> {
  const body = JSON.stringify({ type: "batch_completed", swimmerName: "Zoë 🏊" });
  const url = `http://127.0.0.1:${port}/hooks/t0ken`;
  return sendWebhook({ url, secret, id: "event-1", timestamp: new Date(), body, ...changes }, signal);
}

test("another implementation of the standard accepts the signature", async () => {
  await send();
  const [{ method, url, headers, body } = {} as Received] = received;
  expect([method, url]).toEqual(["POST", "/hooks/t0ken"]);
  expect(new Verifier(secret).verify(body, headers)).toEqual({ type: "batch_completed", swimmerName: "Zoë 🏊" });
  expect(headers["webhook-id"]).toBe("event-1");
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["user-agent"]).toBe(`docmill/${version}`);
});

test("it accepts nothing that was changed or signed with another key", async () => {
  await send();
  const [{ headers, body } = {} as Received] = received;
  const verifier = new Verifier(secret);
  expect(() => verifier.verify(`${body} `, headers)).toThrow("No matching signature");
  expect(() => verifier.verify(body, { ...headers, "webhook-id": "event-2" })).toThrow("No matching signature");
  expect(() => new Verifier(`whsec_${"A".repeat(32)}`).verify(body, headers)).toThrow("No matching signature");
});

test("the timestamp is that of the attempt, in seconds", async () => {
  await send({ timestamp: new Date("2026-08-05T09:30:00.999Z") });
  expect(received[0]?.headers["webhook-timestamp"]).toBe("1785922200");
  expect(() => new Verifier(secret).verify("", received[0]?.headers ?? {})).toThrow("too");
});

test.each(["a plain secret", "whsec_not base64!", "schlüssel"])(
  "a secret of another form (%j) is the key itself",
  async (plain) => {
    await send({ secret: plain });
    const [{ headers, body } = {} as Received] = received;
    const verifier = new Verifier(new Uint8Array(Buffer.from(plain)), { format: "raw" });
    expect(verifier.verify(body, headers)).toMatchObject({ type: "batch_completed" });
  },
);

test.each(["", "whsec_"])("an empty secret (%j) signs nothing", async (empty) => {
  await expect(send({ secret: empty })).rejects.toMatchObject({ name: "TerminalError", code: "INVALID_SECRET" });
  expect(received).toEqual([]);
});

test("credentials in the address become a header", async () => {
  await send({ url: `http://mill:p%40ss@127.0.0.1:${port}/` });
  expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from("mill:p@ss").toString("base64")}`);
});

test.each([
  [200, undefined],
  [202, undefined],
  [299, undefined],
  [301, "WEBHOOK_REFUSED"],
  [400, "WEBHOOK_REFUSED"],
  [401, "WEBHOOK_REFUSED"],
  [404, "WEBHOOK_REFUSED"],
  [409, "WEBHOOK_REFUSED"],
  [410, "WEBHOOK_GONE"],
])("%i is final", async (status, code) => {
  answer = (response) => response.writeHead(status, { location: "/elsewhere" }).end("what it says");
  const outcome = await send().catch((error: unknown) => error);
  if (code === undefined) expect(outcome).toBeUndefined();
  else expect(outcome).toMatchObject({ name: "TerminalError", code, details: { status } });
  // Above all no redirect was followed.
  expect(received).toHaveLength(1);
});

test.each([
  [408, "TIMEOUT"],
  [429, "RATE_LIMIT"],
  [500, "SERVICE_UNAVAILABLE"],
  [502, "SERVICE_UNAVAILABLE"],
  [503, "SERVICE_UNAVAILABLE"],
  [504, "TIMEOUT"],
])("%i is worth another attempt, after the wait it asks for", async (status, code) => {
  answer = (response) => response.writeHead(status, { "retry-after": "7" }).end();
  await expect(send()).rejects.toMatchObject({ name: "RetryableError", code, retryAfterMs: 7_000 });
});

test("an answer without end is not waited for", async () => {
  answer = (response) => response.writeHead(200).write("so far");
  // So long that it is not the time limit that closes the connection.
  await send({ timeoutMs: 600_000 });
  await until(() => connections.size === 0);
});

test("a receiver that is silent is given up on, for now", async () => {
  answer = () => undefined;
  await expect(send({ timeoutMs: 150 })).rejects.toMatchObject({ name: "RetryableError", code: "TIMEOUT" });
  await until(() => connections.size === 0);
});

test("a connection that breaks is worth another attempt", async () => {
  answer = (response) => response.destroy();
  await expect(send()).rejects.toMatchObject({ name: "RetryableError", code: "NETWORK_ERROR" });
});

test("a receiver that is not there is worth another attempt, and the error names its host only", async () => {
  const free = await findClosedPort();
  const error = await send({ url: `http://127.0.0.1:${free}/hooks/t0ken` }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "RetryableError", code: "NETWORK_ERROR" });
  expect((error as Error).message).toContain(`127.0.0.1:${free}`);
  expect(inspect(error, { depth: 10 })).not.toContain("t0ken");
});

test("an abort ends the delivery with its own reason", async () => {
  const controller = new AbortController();
  answer = () => controller.abort(new Error("enough"));
  await expect(send({ timeoutMs: 600_000 }, controller.signal)).rejects.toThrow("enough");
  await until(() => connections.size === 0);
});

test.each(["", "hooks.example.org", "ftp://mill:t0ken@hooks.example.org/"])("%j is no address", async (url) => {
  const error = await send({ url }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "TerminalError", code: "INVALID_URL" });
  expect(inspect(error)).not.toContain("t0ken");
});
