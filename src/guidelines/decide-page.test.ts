import { describe, expect, it } from "vitest";
import { emptyPages, noisy, sectionStarts, textbookPages } from "../../test/support/sample-textbook.ts";
import { type DecisionContext, decidePage, type OpenSubtopic, type PageDecision } from "./decide-page.ts";
import { mergeTerms } from "./merge-terms.ts";
import type { ContentsEntry } from "./page-structure.ts";
import { readPageStructure } from "./read-page-structure.ts";

/** Reads a book as the extraction does: subtopics without a new page for 5 pages are no longer open. */
function readBook(pages: readonly string[], { useContents = true } = {}): PageDecision[] {
  const subtopics: OpenSubtopic[] = [];
  const contents: ContentsEntry[] = [];
  const edges: string[][] = [];
  let lastTopicTitle: string | null = null;
  return pages.map((text, index) => {
    const page = index + 1;
    const structure = readPageStructure(text);
    if (useContents) contents.push(...structure.contents);
    const decision = decidePage(structure, {
      page,
      openSubtopics: subtopics.filter(({ lastPage }) => page - lastPage <= 5),
      recentSummaries: [],
      contents,
      lastTopicTitle,
      recentEdges: edges.slice(-5).flat(),
    });
    edges.push(structure.edges);
    if (decision.kind === "new") {
      const { topicTitle, subtopicTitle } = decision;
      const { keyTerms } = structure;
      subtopics.push({ key: `${page}`, topicTitle, subtopicTitle, keyTerms, lastPage: page, similarity: null });
      lastTopicTitle = topicTitle;
    } else if (decision.kind === "continue") {
      const open = subtopics.find(({ key }) => key === decision.subtopicKey) as OpenSubtopic;
      open.lastPage = page;
      open.keyTerms = mergeTerms(open.keyTerms, structure.keyTerms);
    }
    return decision;
  });
}

function startsOf(decisions: readonly PageDecision[]) {
  return decisions.flatMap((decision, index) => {
    if (decision.kind !== "new") return [];
    const bare = (title: string) => title.replace(/^(?:Chapter )?[\d.]+:? /, "").toLowerCase();
    return [{ page: index + 1, topic: bare(decision.topicTitle), subtopic: bare(decision.subtopicTitle) }];
  });
}

const truth = sectionStarts.map(({ page, topic, subtopic }) => ({
  page,
  topic: topic.toLowerCase(),
  subtopic: subtopic.toLowerCase(),
}));

describe("a whole book", () => {
  it("falls into its chapters and sections", () => {
    const decisions = readBook(textbookPages);
    expect(startsOf(decisions)).toEqual(truth);
    expect(decisions.flatMap(({ kind }, index) => (kind === "skip" ? [index + 1] : []))).toEqual(emptyPages);
  });

  it("does so from a poor scan", () => {
    expect(startsOf(readBook(textbookPages.map(noisy)))).toEqual(truth);
  });

  it("does so without a table of contents", () => {
    expect(startsOf(readBook(textbookPages, { useContents: false }))).toEqual(truth);
  });
});

const roots: OpenSubtopic = {
  key: "roots",
  topicTitle: "Chapter 1: Plants",
  subtopicTitle: "1.1 Roots",
  keyTerms: ["roots", "soil", "water", "plant"],
  lastPage: 9,
  similarity: null,
};
const aboutRoots =
  "Roots grow down into the soil and hold the plant. The roots take up water from the soil for the plant. Water and soil\nare what roots need.";
const aboutMoney =
  "Coins and notes are money. People pay for goods with money, and a bank keeps the money of many people. A bank lends\nmoney and asks for interest.";

function decide(text: string, context: Partial<DecisionContext> = {}): PageDecision {
  return decidePage(readPageStructure(text), {
    page: 10,
    openSubtopics: [roots],
    recentSummaries: [],
    contents: [],
    lastTopicTitle: "Chapter 1: Plants",
    ...context,
  });
}

const unnumbered = { ...roots, subtopicTitle: "Roots" };

