import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchName, parseWanted, swimmerKey } from "./match-name.ts";

describe("names of one swimmer", () => {
  it.each([
    ["Jane Doe", "Doe, Jane"],
    ["jane doe", "DOE, JANE"],
    ["Doe Jane", "Doe, Jane"],
    ["Doe, Jane", "Jane Doe"],
    ["Jane Doe", "Doe, Jane M"],
    ["Jane Marie Doe", "Doe, Jane"],
    ["Jane Marie Doe", "Doe, Jane M"],
    ["Doe Jane", "Doe, Jane M"],
    ["Jane Doe", "*Doe, Jane"],
    ["Jane Doe", "Doe, Jane*"],
    ["Zoë Müller", "Muller, Zoe"],
    ["Søren Łukaszewicz", "Lukaszewicz, Soren"],
    ["Lena Weiß", "Weiss, Lena"],
    ["Declan O'Hara", "OHara, Declan"],
    ["Declan O’Hara", "O Hara, Declan"],
    ["Mara Smith-Jones", "Smith Jones, Mara"],
    ["Anne-Marie Doe", "Doe, Anne Marie"],
    ["Paulo de Souza", "de Souza, Paulo"],
    ["Paulo De Souza", "DeSouza, Paulo"],
    ["Ina Van Der Berg", "van der Berg, Ina L"],
    ["Ina Vander Berg", "Van Der Berg, Ina"],
    ["Tom Doe", "Doe Jr, Tom"],
    ["Tom Doe Jr.", "Doe, Tom"],
    ["Tom Doe III", "Doe, Tom III"],
    ["Maximiliana Featherstone", "Featherstone, Maximil"],
    ["Marie Griffin", "Griϐϐin, Marie"],
    ["Lexi Laps A Lot", "Lexi Laps A Lot,"],
  ])("%s is %s", (wanted, printed) => {
    expect(matchName(wanted, printed)).toBe("same");
  });
});

describe("names that are only alike", () => {
  it.each([
    ["Jane M Doe", "Doe, Jane K"],
    ["Jane Marie Doe", "Doe, Jane Kay"],
    ["Griffin, Tess", "Gri in, Tess"],
    ["Tess Griffin", "Griin, Tess"],
    ["Jane Doe", "Doe, Jan"],
    ["Elizabeth Moss", "Moss, Liz"],
    ["William Moss", "Moss, Bill"],
    ["Catherine Moss", "Moss, Katherine"],
    ["Brian Mossman", "Mossman, Brain"],
    ["Ann Lee", "Lee, Ana"],
    ["Maria Garcia", "Garcia Lopez, Maria"],
    ["J Doe", "Doe, Jane"],
    ["Smith", "Smith, Jane"],
    ["Jane Smith", "Smith"],
    ["Tom Doe Jr", "Doe, Tom III"],
    ["Alexandra Worthington", "Worthington, Alex"],
  ])("%s is near %s", (wanted, printed) => {
    expect(matchName(wanted, printed)).toBe("near");
  });
});

describe("names of others", () => {
  it.each([
    ["Jane Doe", "Roe, Richard"],
    ["Jane Doe", "Doe, Richard"],
    ["Jane Doe", "Smith, Jane"],
    ["Anna Lee", "Lee Anna Smith"],
    ["Lee, Anna", "Anna, Lee"],
    ["Jo Li", "Ma, Jo"],
    ["", "Doe, Jane"],
    ["Jane Doe", ""],
    ["Lane", "Doe, Jane"],
  ])("%s is not %s", (wanted, printed) => {
    expect(matchName(wanted, printed)).toBe("different");
  });
});

describe("a qualifier", () => {
  it("stands in brackets after the name", () => {
    expect(parseWanted("Anna Lee (12)")).toEqual({ name: "Anna Lee", qualifier: "12" });
    expect(parseWanted(" Lee, Anna [DOLF] ")).toEqual({ name: "Lee, Anna", qualifier: "DOLF" });
    expect(parseWanted("Anna Lee ()")).toEqual({ name: "Anna Lee", qualifier: null });
    expect(parseWanted("Anna Lee")).toEqual({ name: "Anna Lee", qualifier: null });
  });

  it("is part of the key, for it decides whose swims are found", () => {
    expect(swimmerKey("Anna Lee (DOLF)")).toBe(swimmerKey("LEE, Anna  (dolf)"));
    expect(swimmerKey("Anna Lee (12)")).not.toBe(swimmerKey("Anna Lee"));
  });
});

const word = fc
  .stringMatching(/^[A-Z][a-zéüøç]{2,9}$/)
  .filter((text) => !["iii", "jr", "sr"].includes(text.toLowerCase()));

describe("whatever the name", () => {
  it("case, accents, order, stars and spaces change neither key nor match", () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom("", "*", "  "), (first, last, extra) => {
        const written = [
          `${first} ${last}`,
          `${last}, ${first}`,
          `${last.toUpperCase()} ,${extra}${first}`,
          `${extra}${first.toLowerCase()}  ${last}${extra}`,
          `${last.normalize("NFD")}, ${first.normalize("NFD")}`,
        ];
        expect(new Set(written.map(swimmerKey)).size).toBe(1);
        for (const one of written) for (const other of written) expect(matchName(one, other)).toBe("same");
      }),
    );
  });

  it("a name is itself, with and without a middle initial, and never one with another initial", () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom("A", "K", "M"), fc.constantFrom("B", "L", "N"), (first, last, a, b) => {
        expect(matchName(`${first} ${last}`, `${last}, ${first} ${a}`)).toBe("same");
        expect(matchName(`${first} ${a} ${last}`, `${last}, ${first}`)).toBe("same");
        expect(matchName(`${first} ${a} ${last}`, `${last}, ${first} ${b}`)).not.toBe("same");
      }),
    );
  });

  it("a word alone is nobody for sure", () => {
    fc.assert(
      fc.property(word, word, (first, last) => {
        expect(matchName(last, `${last}, ${first}`)).toBe("near");
        expect(matchName(first, `${last}, ${first}`)).toBe("near");
      }),
    );
  });

  it("other letters are never the same name", () => {
    const letters = (text: string) => [...swimmerKey(text).replaceAll(" ", "")].toSorted().join("");
    fc.assert(
      fc.property(word, word, word, word, (first, last, otherFirst, otherLast) => {
        fc.pre(letters(`${first}${last}`) !== letters(`${otherFirst}${otherLast}`));
        fc.pre(`${otherLast}, ${otherFirst}`.length < 16);
        expect(matchName(`${first} ${last}`, `${otherLast}, ${otherFirst}`)).not.toBe("same");
      }),
    );
  });

  it("any text has an answer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        expect(["same", "near", "different"]).toContain(matchName(one, other));
        expect(swimmerKey(swimmerKey(one))).toBe(swimmerKey(one));
      }),
    );
  });
});
