import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDocx, makeProse, makeZip } from "../../../test/support/sample-books.ts";
import type { DocumentFacts } from "../document-reader.ts";
import type { Format } from "../format.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { openFlow, readFlowSection } from "./read-flow.ts";

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-test-flow-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Read {
  facts: DocumentFacts;
  sections: string[];
  markdown: string;
}

async function read(format: Format, data: string | Uint8Array, limits?: Partial<FlowLimits>): Promise<Read> {
  const path = join(folder, `file-${files++}`);
  await writeFile(path, data);
  const facts = await openFlow(path, format, limits);
  const sections: string[] = [];
  for (let part = 1; part <= facts.parts; part++) {
    sections.push((await readFlowSection(path, format, part, limits)).markdown);
  }
  return { facts, sections, markdown: sections.join("\n\n") };
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

describe("DOCX", () => {
  it("has headings from styles, tables, notes, title and author", async () => {
    const { facts, markdown } = await read(
      "docx",
      makeDocx({
        paragraphs: [
          { text: "Tide Report", style: "Title" },
          { text: "Spring", style: "Heading2" },
          { text: "The water rose.", note: 1 },
        ],
        table: [
          ["Place", "Height"],
          ["Pier", "3.2"],
        ],
        notes: ["Measured at noon."],
      }),
    );
    expect(facts).toEqual({ parts: 1, title: "Tide Report", author: "Jonas Fell", language: undefined, outline: [] });
    expect(markdown).toBe(
      [
        "# Tide Report",
        "## Spring",
        "The water rose.[^footnote-1]",
        "| Place | Height |\n| - | - |\n| Pier | 3.2 |",
        "[^footnote-1]: Measured at noon.",
      ].join("\n\n"),
    );
  });

  it("is read in sections when it is large", async () => {
    const paragraphs = Array.from({ length: 40 }, (_, i) => [
      { text: `Week ${i}`, style: "Heading1" as const },
      { text: makeProse(6, i + 1) },
    ]).flat();
    const { sections } = await read("docx", makeDocx({ paragraphs }), { sectionChars: 3000 });
    expect(sections.length).toBeGreaterThan(2);
    expect(sections.every((section) => section.startsWith("# Week"))).toBe(true);
  });

  it("is refused when it is none, protected, a bomb, or declares entities", async () => {
    const refused = async (data: Uint8Array, code: string) =>
      expect(read("docx", data)).rejects.toMatchObject({ code, retryable: false });
    await refused(makeZip({ "readme.txt": "no" }), "CORRUPT_FILE");
    const container = Buffer.from("d0cf11e0a1b11ae1", "hex");
    await refused(Buffer.concat([container, Buffer.from("EncryptedPackage", "utf16le")]), "ENCRYPTED_FILE");
    await refused(container, "CORRUPT_FILE");
    const paragraphs = [{ text: "Text" }];
    const main = "word/document.xml";
    await refused(makeDocx({ paragraphs, files: { [main]: `<a>${" ".repeat(4_000_000)}</a>` } }), "SUSPICIOUS_ARCHIVE");
    await refused(
      makeDocx({ paragraphs, files: { [main]: `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>` } }),
      "SUSPICIOUS_ARCHIVE",
    );
    await refused(makeDocx({ paragraphs, files: { [main]: "<a>".repeat(5000) } }), "CORRUPT_FILE");
    await refused(makeDocx({ paragraphs, files: { [main]: "no xml" } }), "CORRUPT_FILE");
  });
});

describe("HTML", () => {
  it("is its main content", async () => {
    const { facts, markdown } = await read(
      "html",
      `<!doctype html><html lang=en><head><title>On Tides</title><meta name=author content="Jo Fell"></head><body>
      <header><nav><a href="/">Home</a></nav></header><div id="cookie-consent">We use cookies</div>
      <main><h1>Tides</h1><p>${makeProse(4)}</main><footer>All rights reserved</footer></body></html>`,
    );
    expect(facts).toMatchObject({ title: "On Tides", author: "Jo Fell", language: "en" });
    expect(markdown).toBe(`# Tides\n\n${makeProse(4)}`);
  });

  it("is kept whole when little would be left", async () => {
    const { markdown } = await read("html", `<form><p>${makeProse(3)}</p></form><p>Short.</p>`);
    expect(markdown).toBe(`${makeProse(3)}\n\nShort.`);
  });

  it.each([
    ["a declared charset", latin1(`<meta charset="iso-8859-2"><p>\xb3\xf3d\xbc</p>`), "łódź"],
    ["windows-1252 without saying so", latin1("<p>caf\xe9 \x93open\x94</p>"), "café “open”"],
    ["UTF-8 whatever it declares", Buffer.from(`<meta charset="utf-8"><p>café</p>`), "café"],
    ["UTF-16 with a mark", Buffer.from("\ufeff<p>café</p>", "utf16le"), "café"],
  ])("is decoded from %s", async (_, data, text) => {
    expect((await read("html", data)).markdown).toBe(text);
  });

  it("becomes well-formed text without control characters", async () => {
    const { markdown } = await read("html", "<p>a&#0;b&#x1F;c&#xD800;d</p>");
    expect(markdown.isWellFormed()).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
    expect(markdown).not.toMatch(/[\0-\x08\x0e-\x1f]/);
  });

  it("is not multiplied by formatting left open", async () => {
    const sloppy = Array.from({ length: 1000 }, (_, i) => `<p><font color="${i}">word`).join("");
    expect((await read("html", sloppy)).markdown.match(/word/g)).toHaveLength(1000);
  });

  it("is refused when it is too large", async () => {
    await expect(read("html", "<p>Text</p>", { maxFileBytes: 5 })).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
  });
});

describe("Markdown", () => {
  it("is kept but for its front matter and line ends", async () => {
    const { facts, markdown } = await read(
      "markdown",
      '---\r\ntitle: "Log: one"\r\nlang: de\r\n---\r\n\r\n# Log\r\n\r\n* a\0\r\n',
    );
    expect(facts).toMatchObject({ parts: 1, title: "Log: one", language: "de" });
    expect(markdown).toBe("# Log\n\n* a");
  });

  it("keeps a rule at its beginning", async () => {
    expect((await read("markdown", "---\n\nText\n\n---\n")).markdown).toBe("---\n\nText\n\n---");
  });

  it("is cut into sections that are the whole again, never inside code", async () => {
    const code = `\`\`\`\n${"line\n\n# comment\n".repeat(30)}\`\`\``;
    const whole = Array.from({ length: 30 }, (_, i) => `## Part ${i}\n\n${makeProse(8, i + 1)}\n\n${code}`).join(
      "\n\n",
    );
    const { sections, markdown } = await read("markdown", whole, { sectionChars: 3000 });
    expect(sections.length).toBeGreaterThan(5);
    expect(markdown).toBe(whole);
    expect(sections.every((section) => (section.match(/^```/gm)?.length ?? 0) % 2 === 0)).toBe(true);
  });
});

describe("text", () => {
  it("has wrapped lines joined and other lines kept", async () => {
    const wrapped = `It was a long evening in the harbour town, and the lamps were being lit
one after another along the quay, so that the water seemed to hold a second
town that trembled whenever a boat passed through it on the way out to
sea.`;
    const { markdown } = await read("text", `${wrapped}\n\n\nThe lamp\nwent out\n`);
    expect(markdown).toBe(`${wrapped.replaceAll("\n", " ")}\n\nThe lamp\\\nwent out`);
  });

  it("shows characters as they are, and columns as columns", async () => {
    const { markdown } = await read("text", "# 5 *stars* <b>\n\n1. not a list\n\nName    Age\nAnn     31\n");
    expect(markdown).toBe("\\# 5 \\*stars\\* \\<b>\n\n1\\. not a list\n\n```\nName    Age\nAnn     31\n```");
  });

  it.each([
    ["UTF-8", Buffer.from("Grüße")],
    ["windows-1252", latin1("Gr\xfc\xdfe")],
    ["UTF-16 with a mark", Buffer.from("\ufeffGrüße", "utf16le")],
    ["UTF-16 without one", Buffer.from("Grüße aus dem Norden", "utf16le")],
  ])("is decoded from %s", async (_, data) => {
    expect((await read("text", data)).markdown).toMatch(/^Grüße/);
  });

  it("is cut into sections even without an empty line", async () => {
    const { sections } = await read("text", "🜁".repeat(20_000), { sectionChars: 5001 });
    expect(sections.length).toBeGreaterThan(2);
    expect(sections.every((section) => section.isWellFormed())).toBe(true);
    expect(sections.join("")).toBe("🜁".repeat(20_000));
  });
});
