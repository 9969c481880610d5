/** Plain text as markdown that shows it as it was: paragraphs stay paragraphs, and no character turns into markup. */

import { escapeInline, escapeStart } from "../../layout/escape-markdown.ts";
import { decodeText } from "./decode-text.ts";
import type { FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { readParagraphs } from "./read-paragraphs.ts";
import { readWhole } from "./read-whole.ts";
import { splitLines } from "./split-lines.ts";

/** Fewer lines do not tell how wide a text was wrapped. */
const linesToTell = 3;
/** Longer lines are not wrapped by anyone. */
const longestWrapped = 120;
/** In V8 a single call on a large text takes memory no limit can stop in time: large texts are worked on in pieces. */
const pieceChars = 2 ** 16;
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
  const width = findWrapWidth(text);
  const pieces: string[] = [];
  let piece: string[] = [];
  let size = 0;
  for (const lines of readParagraphs(text)) {
    const written = writeParagraph(lines, width);
    piece.push(written);
    size += written.length;
    if (size < pieceChars) continue;
    pieces.push(piece.join("\n\n"));
    piece = [];
    size = 0;
  }
  if (piece.length > 0) pieces.push(piece.join("\n\n"));
  return pieces.join("\n\n");
}

function writeParagraph(lines: string[], width: number | undefined): string {
  if (isTabular(lines)) return fence(lines);
  const escaped = lines.map((line) => escapeStart(escapeLine(line.trim())));
  return isWrapped(lines, width) ? escaped.join(" ") : escaped.join("\\\n");
}

function escapeLine(line: string): string {
  if (line.length <= pieceChars) return escapeInline(line);
  const pieces: string[] = [];
  for (let at = 0; at < line.length; ) {
    const space = line.indexOf(" ", at + pieceChars / 2);
    const end = space < 0 || space > at + pieceChars ? at + pieceChars : space + 1;
    pieces.push(escapeInline(line.slice(at, end)));
    at = end;
  }
  return pieces.join("");
}

/**
 * The column at which a machine wrapped the text: that of its longest lines, if there are several about as long. None where
 * a paragraph is a line.
 */
function findWrapWidth(text: string): number | undefined {
  /** How many lines there are of each length; the last number is of all that are longer. */
  const counts = new Uint32Array(longestWrapped + 2);
  let total = 0;
  for (const lines of readParagraphs(text)) {
    if (isTabular(lines)) continue;
    for (const { length } of lines.slice(0, -1)) {
      const bin = Math.min(length, counts.length - 1);
      counts[bin] = (counts[bin] as number) + 1;
      total++;
    }
  }
  const shorter = Math.floor(total * 0.97);
  let width = 0;
  for (let seen = counts[0] as number; seen <= shorter && width < counts.length - 1; )
    seen += counts[++width] as number;
  const full = counts.subarray(Math.max(0, width - 14)).reduce((sum, count) => sum + count, 0);
  return width >= 45 && width <= longestWrapped && full >= linesToTell ? width : undefined;
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
