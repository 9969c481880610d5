import { describe, expect, it } from "vitest";
import { cutSections, indexAt } from "./cut-sections.ts";

function outlineOf(markdown: string) {
  return Array.from(markdown.matchAll(/^(#+) (.+)$/gm), ({ 1: marks = "", 2: title = "", index }) => ({
    level: marks.length,
    title,
    page: null,
    offset: index,
  }));
}

function cut(markdown: string, full: number) {
  const sections = cutSections(markdown, outlineOf(markdown), full);
  expect(sections.map(({ start, end }) => markdown.slice(start, end)).join("")).toBe(markdown);
  return sections;
}

const prose = (length: number) => "word ".repeat(length / 5);

describe("cutSections", () => {
  it("begins a section with each chapter", () => {
    const markdown = `# One\n\n${prose(400)}\n\n# Two\n\n${prose(400)}\n\n# Three\n\n${prose(400)}`;
    expect(cut(markdown, 1_000).map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
  });

  it("keeps a title page with what follows it", () => {
    const markdown = `# A Book\n\nby somebody\n\n# One\n\n${prose(400)}`;
    expect(cut(markdown, 1_000).map(({ title }) => title)).toEqual(["A Book"]);
  });

  it("begins anew below a chapter where it would become too long", () => {
    const markdown = `# One\n\n${prose(600)}\n\n## Part a\n\n${prose(600)}\n\n## Part b\n\n${prose(300)}`;
    expect(cut(markdown, 1_000).map(({ title }) => title)).toEqual(["One", "Part a"]);
  });

  it("cuts between paragraphs where there are no headings", () => {
    const markdown = Array.from({ length: 50 }, () => prose(100)).join("\n\n");
    const sections = cut(markdown, 1_000);
    expect(sections.length).toBeGreaterThan(2);
    for (const { start, end } of sections) expect(end - start).toBeLessThan(2_200);
  });

  it("has one section for a document without text", () => {
    expect(cut("", 1_000)).toEqual([{ start: 0, end: 0, title: null }]);
  });
});

it("finds the section of an offset", () => {
  const sections = [{ start: 0 }, { start: 100 }, { start: 250 }];
  expect([0, 99, 100, 300, -5].map((offset) => indexAt(sections, offset))).toEqual([0, 0, 1, 2, 0]);
});
