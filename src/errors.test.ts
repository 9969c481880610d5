import { describe, expect, it } from "vitest";
import { errorFromStatus, retryAfterMs } from "./errors.ts";

describe("an HTTP answer that is no success", () => {
  it.each([
    [429, "RATE_LIMIT", true],
    [408, "TIMEOUT", true],
    [504, "TIMEOUT", true],
    [409, "SERVICE_UNAVAILABLE", true],
    [425, "SERVICE_UNAVAILABLE", true],
    [529, "AI_OVERLOADED", true],
    [500, "SERVICE_UNAVAILABLE", true],
    [503, "SERVICE_UNAVAILABLE", true],
    [400, "HTTP_400", false],
    [401, "HTTP_401", false],
    [403, "HTTP_403", false],
    [404, "HTTP_404", false],
    [422, "HTTP_422", false],
    [413, "HTTP_413", false],
  ])("%i is %s", (status, code, retryable) => {
    expect(errorFromStatus(status, "no")).toMatchObject({ code, retryable, details: { status } });
  });

  it("carries its Retry-After", () => {
    expect(errorFromStatus(429, "no", new Headers({ "Retry-After": "120" })).retryAfterMs).toBe(120_000);
    expect(errorFromStatus(429, "no", new Headers()).retryAfterMs).toBeUndefined();
  });

  it.each([
    [{ "retry-after-ms": "1250", "retry-after": "2" }, 1_250],
    [{ "x-ms-retry-after-ms": "40" }, 40],
    [{ "retry-after-ms": "a while", "retry-after": "2" }, 2_000],
  ])("takes %j for %i ms", (headers, expected) => {
    expect(errorFromStatus(429, "no", new Headers(headers)).retryAfterMs).toBe(expected);
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
