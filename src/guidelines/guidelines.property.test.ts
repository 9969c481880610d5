import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textbookPages } from "../../test/support/sample-textbook.ts";
import { countWords } from "./clip-words.ts";
import { collectParts } from "./collect-parts.ts";
import { composeGuidelines, summariseSubtopic } from "./compose-guidelines.ts";
import { decidePage } from "./decide-page.ts";
import { type ComparedSubtopic, findDuplicates } from "./find-duplicates.ts";
import { makeKey } from "./make-key.ts";
import { mergeTerms } from "./merge-terms.ts";
import { readPageStructure } from "./read-page-structure.ts";
import { refineName } from "./refine-names.ts";
import { summarisePage } from "./summarise-page.ts";

/** Pieces of pages in any order, with signs between them that OCR makes up. */
const scraps = textbookPages.flatMap((page) => page.split("\n"));
const page = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom("", "", "Chapter", "1.", "l.l", "12", "....", "|", ...scraps),
        fc.string({ maxLength: 60 }),
      ),
      {
        maxLength: 40,
      },
    )
    .map((lines) => lines.join("\n")),
);
const title = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.constantFrom("Chapter 1: Plants", "2.1 Roots", "Activity"),
);

describe("any page", () => {
  it("is read, summarised, placed and composed without an error, and always in the same way", () => {
    fc.assert(
      fc.property(page, page, title, title, (one, other, topicTitle, subtopicTitle) => {
        const structure = readPageStructure(one);
        expect(readPageStructure(one)).toEqual(structure);
        expect(structure.keyTerms.length).toBeLessThanOrEqual(12);
        expect(countWords(summarisePage(structure))).toBeLessThanOrEqual(60);

        const parts = [collectParts(structure, 7), collectParts(readPageStructure(other), 8)];
        expect(JSON.parse(JSON.stringify(parts))).toEqual(parts);
        expect(composeGuidelines(subtopicTitle, parts)).toMatch(/^# /);
        const words = countWords(summariseSubtopic(subtopicTitle, parts));
        expect(words).toBeGreaterThanOrEqual(15);
        expect(words).toBeLessThanOrEqual(30);
        refineName({ topicTitle, subtopicTitle, parts });

        const keyTerms = mergeTerms(parts[0]?.keyTerms ?? [], parts[1]?.keyTerms ?? []);
        const open = { key: "open", topicTitle, subtopicTitle, keyTerms, lastPage: 6, similarity: null };
        const context = { page: 7, recentSummaries: [], contents: structure.contents, lastTopicTitle: topicTitle };
        const decision = decidePage(structure, { ...context, openSubtopics: [open], recentEdges: structure.edges });
        if (decision.kind === "skip") return;
        expect(decision.confidence).toBeGreaterThanOrEqual(0);
        expect(decision.confidence).toBeLessThanOrEqual(1);
        if (decision.kind === "new") expect(`${decision.topicTitle} / ${decision.subtopicTitle}`).toMatch(/\S \/ \S/);
        expect(decidePage(structure, { ...context, openSubtopics: [] }).kind).toBe("new");
      }),
      { numRuns: 300 },
    );
  });
});

describe("keys", () => {
  it("are short, plain and all different", () => {
    fc.assert(
      fc.property(fc.array(title, { maxLength: 30 }), (titles) => {
        const keys = new Set<string>();
        for (const text of titles) keys.add(makeKey(text, keys));
        expect(keys.size).toBe(titles.length);
        for (const key of keys) expect(key).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect([...keys].every((key) => key.length <= 60)).toBe(true);
      }),
    );
  });
});

describe("duplicates", () => {
  it("form no chains, whatever the order in which subtopics come", () => {
    const compared = fc.record({
      topicTitle: fc.constantFrom("Plants", "Animals"),
      subtopicTitle: fc.constantFrom("Leaves", "Leaf", "Roots", "Growth", "Introduction"),
      pages: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
      keyTerms: fc.uniqueArray(fc.constantFrom("leaf", "root", "water", "soil", "sugar"), { maxLength: 4 }),
      vector: fc.constant(null),
    });
    fc.assert(
      fc.property(fc.array(compared, { maxLength: 12 }), (list) => {
        const subtopics: ComparedSubtopic[] = list.map((one, index) => ({ ...one, key: `s${index}` }));
        const found = findDuplicates(subtopics);
        const dropped = found.map(({ drop }) => drop);
        expect(new Set(dropped).size).toBe(dropped.length);
        expect(found.every(({ keep }) => !dropped.includes(keep))).toBe(true);
        expect(findDuplicates(subtopics.toReversed())).toEqual(found);
      }),
    );
  });
});
