import { describe, expect, test } from "vitest";
import { recogniseValue } from "./recognise-value.ts";

describe("recogniseValue", () => {
  test.each([
    ["25/12/2018 8:13:39 PM", "date", "2018-12-25"],
    ["Monday, 5 January 2026", "date", "2026-01-05"],
    ["RM 30.90", "amount", "30.90"],
    ["86.00 A", "amount", "86.00"],
    ["19%", "percent", "19"],
    ["873", "number", "873"],
    ["DE89 3704 0044 0532 0130 00", "iban", "DE89370400440532013000"],
    ["ATU12345678", "vat_id", "ATU12345678"],
    ["DE 123 456 789", "vat_id", "DE123456789"],
    ["Mara@Example.org", "email", "mara@example.org"],
    ["www.example.org", "url", undefined],
    ["+49 30 1234567", "phone", undefined],
    ["(415) 555-0199", "phone", undefined],
    ["RE-2024/0017", "code", undefined],
    ["000849813504", "code", undefined],
    ["14 Tage netto", "text", undefined],
    ["Harbour Lane", "text", undefined],
  ])("%s is a %s", (value, shape, normalized) => {
    expect(recogniseValue(value, {})).toMatchObject({ shape });
    expect(recogniseValue(value, {}).normalized).toBe(normalized);
  });

  test("does not take an account number with wrong check digits for an IBAN", () => {
    expect(recogniseValue("DE88 3704 0044 0532 0130 00", {}).shape).not.toBe("iban");
  });

  test("normalises by what the page proves", () => {
    expect(recogniseValue("03/04/2024", {}).normalized).toBeUndefined();
    expect(recogniseValue("03/04/2024", { dayMonthOrder: "month-day" }).normalized).toBe("2024-03-04");
    expect(recogniseValue("1.500", { decimalMark: "," }).normalized).toBe("1500");
  });
});
