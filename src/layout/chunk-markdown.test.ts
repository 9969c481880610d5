import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeProse } from "../../test/support/sample-books.ts";
import type { Chunk } from "./chunk.ts";
import { chunkMarkdown } from "./chunk-markdown.ts";
import type { MarkdownDocument } from "./markdown-document.ts";

function documentOf(markdown: string, pages: MarkdownDocument["pages"] = []): MarkdownDocument {
  const headings: MarkdownDocument["headings"] = [];
  let offset = 0;
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    if (heading && !fenced) headings.push({ level: heading[1]?.length ?? 1, text: heading[2] ?? "", offset });
    offset += line.length + 1;
  }
  return { markdown, pages, headings };
}

function chunk(markdown: string, options?: Parameters<typeof chunkMarkdown>[1]): Chunk[] {
  return chunkMarkdown(documentOf(markdown), options);
}

/** What a chunk adds to those before it. */
function newText(chunks: Chunk[], markdown: string): string[] {
  return chunks.map((current, i) => markdown.slice(Math.max(current.start, chunks[i - 1]?.end ?? 0), current.end));
}

describe("chunkMarkdown", () => {
  it("has nothing to say of an empty document", () => {
    expect(chunk("")).toEqual([]);
    expect(chunk(" \n\n ")).toEqual([]);
  });

  it("cuts at headings and tells the path", () => {
    const markdown = `# Harbour\n\n## Boats\n\n${makeProse(20, 1)}\n\n## Lamps\n\n${makeProse(20, 2)}\n\n# Town\n\n${makeProse(20, 3)}`;
    const chunks = chunk(markdown);
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ["Harbour", "Boats"],
      ["Harbour", "Lamps"],
      ["Town"],
    ]);
    expect(chunks[0]?.content.startsWith("# Harbour\n\n## Boats\n\n")).toBe(true);
    expect(chunks[1]?.content.startsWith("## Lamps\n\n")).toBe(true);
  });

  it("gathers small sections under their parent", () => {
    const entries = Array.from({ length: 60 }, (_, i) => `## Entry ${i}\n\n${makeProse(2, i + 1)}`);
    const chunks = chunk(["# Glossary", ...entries].join("\n\n"));
    expect(chunks.length).toBeLessThan(20);
    expect(chunks.every(({ tokens }) => tokens > 100)).toBe(true);
    expect(chunks.every(({ content }) => content.startsWith("#"))).toBe(true);
    expect(chunks.every(({ headingPath }) => headingPath.length === 1 && headingPath[0] === "Glossary")).toBe(true);
  });

  it("repeats whole sentences, and only within a section", () => {
    const markdown = `# A\n\n${makeProse(80, 1)}\n\n# B\n\n${makeProse(80, 2)}`;
    const chunks = chunk(markdown);
    const overlaps = chunks.slice(1).map((current, i) => markdown.slice(current.start, chunks[i]?.end));
    expect(overlaps.some((text) => text !== "")).toBe(true);
    for (const text of overlaps) expect(text).toMatch(/^(?:|[A-Z].*\.)$/s);
    expect(chunks.find(({ content }) => content.startsWith("# B"))).toBeDefined();
  });

  it("keeps code and tables whole, and cuts giants by lines and rows", () => {
    const code = `\`\`\`ts\n${"const lamp = light(harbour);\n\n".repeat(20)}\`\`\``;
    const table = (rows: number) => `| Port | Depth |\n| - | - |\n${"| Ely harbour | 3 m |\n".repeat(rows)}`;
    const markdown = [makeProse(15, 1), code, makeProse(15, 2), table(20), makeProse(10, 3)].join("\n\n");
    const chunks = chunk(markdown);
    expect(chunks.filter(({ content }) => content.includes(code))).toHaveLength(1);
    expect(chunks.filter(({ content }) => content.includes(table(20).trim()))).toHaveLength(1);
    const rows = newText(chunk(table(400)), table(400)).flatMap((text) => text.trim().split("\n"));
    expect(rows).toHaveLength(402);
    const lines = `\`\`\`\n${"light(the, lamp);\n".repeat(400)}\`\`\``;
    expect(newText(chunk(lines), lines).flatMap((text) => text.trim().split("\n"))).toHaveLength(402);
  });

  it("never cuts a character as readers see it", () => {
    const family = "👩‍👩‍👧‍👦";
    const markdown = family.repeat(500);
    const chunks = chunk(markdown);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { content } of chunks) expect(content.replaceAll(family, "")).toBe("");
  });

  it("tells the pages", () => {
    const pages = [makeProse(30, 1), makeProse(30, 2), makeProse(30, 3)];
    const starts = pages.map((_, i) => ({ page: i + 4, offset: pages.slice(0, i).join("\n\n").length + (i ? 2 : 0) }));
    const chunks = chunkMarkdown(documentOf(pages.join("\n\n"), starts));
    expect(chunks[0]?.pageFrom).toBe(4);
    expect(chunks.at(-1)?.pageTo).toBe(6);
    for (const { start, end, pageFrom, pageTo } of chunks) {
      expect(pageFrom).toBe(starts.findLast(({ offset }) => offset <= start)?.page);
      expect(pageTo).toBe(starts.findLast(({ offset }) => offset < end)?.page);
    }
    expect(chunk("Text")).toMatchObject([{ pageFrom: null, pageTo: null }]);
  });

  it("leaves chunks far from a change as they were", () => {
    const paragraphs = Array.from({ length: 300 }, (_, i) => makeProse(3, i + 1));
    const before = new Set(chunk(paragraphs.join("\n\n")).map(({ content }) => content));
    paragraphs[20] = `${makeProse(5, 999)}\n\n${paragraphs[20]}`;
    const after = chunk(paragraphs.join("\n\n"));
    const changed = after.filter(({ content }) => !before.has(content));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(after.length / 4);
  });

  it("counts what looks like a control token as text", () => {
    expect(chunk("<|endoftext|>")[0]?.tokens).toBeGreaterThan(1);
  });

  it("makes no chunk of white space", () => {
    const chunks = chunk(`a${" ".repeat(300_000)}b`);
    expect(chunks.length).toBeGreaterThan(0);
    expect(chunks.every(({ content }) => content.trim() !== "")).toBe(true);
  });

  it("is quick with a word that never ends", () => {
    expect(
      chunk("a".repeat(200_000))
        .map(({ content }) => content)
        .join(""),
    ).toHaveLength(200_000);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    "# One\n\n",
    "## Two\n\n",
    "### Three\n",
    "\n\n",
    "\n",
    "- item\n",
    "```\ncode\n\n# no\n```\n\n",
    "> quote\n",
  ),
  fc.constantFrom(
    "| a | b |\n| - | - |\n| 1 | 2 |\n\n",
    "line\\\n",
    "[^1]: note\n",
    "```\nopen\n",
    "Dr. Fell said no. ",
    "日本語。",
    "👩‍👩‍👧 ",
  ),
  fc.integer({ min: 1, max: 12 }).map((seed) => `${makeProse(seed, seed)} `),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const markdowns = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

describe("chunks of any markdown", () => {
  const targetTokens = 60;
  const overlapTokens = 15;
  const chunkSmall = (markdown: string) => chunk(markdown, { targetTokens, overlapTokens });

  it("have exact offsets that ascend, overlap only at their start, and cover everything", () => {
    fc.assert(
      fc.property(markdowns, (markdown) => {
        const chunks = chunkSmall(markdown);
        let covered = 0;
        for (const [i, { index, content, start, end }] of chunks.entries()) {
          expect(index).toBe(i);
          expect(content).toBe(markdown.slice(start, end));
          expect(content.trim()).not.toBe("");
          expect(markdown.slice(covered, Math.max(start, covered)).trim()).toBe("");
          expect(end).toBeGreaterThan(covered);
          expect(start).toBeGreaterThan(chunks[i - 1]?.start ?? -1);
          expect(start).toBeGreaterThanOrEqual(chunks[i - 2]?.end ?? 0);
          covered = end;
        }
        expect(markdown.slice(covered).trim()).toBe("");
      }),
      { numRuns: 200 },
    );
  });

  it("stay within their size", () => {
    fc.assert(
      fc.property(markdowns, (markdown) => {
        for (const { tokens } of chunkSmall(markdown)) expect(tokens).toBeLessThanOrEqual(72 + overlapTokens);
      }),
      { numRuns: 200 },
    );
  });

  it("are the same again", () => {
    fc.assert(
      fc.property(markdowns, (markdown) => {
        expect(chunkSmall(markdown)).toEqual(chunkSmall(markdown));
      }),
      {
        numRuns: 50,
      },
    );
  });

  it("never cut a code point", () => {
    fc.assert(
      fc.property(markdowns, (markdown) => {
        for (const { content } of chunkSmall(markdown.toWellFormed())) expect(content.isWellFormed()).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
