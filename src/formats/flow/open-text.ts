/** Plain text as markdown that shows it as it was: paragraphs stay paragraphs, and no character turns into markup. */

import { escapeInline, escapeStart } from "../../layout/escape-markdown.ts";
import { decodeText } from "./decode-text.ts";
import type { FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { readWhole } from "./read-whole.ts";
import { splitLines } from "./split-lines.ts";

/** Fewer lines do not tell how wide a text was wrapped. */
const linesToTell = 3;
const listMark = /^\s*(?:[-*•]|\d+[.)])\s/;

export async function openText(path: string, limits: FlowLimits): Promise<FlowDocument> {
  const text = decodeText(await readWhole(path, limits));
  const sections = splitLines(textToMarkdown(text), limits.sectionChars);
  return {
    facts: { parts: sections.length, outline: [] },
    readSection: async (part) => sections[part - 1] ?? "",
  };
}

function textToMarkdown(text: string): string {
  const paragraphs = text.replace(/[ \t]+$/gm, "").split(/\n{2,}/);
  const width = findWrapWidth(paragraphs);
  return paragraphs
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => writeParagraph(paragraph.replace(/^\n+|\n+$/g, "").split("\n"), width))
    .join("\n\n");
}

function writeParagraph(lines: string[], width: number | undefined): string {
  if (isTabular(lines)) return fence(lines);
  const escaped = lines.map((line) => escapeStart(escapeInline(line.trim())));
  return isWrapped(lines, width) ? escaped.join(" ") : escaped.join("\\\n");
}

/**
 * The column at which a machine wrapped the text: that of its longest lines, if there are several about as long. None where
 * a paragraph is a line.
 */
function findWrapWidth(paragraphs: string[]): number | undefined {
  const lengths = paragraphs
    .map((paragraph) => paragraph.split("\n"))
    .filter((lines) => !isTabular(lines))
    .flatMap((lines) => lines.slice(0, -1).map((line) => line.length))
    .toSorted((one, other) => one - other);
  const width = lengths[Math.floor(lengths.length * 0.97)] ?? 0;
  const full = lengths.filter((length) => length > width - 15).length;
  return width >= 45 && width <= 120 && full >= linesToTell ? width : undefined;
}

/** Every line but the last is as full as it could be: the first word of the next would not have fitted. */
function isWrapped(lines: string[], width: number | undefined): boolean {
  if (width === undefined || lines.length < 2) return false;
  const others = lines.slice(1);
  const indent = others[0]?.match(/^\s*/)?.[0] ?? "";
  if (others.some((line) => line.match(/^\s*/)?.[0] !== indent || listMark.test(line))) return false;
  const slack = lines.slice(0, -1).filter((line, i) => {
    const word = lines[i + 1]?.trim().split(/\s/, 1)[0] ?? "";
    return line.length + 1 + word.length <= width - 3;
  });
  return slack.length <= (lines.length - 1) * 0.15;
}

/** Columns set with spaces or tabs lose their meaning when spaces are collapsed. */
function isTabular(lines: string[]): boolean {
  const columned = lines.filter((line) => /\S(?: {3,}|\t)\S/.test(line)).length;
  return lines.length >= 2 && columned >= lines.length * 0.6;
}

function fence(lines: string[]): string {
  const longest = lines.reduce((most, line) => Math.max(most, /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0), 2);
  const mark = "`".repeat(longest + 1);
  return [mark, ...lines, mark].join("\n");
}