describe("a page", () => {
  it("without headings continues what was last open", () => {
    const older = { ...roots, key: "older", lastPage: 4 };
    expect(decide(aboutMoney, { openSubtopics: [roots, older] })).toMatchObject({
      kind: "continue",
      subtopicKey: "roots",
    });
  });

  it("is the surer to continue the more words it shares", () => {
    const [near, far] = [decide(aboutRoots), decide(aboutMoney)];
    if (near.kind !== "continue" || far.kind !== "continue") throw new Error("Both continue.");
    expect(near.confidence).toBeGreaterThan(far.confidence);
  });

  it("with a chapter heading begins a topic, and names its first section", () => {
    const text = `Chapter 2: Money\n\n2.1 Coins\n\n${aboutMoney}`;
    expect(decide(text)).toMatchObject({ kind: "new", topicTitle: "Chapter 2: Money", subtopicTitle: "2.1 Coins" });
  });

  it("with the next section begins a subtopic of the same topic", () => {
    const decision = decide(`${aboutRoots}\n\n1.2 Stems\n\n${aboutRoots}`);
    expect(decision).toMatchObject({ kind: "new", topicTitle: "Chapter 1: Plants", subtopicTitle: "1.2 Stems" });
  });

  it("with a lesson begins a subtopic", () => {
    const context = { openSubtopics: [{ ...unnumbered, subtopicTitle: "Lesson 2: Roots" }] };
    expect(decide(`Lesson 3: Stems\n\n${aboutRoots}`, context)).toMatchObject({
      kind: "new",
      topicTitle: "Chapter 1: Plants",
      subtopicTitle: "Lesson 3: Stems",
    });
  });

  it.each([
    ["the heading of what is open", `1.1 Roots (continued)\n\n${aboutRoots}`],
    ["the open chapter's running head", `CHAPTER 1 PLANTS\n\n${aboutRoots}`],
    ["a deeper number", `1.1.2 Root hairs\n\n${aboutRoots}`],
    ["a number that goes back", `0.3 Tools\n\n${aboutRoots}`],
    ["a number far ahead", `7.9 Rockets\n\n${aboutRoots}`],
    ["exercises", `Exercise 1.1\n\n1. What do roots do?\n2. Where do they grow?\n\n${aboutRoots}`],
    ["a page number before the title of the book", `20 Our Living World\n\n${aboutRoots}`],
    ["a bare title in a numbered book", `Money and Banks\n\n${aboutMoney}`],
  ])("continues with %s", (_name, text) => {
    expect(decide(text)).toMatchObject({ kind: "continue", subtopicKey: "roots" });
  });

  it("knows the running heads of the pages before", () => {
    const text = `Money and Banks\n\n${aboutMoney}`;
    const context = { openSubtopics: [unnumbered] };
    expect(decide(text, context).kind).toBe("new");
    expect(decide(text, { ...context, recentEdges: ["money and banks"] }).kind).toBe("continue");
  });

  it("with a bare title begins a subtopic only where its words are others, or its vector is far", () => {
    const near = `How Roots Drink Water\n\n${aboutRoots}`;
    const far = `Money and Banks\n\n${aboutMoney}`;
    expect(decide(near, { openSubtopics: [unnumbered] }).kind).toBe("continue");
    expect(decide(far, { openSubtopics: [unnumbered] })).toMatchObject({
      kind: "new",
      subtopicTitle: "Money and Banks",
    });
    expect(decide(far, { openSubtopics: [{ ...unnumbered, similarity: 0.9 }] }).kind).toBe("continue");
  });

  it("with a title and objectives of its own begins a subtopic", () => {
    const text = `Measuring Roots\n\nObjective\n\nTo measure how roots grow in soil.\n\n${aboutRoots}`;
    expect(decide(text, { openSubtopics: [unnumbered] })).toMatchObject({
      kind: "new",
      subtopicTitle: "Measuring Roots",
    });
  });

  it("follows the table of contents for titles without numbers", () => {
    const entry = (title: string, level: number, page: number) => ({ title, level, number: null, page });
    const contents = [
      entry("Plants", 2, 1),
      entry("Roots", 3, 2),
      entry("Stems", 3, 10),
      entry("Wood", 3, 12),
      entry("Bark", 3, 12),
      entry("Animals", 2, 20),
    ];
    const context = { contents, openSubtopics: [unnumbered], lastTopicTitle: "Plants" };
    const stems = decide(`Stems\n\n${aboutRoots}\n\n10`, context);
    expect(stems).toMatchObject({ kind: "new", topicTitle: "Plants", subtopicTitle: "Stems" });
    // Less than two pages of its own: a heading within its section.
    expect(decide(`Wood\n\n${aboutRoots}\n\n12`, context).kind).toBe("continue");
    expect(decide(`Money and Banks\n\n${aboutMoney}`, context).kind).toBe("continue");
    const animals = decide(`ANIMALS\n\n${aboutMoney}\n\n20`, context);
    expect(animals).toMatchObject({ kind: "new", topicTitle: "ANIMALS" });
    if (stems.kind === "new") expect(stems.confidence).toBeGreaterThan(0.9);
  });

  it("finds the chapter of a section in the table of contents where its heading was not read", () => {
    const contents = [{ title: "Animals", level: 2, number: "2", page: 12 }];
    expect(decide(`2.1 Skeletons\n\n${aboutMoney}`, { contents })).toMatchObject({
      kind: "new",
      topicTitle: "Chapter 2: Animals",
    });
  });

  it("that comes first gets a place without any heading, at little confidence", () => {
    const decision = decide(aboutMoney, { openSubtopics: [], lastTopicTitle: null });
    expect(decision).toMatchObject({ kind: "new", confidence: 0.3 });
  });

  it("without text is skipped", () => {
    expect(decide("  \n\n 12 ")).toEqual({ kind: "skip", reason: "blank page" });
  });
});
