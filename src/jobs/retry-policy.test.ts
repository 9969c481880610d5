import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RetryableError, TerminalError } from "../errors.ts";
import { defaultRetry, nextDelayMs } from "./retry-policy.ts";

const busy = new RetryableError("RATE_LIMIT", "too many requests");
const delays = (policy: typeof defaultRetry, error = busy) =>
  Array.from({ length: policy.attempts }, (_, index) => nextDelayMs(policy, index + 1, error));

describe("the delay after a failed attempt", () => {
  it("is base · factor^(n−1), and there is none after the last attempt", () => {
    expect(delays({ attempts: 5, baseMs: 2_000, factor: 2, capMs: 300_000 })).toEqual([
      2_000,
      4_000,
      8_000,
      16_000,
      undefined,
    ]);
    expect(delays(defaultRetry)).toEqual([1_000, 2_000, undefined]);
  });

  it("stops growing at the cap", () => {
    expect(delays({ attempts: 5, baseMs: 1_000, factor: 10, capMs: 50_000 })).toEqual([
      1_000,
      10_000,
      50_000,
      50_000,
      undefined,
    ]);
  });

  it("is what the other side asked for if that is longer, even beyond the cap", () => {
    const policy = { attempts: 3, baseMs: 1_000, factor: 2, capMs: 5_000 };
    expect(delays(policy, new RetryableError("RATE_LIMIT", "", { retryAfterMs: 60_000 }))).toEqual([
      60_000,
      60_000,
      undefined,
    ]);
    expect(delays(policy, new RetryableError("RATE_LIMIT", "", { retryAfterMs: 1_500 }))).toEqual([
      1_500,
      2_000,
      undefined,
    ]);
  });

  it("is none at all, however often, with a base of none", () => {
    const policy = { attempts: 5_000, baseMs: 0, factor: 2, capMs: 1_000 };
    expect(nextDelayMs(policy, 4_000, busy)).toBe(0);
  });

  it("does not exist for a terminal error, whatever it asks for", () => {
    expect(
      nextDelayMs(defaultRetry, 1, new TerminalError("ENCRYPTED_PDF", "", { retryAfterMs: 1_000 })),
    ).toBeUndefined();
  });

  it("is finite and never shrinks, for any policy", () => {
    const policies = fc.record({
      attempts: fc.integer({ min: 1, max: 200 }),
      baseMs: fc.integer({ min: 0, max: 1e6 }),
      factor: fc.double({ min: 1, max: 100, noNaN: true }),
      capMs: fc.integer({ min: 0, max: 1e9 }),
    });
    fc.assert(
      fc.property(policies, (policy) => {
        const all = delays(policy);
        expect(all.pop()).toBeUndefined();
        const waits = all as number[];
        expect(waits.every((ms, index) => ms <= policy.capMs && ms >= (waits[index - 1] ?? 0))).toBe(true);
      }),
    );
  });
});
