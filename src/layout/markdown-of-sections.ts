/** Joins the sections of a document that flows (a book, a web page) and finds its headings. */
import type { MarkdownDocument, MarkdownHeading } from "./markdown-document.ts";
import { stripClosingMarks } from "./strip-closing-marks.ts";

export async function markdownOfSections(sections: AsyncIterable<{ markdown: string }>): Promise<MarkdownDocument> {
  const parts: string[] = [];
  const headings: MarkdownHeading[] = [];
  let length = 0;
  for await (const section of sections) {
    const text = section.markdown.replace(/^\s*\n/, "").trimEnd();
    if (text === "") continue;
    const between = length === 0 ? "" : "\n\n";
    findHeadings(text, length + between.length, headings);
    parts.push(between + text);
    length += between.length + text.length;
  }
  return { markdown: length === 0 ? "" : `${parts.join("")}\n`, pages: [], headings };
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** What begins with these is no paragraph that an underline could make a heading. */
const otherStart = /^( {4}|\t| {0,3}([-+*>|]|\d{1,9}[.)] |#{1,6} |`{3}|~{3}|<))/;

function findHeadings(text: string, base: number, headings: MarkdownHeading[]): void {
  let open: string | undefined;
  let at = 0;
  let before: { line: string; at: number } | undefined;
  for (const line of text.split("\n")) {
    const offset = base + at;
    at += line.length + 1;
    const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
    const marks = fence.exec(bare);
    if (open !== undefined) {
      if (marks?.[1]?.startsWith(open) === true && marks[2]?.trim() === "") open = undefined;
      before = undefined;
      continue;
    }
    if (marks !== null && !(marks[1]?.startsWith("`") === true && marks[2]?.includes("`") === true)) {
      open = marks[1];
      before = undefined;
      continue;
    }
    const found = heading.exec(bare);
    const under = before === undefined ? null : underline.exec(bare);
    if (found !== null)
      headings.push({ level: found[1]?.length ?? 1, text: stripClosingMarks(found[2] ?? ""), offset });
    else if (under !== null && before !== undefined) {
      headings.push({ level: under[1]?.startsWith("=") === true ? 1 : 2, text: before.line.trim(), offset: before.at });
    }
    const isParagraph = found === null && under === null && bare.trim() !== "" && !otherStart.test(bare);
    before = isParagraph ? { line: bare, at: offset } : undefined;
  }
}
