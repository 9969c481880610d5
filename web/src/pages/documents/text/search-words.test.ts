import { expect, it } from "vitest";
import { readWords, wordMatcher } from "./search-words.ts";

it("reads words with where they stand, in small letters and without accents", () => {
  expect(readWords("Über-Größe, 2x")).toEqual([
    { word: "uber", start: 0, end: 4 },
    { word: "große", start: 5, end: 10 },
    { word: "2x", start: 12, end: 14 },
  ]);
});

it("matches other forms of a word", () => {
  const isSearched = wordMatcher("compile invoices");
  expect(["Compiled", "compiler", "COMPILATION", "invoice"].every(isSearched)).toBe(true);
  expect(["complete", "voice"].some(isSearched)).toBe(false);
});

it("leaves out words that are everywhere, unless there are no others", () => {
  const isSearched = wordMatcher("the price of bread");
  expect(isSearched("the")).toBe(false);
  expect(isSearched("bread")).toBe(true);
  expect(wordMatcher("to be")("be")).toBe(true);
});

it("does not mark what must not be there, and nothing without a question", () => {
  expect(wordMatcher("boats -sails")("sails")).toBe(false);
  expect(wordMatcher("")("anything")).toBe(false);
});
