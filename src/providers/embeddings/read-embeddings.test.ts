import fc from "fast-check";
import { expect, it } from "vitest";
import { packVector, unpackVector } from "./read-embeddings.ts";

it("a packed vector is the same vector", () => {
  fc.assert(
    fc.property(fc.float32Array({ noNaN: true }), (vector) => {
      expect(unpackVector(packVector(vector))).toEqual(vector);
    }),
  );
});

it("a vector cut short is no vector", () => {
  expect(() => unpackVector(Buffer.from([1, 2, 3, 4, 5]).toString("base64"))).toThrow("cut short");
});
