import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { TerminalError } from "../errors.ts";
import { toDocmillError } from "./errors.ts";

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
