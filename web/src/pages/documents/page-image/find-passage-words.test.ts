import { expect, it } from "vitest";
import { findPassageWords } from "./find-passage-words.ts";

function find(markdown: string, passage: string, words: string) {
  const start = markdown.indexOf(passage);
  const list = words.split(" ").map((text) => ({ text }));
  const found = findPassageWords(markdown, { start, end: start + passage.length }, list);
  return found.map((index) => list[index]?.text).join(" ");
}

it("finds a passage that repeats words of the text before it", () => {
  const markdown = "the cat sat on the mat and then the dog sat on the rug until the evening came for the cat";
  expect(find(markdown, "the dog sat on the rug until the evening came", markdown)).toBe(
    "the dog sat on the rug until the evening came",
  );
});

it("fills words that were hyphenated at the end of a line, and does without markup", () => {
  const page =
    "Header 7 We present an al- ternative compilation technique for **dynamic** languages that is quick. The end";
  const markdown = "We present an alternative compilation technique for *dynamic* languages that is quick.\n\nThe end";
  expect(
    find(markdown, "We present an alternative compilation technique for *dynamic* languages that is quick.", page),
  ).toBe("We present an al- ternative compilation technique for **dynamic** languages that is quick.");
});

it("finds a passage of a few words", () => {
  expect(find("Total: 4.11 due now", "4.11", "Total: 4.11 due now")).toBe("4.11");
});

it("finds nothing of a passage that is on another page", () => {
  expect(findPassageWords("words of this page", { start: -200, end: -10 }, [{ text: "words" }])).toEqual([]);
});
