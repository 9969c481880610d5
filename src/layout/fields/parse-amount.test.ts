import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAmount } from "./parse-amount.ts";

describe("parseAmount", () => {
  test.each([
    ["1.234,56 €", "1234.56", "EUR"],
    ["€ 399,00", "399.00", "EUR"],
    ["$1,234.56", "1234.56", "$"],
    ["US$ 12.50", "12.50", "USD"],
    ["RM5.00", "5.00", "MYR"],
    ["RM 12.00", "12.00", "MYR"],
    ["CHF 1'234.50", "1234.50", "CHF"],
    ["CHF 40.-", "40", "CHF"],
    ["USD 4", "4", "USD"],
    ["Rs 1939", "1939", "INR"],
    ["1 234,56 EUR", "1234.56", "EUR"],
    ["-$84.00", "-84.00", "$"],
    ["$-50.00", "-50.00", "$"],
    ["(31,000.00)", "-31000.00", undefined],
    ["10.00-", "-10.00", undefined],
    ["-0,00", "0.00", undefined],
    ["1,23,456.00", "123456.00", undefined],
    ["7,569,000.00", "7569000.00", undefined],
    [".025", "0.025", undefined],
  ])("%s", (text, decimal, currency) => {
    expect(parseAmount(text)?.decimal).toBe(decimal);
    expect(parseAmount(text)?.currency).toBe(currency);
  });

  test("tells a rate from an amount", () => {
    expect(parseAmount("19 %")).toMatchObject({ percent: true, decimal: "19" });
    expect(parseAmount("5,5%")).toMatchObject({ percent: true, decimal: "5.5" });
  });

  test("leaves a single group of three undecided until the page's decimal mark is known", () => {
    expect(parseAmount("1.234")).toMatchObject({ text: "1.234", fraction: 0 });
    expect(parseAmount("1.234")?.decimal).toBeUndefined();
    expect(parseAmount("1.234", ",")?.decimal).toBe("1234");
    expect(parseAmount("1.234", ".")?.decimal).toBe("1.234");
    expect(parseAmount("1,234", ".")?.decimal).toBe("1234");
    expect(parseAmount("0.125")?.decimal).toBe("0.125");
  });

  test("reads back every amount in each way of writing", () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
        const value = cents / 100;
        const decimal = value.toFixed(2);
        for (const locale of ["en-US", "de-DE", "de-CH", "fr-FR", "it-IT", "nl-NL", "en-IN"]) {
          const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(value);
          expect(parseAmount(number)?.decimal).toBe(decimal === "-0.00" ? "0.00" : decimal);
        }
      }),
    );
  });

  test("never throws, and says where the amount stands", () => {
    const pieces = fc.constantFrom("1", "234", ".", ",", " ", "€", "RM", "-", "(", ")", "%", "x", "'");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
        ),
        (text) => {
          const amount = parseAmount(text);
          if (!amount) return;
          expect(text.slice(amount.start, amount.end).trim()).toBe(amount.text);
          if (amount.decimal !== undefined) expect(amount.decimal).toMatch(/^-?\d+(?:\.\d+)?$/);
        },
      ),
    );
  });
});
