import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "../bench/quality/ocr-scores/edit-distance.ts";
import { scoreText } from "../bench/quality/ocr-scores/score-text.ts";

test("equals the table method on any two texts", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "😀"), maxLength: 90 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(editDistance(left, right)).toBe(byTable([...left], [...right]));
    }),
  );
});

test("counts over block borders", () => {
  const page = "the heron waits ".repeat(300);
  expect(editDistance(page, page)).toBe(0);
  expect(editDistance(page, `${page.slice(0, 31)}${page.slice(33)}`)).toBe(2);
  expect(editDistance("", page)).toBe(page.length);
});

test("typography, line ends and hyphenation are no mistakes", () => {
  const score = scoreText(
    "“The mill’s wheel — turn-\ned slowly”\n• by day",
    '"The mill\'s wheel - turned\nslowly" * by day',
  );
  expect(score).toEqual({ characterErrorRate: 0, wordRecall: 1 });
});

test("counts wrong, missing and surplus characters", () => {
  expect(scoreText("ten of them", "tan of them").characterErrorRate).toBeCloseTo(1 / 11);
  expect(scoreText("ten of them", "").characterErrorRate).toBe(1);
  expect(scoreText("ten", "ten of them").characterErrorRate).toBeCloseTo(8 / 3);
});

test("recall does not ask for the order, but counts each word once", () => {
  expect(scoreText("left column right column", "right column left column").wordRecall).toBe(1);
  expect(scoreText("to be or not to be", "to be").wordRecall).toBeCloseTo(2 / 6);
});

function byTable(left: string[], right: string[]): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, character] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const substituted = (above[column] as number) + (character === other ? 0 : 1);
      current.push(Math.min(substituted, (above[column + 1] as number) + 1, (current[column] as number) + 1));
    }
    above = current;
  }
  return above[right.length] as number;
}
