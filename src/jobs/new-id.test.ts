import { describe, expect, it } from "vitest";
import { firstIdAt, newId } from "./new-id.ts";

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

describe("the first id of a time", () => {
  it("parts the ids made before it from all others", () => {
    const before = newId();
    const time = Number.parseInt(before.replace("-", "").slice(0, 12), 16);
    expect(firstIdAt(time) <= before).toBe(true);
    expect(firstIdAt(time + 1) > before).toBe(true);
    expect(firstIdAt(time - 0.5)).toBe(firstIdAt(time));
  });

  it("is an id for every time that can be written down", () => {
    expect(firstIdAt(Date.parse("0001-01-01T00:00:00Z"))).toBe("00000000-0000-7000-8000-000000000000");
    expect(firstIdAt(Date.parse("2025-06-01T12:00:00.000Z"))).toBe("01972b5c-ee00-7000-8000-000000000000");
    expect(firstIdAt(Date.parse("9999-12-31T23:59:59.999Z"))).toMatch(/^e677d21f-dbff-7000-/);
  });
});
