import { describe, expect, it } from "vitest";
import { textbookPages } from "../../test/support/sample-textbook.ts";
import { countWords } from "./clip-words.ts";
import { collectParts } from "./collect-parts.ts";
import { composeGuidelines, summariseSubtopic } from "./compose-guidelines.ts";
import { readPageStructure } from "./read-page-structure.ts";

function partsOf(...pages: number[]) {
  return pages.map((page) => collectParts(readPageStructure(textbookPages[page - 1] as string), page));
}

describe("guidelines", () => {
  it("have a section for each kind of part, every item with its page", () => {
    const text = composeGuidelines("Plants", partsOf(4, 5, 6, 7, 8));
    expect(text.match(/^## .*/gm)).toEqual([
      "## Learning objectives",
      "## Key terms",
      "## Line of explanation",
      "## Worked examples",
      "## Activities",
      "## Exercises and checks",
    ]);
    expect(text).toContain("- name the parts of a plant (p. 4)");
    expect(text).toContain("- **photosynthesis**: This process is called photosynthesis. (p. 6)");
    const items = text.split("\n").filter((line) => /^(?:-|\d+\.) /.test(line));
    expect(items.every((item) => /\(p\. \d+\)$/.test(item))).toBe(true);
  });

  it("say only what the pages say", () => {
    const pages = [4, 5, 6, 7, 8];
    const source = pages
      .map((page) => textbookPages[page - 1])
      .join("\n")
      .replace(/-\n/g, "")
      .replace(/\s+/g, " ");
    const text = composeGuidelines("Plants", partsOf(...pages));
    const explained = text.split("\n").flatMap((line) => /^\d+\. (.*) \(p\. \d+\)$/.exec(line)?.[1] ?? []);
    expect(explained.length).toBeGreaterThan(4);
    for (const sentence of explained) expect(source).toContain(sentence);
  });

  it("do not depend on the order of the parts, and say nothing twice", () => {
    const [one, other] = [composeGuidelines("Leaves", partsOf(6, 7, 8)), composeGuidelines("Leaves", partsOf(8, 6, 7))];
    expect(other).toBe(one);
    const again = partsOf(6, 7, 8, 8).map((part, index) => ({ ...part, page: index === 3 ? 9 : part.page }));
    const said = composeGuidelines("Leaves", again)
      .split("\n")
      .filter((line) => !line.startsWith("- Also: "));
    expect(said.join("\n")).not.toContain("(p. 9)");
  });

  it("leave out sections for which there is nothing", () => {
    const text = composeGuidelines("Skeletons", partsOf(12));
    expect(text).not.toContain("Learning objectives");
    expect(text).not.toContain("Worked examples");
    expect(composeGuidelines("Nothing", [])).toBe("# Nothing\n");
  });

  it("stay readable for a subtopic of a hundred pages", () => {
    const [part] = partsOf(8);
    if (part === undefined) throw new Error("The page has parts.");
    const many = Array.from({ length: 100 }, (_, page) => ({
      ...part,
      page,
      exercises: [`Solve problem ${page} about the water of lake number ${page}.`],
      sentences: [`Lake number ${page} has water of colour ${page}.`],
    }));
    const lines = composeGuidelines("Lakes", many).split("\n");
    expect(lines.length).toBeLessThan(90);
    expect(lines.some((line) => line.includes("(p. 9"))).toBe(true);
  });
});

describe("the summary of a subtopic", () => {
  it("has 15 to 30 words of its own sentences", () => {
    for (const pages of [[4, 5], [6, 7, 8], [9], [13, 14], [22, 23]]) {
      const summary = summariseSubtopic("Plants", partsOf(...pages));
      expect(countWords(summary)).toBeGreaterThanOrEqual(15);
      expect(countWords(summary)).toBeLessThanOrEqual(30);
    }
  });

  it("has them even where the pages hold next to nothing", () => {
    const empty = collectParts(readPageStructure("Water"), 3);
    for (const parts of [[], [empty], [{ ...empty, sentences: ["Water is wet."], keyTerms: ["water"] }]]) {
      const words = countWords(summariseSubtopic("Water", parts));
      expect(words).toBeGreaterThanOrEqual(15);
      expect(words).toBeLessThanOrEqual(30);
    }
  });
});
