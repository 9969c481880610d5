import { expect, test } from "vitest";
import type { FoundWord } from "./place-words.ts";
import { restoreBullets } from "./restore-bullets.ts";

const word = (text: string, left: number, top: number, width: number, height: number): FoundWord => ({
  text,
  confidence: 0.3,
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const texts = (words: FoundWord[]) => restoreBullets(words).map(({ text }) => text);

test("a small round sign before a line is a bullet, whatever it was taken for", () => {
  for (const sign of ["e", "¢", "*", "«", "©"]) {
    expect(texts([word(sign, 10, 57, 9, 9), word("Herons", 40, 50, 80, 20), word("fly", 130, 50, 30, 20)])).toEqual([
      "•",
      "Herons",
      "fly",
    ]);
  }
});

test("letters, and signs inside a line, stay what they are", () => {
  const a = [word("o", 10, 50, 14, 14), word("mare", 40, 50, 80, 14)];
  expect(texts(a)).toEqual(["o", "mare"]);
  const price = [word("five", 10, 50, 50, 20), word("¢", 70, 57, 9, 9), word("each", 90, 50, 50, 20)];
  expect(texts(price)).toEqual(["five", "¢", "each"]);
  const alone = [word("e", 10, 57, 9, 9), word("Herons", 40, 150, 80, 20)];
  expect(texts(alone)).toEqual(["e", "Herons"]);
});
