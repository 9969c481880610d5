import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occursIn } from "./occurs-in.ts";

describe("a name stands in a text", () => {
  it.each([
    ["Jane Doe", "Lane 4: Jane Doe (Dolphins)"],
    ["Jane Doe", "4 DOE, JANE 12 DOLF 1:05.32"],
    ["Doe, Jane", "and Jane M. Doe swims"],
    ["Jane Doe", "Jane Marie Doe"],
    ["Jane Marie Doe", "Doe, Jane"],
    ["Jane Marie Doe", "Jane M Doe"],
    ["Jane Doe", "Doe,\nJane"],
    ["Jane Doe", "swims Jane\r\nDoe in"],
    ["Doe Jane", "Doe, Jane"],
    ["Jane Doe", "4 DOE Jane 12"],
    ["Zoë Müller", "MULLER Zoe"],
    ["Zoe Muller", "Müller, Zoë"],
    ["Ina van der Berg", "Vander Berg, Ina"],
    ["Declan O'Hara", "O’Hara, Declan"],
    ["Mara Smith-Jones", "Smith-\nJones, Mara"],
    ["Tess Griffin", "Gri in, Tess"],
    ["Tess Griffin", "Griϐϐin, Tess"],
    ["Tom Doe", "Doe Jr., Tom"],
    ["Anna Lee (12)", "Lee, Anna"],
  ])("%s in %j", (wanted, text) => {
    expect(occursIn(text, wanted)).toBe(true);
  });
});

describe("a name does not stand in a text", () => {
  it.each([
    ["Jane Doe", "Jane Smith 12 Richard Doe"],
    ["Jane Doe", "Smith, Jane 12 Doe, Richard"],
    ["Jane Doe", "1) Smith, Jane 2) Doe, Mary"],
    ["Jane Doe", "Janet Doe and Jane Doering"],
    ["Jane Doe", "Mary Doe\nJane Smith"],
    ["Jane Doe", "Smith, Jane\nDoe, Mary"],
    ["Jane Doe", "Jane\nJohn Mary\nDoe"],
    ["Jane Doe", ""],
    ["", "Jane Doe"],
    ["( )", "Jane Doe"],
  ])("%s in %j", (wanted, text) => {
    expect(occursIn(text, wanted)).toBe(false);
  });
});

const word = fc.stringMatching(/^[A-Z][a-z]{2,9}$/).filter((text) => !/^(jr|sr|iii|iv)$/i.test(text));

it("whatever stands around it, and never with two words and a number between its words", () => {
  fc.assert(
    fc.property(word, word, fc.constantFrom(" ", "\n", " 4 ", " | "), (first, last, edge) => {
      for (const name of [`${first} ${last}`, `${last}, ${first}`, `${first} Q ${last}`]) {
        expect(occursIn(`before${edge}${name}${edge}after`, `${first} ${last}`)).toBe(true);
      }
      fc.pre(first !== last);
      expect(occursIn(`${first} 12 DOLF 3 ${last}`, `${first} ${last}`)).toBe(false);
    }),
  );
});

it("any text and any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, wanted) => {
      expect(typeof occursIn(text, wanted)).toBe("boolean");
    }),
  );
});

it("a name made to take long takes no longer than any other", () => {
  const letters = "a ".repeat(60);
  expect(occursIn(`${letters.repeat(200)}c`, `${letters}b`)).toBe(false);
  expect(occursIn(`${letters.repeat(200)}b`, "a a a a a a a a a a a b")).toBe(true);
});
