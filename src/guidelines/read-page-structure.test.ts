import { describe, expect, it } from "vitest";
import { emptyPages, noisy, textbookPages } from "../../test/support/sample-textbook.ts";
import { readPageStructure } from "./read-page-structure.ts";

const paragraph =
  "Plants take up water through their roots and carry it through the stem. The leaves use the water and the light of the\nsun to make sugar.";

function headingsOf(text: string): string[] {
  return readPageStructure(text).headings.map(({ role, number, text: title }) => `${role} ${number ?? "-"} ${title}`);
}

describe("headings", () => {
  it("are told by size words, with the title behind or below them", () => {
    expect(headingsOf(`Chapter 3: Plants\n\n${paragraph}`)).toEqual(["chapter 3 Plants"]);
    expect(headingsOf(`UNIT TWO\n\nENERGY AND\nCHANGE\n\n${paragraph}`)).toEqual(["unit 2 ENERGY AND CHANGE"]);
    expect(headingsOf(`Lesson 5 – Roots\n\n${paragraph}`)).toEqual(["lesson 5 Roots"]);
    expect(headingsOf(`CHAPTER\nIV\n\nThe Water Cycle\n\n${paragraph}`)).toEqual(["chapter 4 The Water Cycle"]);
    expect(headingsOf(`Appendix B: Tables of units\n\n${paragraph}`)).toEqual(["chapter B Tables of units"]);
  });

  it("are told by numbers, and their depth by the number", () => {
    const { headings } = readPageStructure(`1.2 Leaves\n\n${paragraph}\n\n1.2.1 Veins\n\n${paragraph}`);
    expect(headings.map(({ number, level }) => [number, level])).toEqual([
      ["1.2", 3],
      ["1.2.1", 4],
    ]);
  });

  it("survive letters that were taken for digits and the other way round", () => {
    expect(headingsOf(`l.2 Leaves\n\n${paragraph}`)).toEqual(["section 1.2 Leaves"]);
    expect(headingsOf(`Chapter l\n\nPlants\n\n${paragraph}`)).toEqual(["chapter 1 Plants"]);
    expect(headingsOf(`Chaptcr 1O: Plants ~ |\n\n${paragraph}`)).toEqual(["chapter 10 Plants"]);
    expect(headingsOf(`Un1t 2: Energy\n\n${paragraph}`)).toEqual(["unit 2 Energy"]);
  });

  it("are less certain without a number", () => {
    const { headings } = readPageStructure(
      `${paragraph}\n\nThe Parts of a Leaf\n\n${paragraph}\n\nROOT HAIRS\n\n${paragraph}`,
    );
    expect(headings.map(({ text }) => text)).toEqual(["The Parts of a Leaf", "ROOT HAIRS"]);
    expect(headings.every(({ certainty }) => certainty < 0.8)).toBe(true);
  });

  it("are none of these: sentences, captions, quantities, list items, references", () => {
    const others = [
      "as we have seen in\nChapter 3, plants need water.",
      "Figure 1.2: A leaf",
      "2.5 kg of flour are enough for a cake.",
      "1. Look at the picture.\n\n2. Name the parts.",
      "http://example.org/leaf.png",
      "x = 2 y + 3",
    ];
    for (const other of others) expect(headingsOf(`${paragraph}\n\n${other}\n\n${paragraph}`), other).toEqual([]);
  });

  it("tell in which line they stand and how much text follows", () => {
    const { headings } = readPageStructure(`${paragraph}\n\n1.2 Leaves\n\n${paragraph}`);
    expect(headings).toMatchObject([{ line: 3, top: false, lines: 3 }]);
  });

  it("confirm a chapter by the first section below it", () => {
    expect(headingsOf(`8. Shared libraries\n\n${paragraph}\n\n8.1 Names of libraries\n\n${paragraph}`)).toEqual([
      "chapter 8 Shared libraries",
      "section 8.1 Names of libraries",
    ]);
  });
});

describe("page numbers and running heads", () => {
  it("are no headings", () => {
    for (const [text, page] of [
      [`Chapter 1: Plants 13\n\n${paragraph}`, 13],
      [`${paragraph}\n\n18 Chapter 2. Animals`, 18],
      [`104 CHAPTER 2. ANIMALS\n\n${paragraph}`, 104],
      [`2.1. ROOTS 103\n\n${paragraph}`, 103],
      [`- 7 -\n\n${paragraph}`, 7],
      [`${paragraph}\n\nPage 9 of 120`, 9],
    ] as const) {
      const { headings, printedPage } = readPageStructure(text);
      expect(headings, text).toEqual([]);
      expect(printedPage).toBe(page);
    }
  });

  it("leave a title alone that ends with a number of its own", () => {
    expect(headingsOf(`World War 2\n\n${paragraph}\n\n45`)).toEqual(["section - World War 2"]);
    expect(headingsOf(`Chapter 3\n\n${paragraph}`)).toEqual(["chapter 3 "]);
  });

  it("are kept without their numbers, to be known again", () => {
    const [one, other] = [12, 14].map((page) => readPageStructure(`${page} Our Living World\n\n${paragraph}`).edges[0]);
    expect(one).toBe("our living world");
    expect(other).toBe(one);
  });
});

