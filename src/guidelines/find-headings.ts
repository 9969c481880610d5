/**
 * Finds the headings of a page by what OCR leaves of them: numbers, size words ("Chapter 3"), capitals, and short lines
 * between blank ones. A list of questions, a caption or a line of a paragraph must not become one.
 */
import type { Heading } from "./page-structure.ts";
import { printedLines } from "./printed-lines.ts";
import { readHeading } from "./read-heading.ts";
import { readLabel } from "./read-label.ts";
import { isTitle, isUpper } from "./title-shape.ts";

export function findHeadings(lines: readonly string[], furniture: ReadonlySet<number>): Heading[] {
  const headings: Heading[] = [];
  const headingLines = new Set<number>();
  const isBreak = (index: number) =>
    index < 0 || index >= lines.length || lines[index] === "" || furniture.has(index) || headingLines.has(index);
  let seenText = false;

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (line === "" || furniture.has(index)) continue;
    const found = readHeading({
      line,
      before: isBreak(index - 1) ? "" : (lines[index - 1] ?? ""),
      after: isBreak(index + 1) ? "" : (lines[index + 1] ?? ""),
      following: followingLines(lines, furniture, index),
      top: !seenText,
    });
    if (found === null) {
      seenText = true;
      continue;
    }
    const { taken, ...heading } = found;
    const end = nthFilled(lines, furniture, index, taken);
    const joined = joinTitle(lines, heading.text, end);
    for (let at = index; at <= joined.end; at++) headingLines.add(at);
    headings.push({ ...heading, text: joined.text, line: index, top: !seenText, hasObjectives: false, lines: 0 });
    index = joined.end;
  }
  return countLines(
    headings
      .map(confirmChapter)
      .map((heading) => confirmOpener(heading, lines))
      .map(markObjectives),
    lines,
    furniture,
    headingLines,
  );
}

function followingLines(lines: readonly string[], furniture: ReadonlySet<number>, from: number): string[] {
  const following: string[] = [];
  for (let at = from + 1; at < lines.length && following.length < 2; at++) {
    const line = lines[at] ?? "";
    if (line !== "" && !furniture.has(at)) following.push(line);
  }
  return following;
}

/** The index of the line that stands `count` filled lines below. */
function nthFilled(lines: readonly string[], furniture: ReadonlySet<number>, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at + 1 < lines.length; ) {
    at++;
    if (lines[at] !== "" && !furniture.has(at)) left--;
  }
  return at;
}

const openEnd = /(?:^|\s)(?:and|or|of|the|a|an|in|on|to|for|with|from|by|und|oder|der|die|das|et|de|y|&)$|[,–—-]$/i;

/** A title that goes on in the next line: all in capitals, or broken off after "and". */
function joinTitle(lines: readonly string[], text: string, end: number): { text: string; end: number } {
  let joined = text;
  let last = end;
  for (let more = 0; more < 2; more++) {
    // Large type leaves a gap between the lines of one title.
    const skipped = lines[last + 1] === "" && openEnd.test(joined) && lines[last + 3] === "" ? 1 : 0;
    const next = lines[last + 1 + skipped] ?? "";
    if (next === "" || joined === "") break;
    const inCapitals = isUpper(joined) && isUpper(next) && !/^\d/.test(next);
    if (!inCapitals && !(openEnd.test(joined) && next.length < 60 && !/[.;:]$/.test(next))) break;
    if (!isTitle(`${joined} ${next}`)) break;
    joined = `${joined} ${next}`;
    last += 1 + skipped;
  }
  return { text: joined, end: last };
}

/** "2. Plants" above "2.1 Roots" is the heading of chapter 2, whatever it looks like. */
function confirmChapter(heading: Heading, at: number, all: readonly Heading[]): Heading {
  const { number } = heading;
  if (number === null || number.includes(".") || heading.certainty >= 0.9) return heading;
  if (heading.role !== "section" && heading.role !== "chapter") return heading;
  const next = all
    .slice(at + 1, at + 4)
    .find((other) => other.role === "section" && other.number?.includes(".") === true);
  return next?.number?.startsWith(`${number}.1`) === true
    ? { ...heading, role: "chapter", level: 2, certainty: 0.95 }
    : heading;
}

const openingQuestions = 3;

/** A title at the top of a page with a row of questions under it opens a chapter, in books that do not number theirs. */
function confirmOpener(heading: Heading, lines: readonly string[]): Heading {
  if (!heading.top || heading.number !== null || heading.role !== "section") return heading;
  const below = lines.slice(heading.line + 1, heading.line + 2 + 2 * openingQuestions).join(" ");
  const sentences = (below.match(/[^.?!]+[.?!]/g) ?? []).slice(0, openingQuestions);
  const asked = sentences.filter((sentence) => sentence.endsWith("?") && sentence.trim().split(/\s+/).length > 3);
  return asked.length < openingQuestions ? heading : { ...heading, role: "chapter", level: 2, certainty: 0.85 };
}

function markObjectives(heading: Heading, at: number, all: readonly Heading[]): Heading {
  const next = all[at + 1];
  const hasObjectives = next !== undefined && readLabel(next.text)?.label === "objectives";
  return hasObjectives ? { ...heading, hasObjectives } : heading;
}

function countLines(
  headings: readonly Heading[],
  lines: readonly string[],
  furniture: ReadonlySet<number>,
  headingLines: ReadonlySet<number>,
): Heading[] {
  const text = lines.map((line, index) => (furniture.has(index) || headingLines.has(index) ? 0 : printedLines(line)));
  return headings.map((heading, at) => {
    const next = headings.slice(at + 1).find((other) => other.level <= heading.level)?.line ?? lines.length;
    return { ...heading, lines: text.slice(heading.line, next).reduce((sum, size) => sum + size, 0) };
  });
}
