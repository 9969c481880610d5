import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibrationOf, strengthOf } from "./calibration.ts";

describe("the strength a cosine means", () => {
  const scale = { unrelated: 0.2, related: 0.5 };

  it.each([
    [-1, 0],
    [0.2, 0],
    [0.35, 0.35],
    [0.5, 0.7],
    [0.75, 0.85],
    [1, 1],
    [1.0000001, 1],
    [Number.NaN, 0],
  ])("%d is %d", (cosine, strength) => {
    expect(strengthOf(cosine, scale)).toBeCloseTo(strength, 10);
  });

  it("grows with it, within 0 and 1", () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(cosine, cosine, (one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        expect(strengthOf(low, scale)).toBeGreaterThanOrEqual(0);
        expect(strengthOf(high, scale)).toBeLessThanOrEqual(1);
        expect(strengthOf(low, scale)).toBeLessThanOrEqual(strengthOf(high, scale));
      }),
    );
  });

  it("depends on the model", () => {
    expect(strengthOf(0.6, calibrationOf("text-embedding-3-large"))).toBeGreaterThan(0.7);
    expect(strengthOf(0.6, calibrationOf("text-embedding-ada-002"))).toBe(0);
    expect(strengthOf(0.6, calibrationOf("nomic-embed-text"))).toBeLessThan(0.7);
  });
});
