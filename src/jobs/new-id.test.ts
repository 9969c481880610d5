import { describe, expect, it } from "vitest";
import { newId } from "./new-id.ts";

describe("a new id", () => {
  it("is a UUID of version 7 that carries the time it was made", () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const madeAt = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
    expect(madeAt).toBeGreaterThanOrEqual(before);
  });

  it("sorts after every earlier one, also when many are made in one millisecond", () => {
    const ids = Array.from({ length: 100_000 }, () => newId());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] as string))).toBe(true);
  });
});
