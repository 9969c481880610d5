import { describe, expect, it } from "vitest";
import { makeKey } from "./make-key.ts";

describe("a key", () => {
  it("is the title in small letters and hyphens", () => {
    expect(makeKey("Plants & animals on Earth", new Set())).toBe("plants-animals-on-earth");
    expect(makeKey("Größe und Maß: l’été", new Set())).toBe("grosse-und-mass-lete");
  });

  it("is unlike those that are taken", () => {
    expect(makeKey("Plants", new Set(["plants"]))).toBe("plants-2");
    expect(makeKey("Plants", new Set(["plants", "plants-2", "plants-3"]))).toBe("plants-4");
  });

  it("is cut between words and keeps room for its number", () => {
    const title = "The long and winding history of the measurement of very small electrical currents";
    const key = makeKey(title, new Set());
    expect(key).toBe("the-long-and-winding-history-of-the-measurement-of-very");
    const second = makeKey("x".repeat(80), new Set(["x".repeat(60)]));
    expect(second).toBe(`${"x".repeat(58)}-2`);
  });

  it("exists for titles without a Latin letter", () => {
    expect(makeKey("?!", new Set())).toBe("untitled");
    expect(makeKey("植物", new Set(["untitled"]))).toBe("untitled-2");
  });
});
