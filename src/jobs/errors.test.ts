import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { TerminalError } from "../errors.ts";
import { errorFromStatus, retryAfterMs, toDocmillError } from "./errors.ts";

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const circle: Record<string, unknown> = {};
circle.self = circle;

describe("what a stage threw becomes a typed error", () => {
  it("leaves typed errors alone", () => {
    const error = new TerminalError("ENCRYPTED_PDF", "The PDF is encrypted.");
    expect(toDocmillError(error)).toBe(error);
  });

  it("calls a refused connection a network error, through the wrapping of fetch", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = toDocmillError(await thrownBy(() => fetch(`http://127.0.0.1:${port}/`)));
    expect(error).toMatchObject({ code: "NETWORK_ERROR", retryable: true });
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("calls an answer that never comes a time-out", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const call = () => fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(20) });
    expect(toDocmillError(await thrownBy(call))).toMatchObject({ code: "TIMEOUT", retryable: true });
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ["ECONNRESET", "NETWORK_ERROR"],
    ["EAI_AGAIN", "NETWORK_ERROR"],
    ["UND_ERR_SOCKET", "NETWORK_ERROR"],
    ["ETIMEDOUT", "TIMEOUT"],
    ["UND_ERR_HEADERS_TIMEOUT", "TIMEOUT"],
    ["57P01", "DATABASE_UNAVAILABLE"],
  ])("knows %s as %s", (code, expected) => {
    const inner = Object.assign(new Error("inner"), { code });
    expect(toDocmillError(new TypeError("outer", { cause: inner }))).toMatchObject({ code: expected, retryable: true });
  });

  it("is terminal, with the original's words, when nobody knows it", () => {
    const error = new RangeError("page 7 has no ink");
    expect(toDocmillError(error)).toMatchObject({
      code: "UNKNOWN",
      retryable: false,
      message: "page 7 has no ink",
      cause: error,
    });
  });

  it.each([undefined, null, "text", 7, { a: 1 }, 10n, Symbol("s"), circle, new Error("")])(
    "says something of %s",
    (thrown) => {
      const error = toDocmillError(thrown);
      expect(error).toMatchObject({ code: "UNKNOWN", retryable: false });
      expect(error.message.length).toBeGreaterThan(10);
    },
  );

  it("does not follow causes in a circle", () => {
    const error = new Error("round");
    error.cause = error;
    expect(toDocmillError(error).code).toBe("UNKNOWN");
  });
});

describe("an HTTP answer that is no success", () => {
  it.each([
    [429, "RATE_LIMIT", true],
    [408, "TIMEOUT", true],
    [504, "TIMEOUT", true],
    [529, "AI_OVERLOADED", true],
    [500, "SERVICE_UNAVAILABLE", true],
    [503, "SERVICE_UNAVAILABLE", true],
    [400, "HTTP_400", false],
    [401, "HTTP_401", false],
    [404, "HTTP_404", false],
    [413, "HTTP_413", false],
  ])("%i is %s", (status, code, retryable) => {
    expect(errorFromStatus(status, "no")).toMatchObject({ code, retryable, details: { status } });
  });

  it("carries its Retry-After", () => {
    expect(errorFromStatus(429, "no", new Headers({ "Retry-After": "120" })).retryAfterMs).toBe(120_000);
    expect(errorFromStatus(429, "no", new Headers()).retryAfterMs).toBeUndefined();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2040-01-01T00:00:00Z");
  it.each([
    ["30", 30_000],
    ["0", 0],
    ["1.5", 1_500],
    ["-5", 0],
    ["Sun, 01 Jan 2040 00:01:00 GMT", 60_000],
    ["Sat, 31 Dec 2039 23:59:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("%j means %s ms", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
