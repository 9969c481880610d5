import { describe, expect, it } from "vitest";
import { type ComparedSubtopic, findDuplicates } from "./find-duplicates.ts";

function subtopic(key: string, changes: Partial<ComparedSubtopic> = {}): ComparedSubtopic {
  return { key, topicTitle: "Plants", subtopicTitle: key, pages: [], keyTerms: [], vector: null, ...changes };
}

const words = ["leaf", "sunlight", "sugar", "chlorophyll"];

describe("duplicates", () => {
  it("are subtopics of the same name and words; the first is kept", () => {
    const late = subtopic("late", { subtopicTitle: "THE LEAVES", pages: [9], keyTerms: words });
    const early = subtopic("early", { subtopicTitle: "The leaf", pages: [3, 4], keyTerms: words });
    expect(findDuplicates([late, early])).toEqual([{ keep: "early", drop: "late", reason: "same concept" }]);
  });

  it("are subtopics on the same pages, and those within another", () => {
    const whole = subtopic("whole", { subtopicTitle: "Leaves", pages: [3, 4, 5], keyTerms: words });
    const same = subtopic("xsame", { subtopicTitle: "What leaves do", pages: [5, 3, 4], keyTerms: words });
    const part = subtopic("part", { subtopicTitle: "Sugar", pages: [4], keyTerms: words.slice(0, 3) });
    expect(findDuplicates([whole, same, part])).toEqual([
      { keep: "whole", drop: "xsame", reason: "same pages" },
      { keep: "whole", drop: "part", reason: "subset" },
    ]);
  });

  it("are not subtopics that only sound alike", () => {
    const pairs: [Partial<ComparedSubtopic>, Partial<ComparedSubtopic>][] = [
      [{ subtopicTitle: "Introduction" }, { subtopicTitle: "Introduction" }],
      [{ subtopicTitle: "RC circuits" }, { subtopicTitle: "RL circuits" }],
      [{ subtopicTitle: "1.4 Review of leaves" }, { subtopicTitle: "2.4 Review of leaves" }],
      [
        { subtopicTitle: "Growth", keyTerms: words },
        { subtopicTitle: "Growth", topicTitle: "Animals", keyTerms: ["bone", "muscle"] },
      ],
      [
        { subtopicTitle: "Leaves", keyTerms: words },
        { subtopicTitle: "Roots", keyTerms: ["soil", "water", "leaf"] },
      ],
    ];
    for (const [one, other] of pairs) {
      const both = [subtopic("one", { pages: [1], ...one }), subtopic("other", { pages: [2], ...other })];
      expect(findDuplicates(both), one.subtopicTitle).toEqual([]);
    }
  });

  it("of the same name in two topics need their vectors to agree where their words do so only in part", () => {
    const one = subtopic("one", { subtopicTitle: "Growth", pages: [1], keyTerms: words });
    const other = subtopic("other", {
      subtopicTitle: "Growth",
      topicTitle: "Animals",
      pages: [8],
      keyTerms: [...words.slice(0, 2), "bone"],
    });
    const [near, far] = [new Float32Array([1, 0.1]), new Float32Array([-0.2, 1])];
    expect(
      findDuplicates([
        { ...one, vector: near },
        { ...other, vector: near },
      ]),
    ).toHaveLength(1);
    expect(
      findDuplicates([
        { ...one, vector: near },
        { ...other, vector: far },
      ]),
    ).toEqual([]);
  });
});
