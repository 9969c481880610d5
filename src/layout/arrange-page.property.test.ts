import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangePage } from "./arrange-page.ts";
import type { Block } from "./blocks.ts";
import type { PageText, Rule, Word } from "./page.ts";

const anyNumber = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -50, max: 700, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, -1e300, 1e9, 5e-324) },
);
const anyBox = fc.record({ x: anyNumber, y: anyNumber, width: anyNumber, height: anyNumber });
const alignedBox = fc.record({
  x: fc.integer({ min: 0, max: 8 }).map((i) => i * 70),
  y: fc.integer({ min: 0, max: 30 }).map((i) => i * 14),
  width: fc.integer({ min: 5, max: 60 }),
  height: fc.constantFrom(8, 10, 12, 24),
});
/** Letters only, so that no escape, hyphen or marker changes what is compared. */
const text = fc.oneof(
  fc.stringMatching(/^[a-z]{1,9}$/),
  fc.constantFrom("Übung", "שלום", "مرحبا", "例子", "A", "12", "Fig"),
);
const optional = { requiredKeys: ["text", "box"] as ("text" | "box")[] };
const word: fc.Arbitrary<Word> = fc.record(
  {
    text,
    box: fc.oneof(alignedBox, anyBox),
    fontSize: fc.oneof(fc.constantFrom(8, 10, 10, 10, 14), anyNumber),
    bold: fc.boolean(),
    italic: fc.boolean(),
    mono: fc.boolean(),
  },
  optional,
);
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 8 }))
    .map(([x, y, end]) => ({ x1: x * 70, y1: y * 14, x2: end * 70, y2: y * 14 })),
  fc
    .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }))
    .map(([x, y, end]) => ({ x1: x * 70, y1: y * 14, x2: x * 70, y2: end * 14 })),
  fc.record({ x1: anyNumber, y1: anyNumber, x2: anyNumber, y2: anyNumber }),
);

function page(words: Word[], rules: Rule[] = []): PageText {
  return { page: 1, width: 600, height: 800, source: "text", words, rules };
}

function lettersOf(blocks: readonly Block[]): string {
  const parts = blocks.flatMap((block) => {
    if (block.kind !== "table") return [block.text];
    return [block.caption ?? "", ...block.rows.flat().map((cell) => cell.text)];
  });
  return sorted(parts.join(""));
}

/** Order is another matter; a large first letter may have joined its word, so letters are counted, not words. */
function sorted(text: string): string {
  return [...text.replace(/[^\p{L}\p{N}]/gu, "")].sort().join("");
}

function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

test("no word is lost or doubled, whatever the geometry", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), fc.array(rule, { maxLength: 30 }), (words, rules) => {
      const blocks = arrangePage(page(words, rules));
      expect(lettersOf(blocks)).toBe(sorted(words.map((one) => one.text).join("")));
      expect(numbersOf(blocks).every(Number.isFinite)).toBe(true);
      for (const block of blocks) {
        if (block.kind === "table") expect(new Set(block.rows.map((row) => row.length)).size).toBe(1);
        else expect(block.kind === "code" || !block.text.includes("\n")).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

test("the same page gives the same blocks", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.array(rule, { maxLength: 20 }), (words, rules) => {
      const again = structuredClone(page(words, rules));
      expect(arrangePage(page(words, rules))).toEqual(arrangePage(again));
    }),
    { numRuns: 60 },
  );
});

/** Time that grew with the square of the words would take minutes here. */
test.for([
  ["scattered", (i: number) => ({ x: (i * 7919) % 600, y: (i * 104_729) % 800, width: 20, height: 9 })],
  ["on one spot", () => ({ x: 100, y: 100, width: 20, height: 9 })],
  ["in one line", (i: number) => ({ x: i * 0.01, y: 100, width: 20, height: 9 })],
  ["in one column", (i: number) => ({ x: 100, y: i * 0.02, width: 20, height: 9 })],
  ["in a fine grid", (i: number) => ({ x: (i % 200) * 3, y: Math.floor(i / 200) * 3, width: 2, height: 2 })],
] as const)("50,000 words %s are read in bounded time", { timeout: 60_000 }, ([, boxOf]) => {
  const words = Array.from({ length: 50_000 }, (_, i): Word => ({ text: `w${i}`, box: boxOf(i), fontSize: 9 }));
  const rules = Array.from(
    { length: 3_000 },
    (_, i): Rule => ({ x1: (i * 7) % 600, y1: 0, x2: (i * 7) % 600, y2: 800 }),
  );
  const blocks = arrangePage(page(words, rules));
  expect(lettersOf(blocks).length).toBe(sorted(words.map((one) => one.text).join("")).length);
});
