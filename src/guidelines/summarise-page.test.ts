import { describe, expect, it } from "vitest";
import { textbookPages } from "../../test/support/sample-textbook.ts";
import { countWords } from "./clip-words.ts";
import { readPageStructure } from "./read-page-structure.ts";
import { summarisePage } from "./summarise-page.ts";

describe("a minisummary", () => {
  it("is made of the page's own sentences", () => {
    for (const text of textbookPages) {
      const page = readPageStructure(text);
      if (page.sentences.length === 0) continue;
      const summary = summarisePage(page);
      expect(page.sentences.some((sentence) => summary.includes(sentence))).toBe(true);
      expect(countWords(summary)).toBeLessThanOrEqual(60);
    }
  });

  it("prefers what is said to what is asked or asked for", () => {
    const page = readPageStructure(
      "What is a river? Ask the learners about rivers. A river is a stream of water that flows to the sea. Look at the river in the picture.",
    );
    expect(summarisePage(page)).toContain("A river is a stream of water that flows to the sea.");
  });

  it("of a page without sentences names what is on it", () => {
    const page = readPageStructure("Exercise 3\n\n1. Name three solids\n2. Name three liquids\n3. Name three gases");
    expect(summarisePage(page)).toContain("Name three solids");
  });
});
