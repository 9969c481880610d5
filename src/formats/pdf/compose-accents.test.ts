import { expect, test } from "vitest";
import { composeAccents, type Letters } from "./compose-accents.ts";

/** Letters ten wide from `x` on; an accent is placed by itself. */
function word(text: string, x: number): Letters {
  return {
    parts: [...text],
    glyphs: [...text].map((_character, index) => {
      const left = x + index * 10;
      return { left, right: left + 10, top: 90, bottom: 102, baseX: left, baseY: 100 };
    }),
    run: {
      style: { bold: false, italic: false, mono: false },
      size: 12,
      ascent: 10,
      descent: -2,
      direction: 0,
      invisible: false,
    },
  };
}

function compose(...words: Letters[]): string[] {
  const adjoin = (one: Letters, next: Letters) => one.glyphs.at(-1)?.right === next.glyphs[0]?.left;
  return composeAccents(words, adjoin).map(({ parts }) => parts.join(""));
}

test("an accent goes to the letter it stands over, wherever it comes in the file", () => {
  expect(compose(word("Jan", 0), word("Novak", 50), word("´", 10), word("´", 80))).toEqual(["Ján", "Novák"]);
});

test("a word that its accent had cut in two becomes one again", () => {
  expect(compose(word("caf", 0), word("´", 30), word("e", 30), word("au", 60))).toEqual(["café", "au"]);
});

test("i and j lose their missing dots", () => {
  expect(compose(word("naıve", 0), word("¨", 20))).toEqual(["naïve"]);
});

test("what stands over no letter stays as it is", () => {
  expect(compose(word("don´t", 0), word("x", 100), word("ˇ", 200))).toEqual(["don´t", "x", "ˇ"]);
  expect(compose(word("b", 0), word("¸", 0))).toEqual(["b", "¸"]);
});