describe("a table of contents", () => {
  it("gives its entries with numbers, levels and pages", () => {
    const { kind, contents, headings } = readPageStructure(textbookPages[2] as string);
    expect(kind).toBe("contents");
    expect(headings).toEqual([]);
    expect(contents.slice(0, 3)).toEqual([
      { title: "Plants", level: 2, number: "1", page: 1 },
      { title: "Roots and stems", level: 3, number: "1.1", page: 1 },
      { title: "Leaves", level: 3, number: "1.2", page: 3 },
    ]);
    expect(contents.find(({ title }) => title === "Habitats")?.page).toBe(10);
  });

  it("tells chapters from sections by their dots where nothing is numbered", () => {
    const rows = "Fonts 46\nCairo . . . . . . 46\nPostscript . . . . . 47\nGlossary 47\nLayers 52\nOrder . . . . . 52";
    const { contents } = readPageStructure(`Contents\n\n${rows}`);
    expect(contents.map(({ level }) => level)).toEqual([2, 3, 3, 2, 2, 3]);
  });
});

describe("a table of contents that was recognised as a list", () => {
  it("has its levels from the indents", () => {
    const rows = "- Plants … 1\n  - Roots … 2\n    - Root hairs … 2\n- Animals … 9\n  - Bones … 10";
    const { kind, contents } = readPageStructure(`Contents\n\n${rows}`);
    expect(kind).toBe("contents");
    expect(contents.map(({ title, level, page }) => [title, level, page])).toEqual([
      ["Plants", 2, 1],
      ["Roots", 3, 2],
      ["Root hairs", 4, 2],
      ["Animals", 2, 9],
      ["Bones", 3, 10],
    ]);
  });
});

describe("the kind of a page", () => {
  it("tells what teaches nothing", () => {
    const kinds = textbookPages.map((page) => readPageStructure(page).kind);
    expect(kinds.flatMap((kind, index) => (kind === "content" ? [] : [index + 1]))).toEqual(emptyPages);
    expect(emptyPages.map((page) => kinds[page - 1])).toEqual(["matter", "matter", "contents", "blank", "matter"]);
    expect(textbookPages.map((page) => readPageStructure(noisy(page)).kind)).toEqual(kinds);
  });
});

describe("the parts of a page", () => {
  const page = (number: number) => readPageStructure(textbookPages[number - 1] as string);

  it("has the objectives that an announcement introduces", () => {
    expect(page(4).objectives).toEqual([
      "name the parts of a plant",
      "explain what roots and stems do",
      "describe how a seed grows",
    ]);
  });

  it("has definitions, with words that were broken over two lines whole again", () => {
    expect(page(4).definitions).toEqual([
      { term: "root hair", text: "A root hair is a tiny thread on the root through which water enters the plant." },
    ]);
    expect(page(6).definitions.map(({ term }) => term)).toEqual(["photosynthesis", "leaf", "chlorophyll"]);
    expect(page(15).definitions.map(({ term }) => term)).toEqual(["matter", "liquid"]);
  });

  it("has worked examples together with their solutions", () => {
    expect(page(7).examples).toEqual([
      "Example 1: A plant has 12 leaves and every leaf makes 2 grams of sugar in a day. How much sugar does the plant make in a day? Solution: 12 leaves make 12 times 2 grams, which is 24 grams of sugar.",
    ]);
  });

  it("has activities under their names, a list of things as one item", () => {
    expect(page(5).activities[0]).toBe("Watching water climb: Put a stick of celery into a glass of red ink.");
    expect(page(14).activities).toEqual([
      "A pond in a jar: a large jar, pond water, some water plants",
      "Fill the jar with pond water.",
      "Add the water plants and look at it every day.",
    ]);
  });

  it("has exercises, and questions that a chapter asks at its beginning", () => {
    expect(page(8).exercises).toHaveLength(3);
    const asked = readPageStructure(`Rivers\n\nWhat is a river? Where does its water come from?\n\n${paragraph}`);
    expect(asked.exercises).toEqual(["What is a river?", "Where does its water come from?"]);
  });

  it("ranks key words first, then what headings and sentences repeat", () => {
    const { keyTerms } = page(6);
    expect(keyTerms.slice(0, 5)).toEqual(
      expect.arrayContaining(["chlorophyll", "photosynthesis", "sugar", "sunlight"]),
    );
    expect(keyTerms.length).toBeLessThanOrEqual(12);
  });

  it("has whole sentences only", () => {
    for (const sentence of textbookPages.flatMap((text) => readPageStructure(text).sentences)) {
      expect(sentence).toMatch(/^\p{Lu}.*[.!?]$/u);
    }
  });
});

describe("a chapter without a number", () => {
  const opener = (below: string) =>
    readPageStructure(`Rivers and lakes\n\n${below}\n\nEvery river begins as a spring.`).headings[0];

  it("is told by the questions it opens with, in lines or in one paragraph", () => {
    const questions = ["Where does a river begin?", "Why is the sea salty and a lake not?", "How does a delta grow?"];
    for (const below of [questions.join("\n"), questions.join(" ")]) {
      expect(opener(below)).toMatchObject({ text: "Rivers and lakes", role: "chapter", level: 2 });
    }
  });

  it("is not made of a title with a question or two", () => {
    expect(opener("Where does a river begin? It begins as a spring. Then it grows.")?.role).not.toBe("chapter");
  });
});
