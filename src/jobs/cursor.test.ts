import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const isAnything = (parts: readonly unknown[]): parts is (string | number)[] => parts.length >= 0;

describe("a cursor", () => {
  it("gives back what was put in, and fits into a url as it is", () => {
    const part = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer());
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const cursor = encodeCursor(parts);
        expect(cursor).toMatch(/^[\w-]*$/);
        expect(decodeCursor(cursor, isAnything)).toEqual(parts);
      }),
    );
  });

  it("refuses whatever else it is given", () => {
    const isPair = (parts: readonly unknown[]): parts is [string, string] =>
      parts.length === 2 && parts.every((part) => typeof part === "string");
    for (const cursor of ["", "abc", "%%%", encodeCursor(["one"]), encodeCursor([1, 2]), "e30", "bnVsbA"]) {
      expect(() => decodeCursor(cursor, isPair)).toThrow(expect.objectContaining({ code: "INVALID_CURSOR" }));
    }
  });
});
