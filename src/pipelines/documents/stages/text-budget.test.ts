import { expect, test } from "vitest";
import { openTextBudget } from "./text-budget.ts";

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
