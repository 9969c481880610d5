import { expect, test } from "vitest";
import { openTextBudget, sizeOfPage } from "./text-budget.ts";

const tooLarge = expect.objectContaining({ code: "TEXT_TOO_LARGE", retryable: false });

test("what goes over the limit fails, and so does everything after it", () => {
  const budget = openTextBudget(100);
  budget.spend(60);
  budget.require();
  budget.spend(40);
  budget.require();
  expect(() => budget.spend(1)).toThrow(tooLarge);
  expect(() => budget.require()).toThrow(tooLarge);
});

test("a page counts as what is stored of it, not by its letters alone", () => {
  const word = { text: "a", box: { x: 0, y: 0, width: 1, height: 1 } };
  const page = (words: number) => ({
    text: { page: 1, width: 1, height: 1, source: "text" as const, words: Array(words).fill(word), rules: [] },
    blocks: [],
  });
  expect(sizeOfPage(page(0))).toBe(0);
  expect(sizeOfPage(page(1_000))).toBeGreaterThan(
    JSON.stringify(Array(1_000).fill(["a", 0, 0, 1, 1, null, 0, null])).length,
  );
});
