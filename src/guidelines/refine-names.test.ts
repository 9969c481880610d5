import { describe, expect, it } from "vitest";
import { textbookPages } from "../../test/support/sample-textbook.ts";
import { collectParts } from "./collect-parts.ts";
import type { PageParts } from "./page-parts.ts";
import { readPageStructure } from "./read-page-structure.ts";
import { refineName } from "./refine-names.ts";

const parts: PageParts[] = [20, 21].map((page) =>
  collectParts(readPageStructure(textbookPages[page - 1] as string), page),
);

function refine(subtopicTitle: string, topicTitle = "Plants"): string {
  return refineName({ topicTitle, subtopicTitle, parts }).subtopicTitle;
}

describe("a refined name", () => {
  it("has no number", () => {
    expect(refine("1.2 Leaves")).toBe("Leaves");
    expect(refine("Chapter 3: Plants")).toBe("Plants");
    expect(refine("LESSON FIVE: Roots")).toBe("Roots");
    expect(refine("12. Roots")).toBe("Roots");
  });

  it("has the case that the text uses", () => {
    expect(refine("DAY AND NIGHT ON THE EARTH")).toBe("Day and night on the Earth");
    expect(refine("the path around the sun")).toBe("The path around the Sun");
    expect(refine("Roots and Stems")).toBe("Roots and Stems");
  });

  it("has no debris of the scan", () => {
    expect(refine("| Roots and ~ stems •")).toBe("Roots and stems");
    expect(refine("What is a plant?")).toBe("What is a plant?");
  });

  it("is not generic: key words name it instead", () => {
    for (const generic of ["Activity 3", "Introduction", "Exercise 3", "Chapter 4", "2.1 Summary", ""]) {
      const name = refine(generic);
      expect(name.toLowerCase()).toContain("earth");
      expect(name).toMatch(/^\p{Lu}/u);
    }
  });

  it("falls back on the topic where there are no key words, and names a generic topic after its subtopic", () => {
    expect(refineName({ topicTitle: "2 Plants", subtopicTitle: "Introduction", parts: [] }).subtopicTitle).toBe(
      "Plants",
    );
    expect(refineName({ topicTitle: "Chapter 2", subtopicTitle: "2.1 Roots", parts: [] }).topicTitle).toBe("Roots");
  });

  it("does not change any more when refined again", () => {
    for (const title of ["1.2 Leaves", "EARTH AND SKY", "Activity", "| a ~"]) {
      const once = refineName({ topicTitle: title, subtopicTitle: title, parts });
      expect(refineName({ ...once, parts })).toEqual(once);
    }
  });
});
