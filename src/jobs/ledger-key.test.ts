import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledgerKey } from "./ledger.ts";

const call = {
  provider: "acme",
  model: "reader-2",
  parameters: { temperature: 0, prompt: 3 },
  input: { page: 1, text: "a" },
};

describe("the key of a paid call", () => {
  it("does not depend on the order of fields, nor on fields that are undefined", () => {
    const same = {
      input: { text: "a", page: 1, note: undefined },
      parameters: { prompt: 3, temperature: 0 },
      model: "reader-2",
      provider: "acme",
    };
    expect(ledgerKey(same)).toBe(ledgerKey(call));
  });

  it.each([
    ["provider", { ...call, provider: "other" }],
    ["model", { ...call, model: "reader-3" }],
    ["parameters", { ...call, parameters: { temperature: 1, prompt: 3 } }],
    ["no parameters", { ...call, parameters: undefined }],
    ["input", { ...call, input: { page: 2, text: "a" } }],
    ["type of a value", { ...call, input: { page: "1", text: "a" } }],
  ])("depends on %s", (_, other) => {
    expect(ledgerKey(other)).not.toBe(ledgerKey(call));
  });

  it("depends on the order of lists", () => {
    expect(ledgerKey({ ...call, input: [1, 2] })).not.toBe(ledgerKey({ ...call, input: [2, 1] }));
  });

  it("takes bytes by their content", () => {
    const bytes = (...values: number[]) => ledgerKey({ ...call, input: { image: Uint8Array.from(values) } });
    expect(bytes(1, 2)).toBe(ledgerKey({ ...call, input: { image: Buffer.from([1, 2]) } }));
    expect(bytes(1, 2)).not.toBe(bytes(1, 3));
    expect(bytes(1, 2)).not.toBe(ledgerKey({ ...call, input: { image: [1, 2] } }));
  });

  it("differs for any two different JSON inputs", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const equal = sameJson(one, other);
        expect(ledgerKey({ ...call, input: one }) === ledgerKey({ ...call, input: other })).toBe(equal);
      }),
    );
  });
});

function sameJson(one: unknown, other: unknown): boolean {
  try {
    expect(JSON.parse(JSON.stringify(one))).toStrictEqual(JSON.parse(JSON.stringify(other)));
    return true;
  } catch {
    return false;
  }
}
