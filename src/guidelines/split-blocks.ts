/** Puts the lines between headings together again: paragraphs with their broken words joined, and single items of lists. */
import { joinHyphen } from "../layout/join-hyphens.ts";
import { KnownWords } from "../layout/known-words.ts";
import type { Heading } from "./page-structure.ts";
import { printedLines } from "./printed-lines.ts";

export interface Block {
  text: string;
  /** Of a list: begun by a bullet, a number or a letter. */
  isItem: boolean;
  /** The heading it stands under. */
  heading: Heading | null;
  /** Of its first line. */
  line: number;
  /** Printed lines. */
  size: number;
}

const itemStart = /^(?:[-–•●○▪■◦‣*·]\s?|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4}|[lI])[.)] ?)(?=\S)/;

export function splitBlocks(
  lines: readonly string[],
  furniture: ReadonlySet<number>,
  headings: readonly Heading[],
): Block[] {
  const known = new KnownWords(() => lines.flatMap((line) => line.split(" ")));
  const blocks: Block[] = [];
  let open: Block | null = null;
  let heading: Heading | null = null;
  const width = typicalWidth(lines);
  let lastLength = 0;

  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const opened = headings.find((other) => other.line === index);
    if (opened !== undefined) heading = opened;
    if (line === "" || furniture.has(index) || isInHeading(index, headings, lines)) {
      // A running head or a page number inside a sentence is not its end.
      if (!furniture.has(index)) open = null;
      continue;
    }
    const marker = itemStart.exec(line);
    const startsNew = open === null || marker !== null || breaksBefore(line, lastLength, width, open.text);
    if (startsNew || open === null) {
      const text = marker === null ? line : line.slice(marker[0].length).trim();
      open = {
        text: text === "" ? line : text,
        isItem: marker !== null,
        heading,
        line: index,
        size: printedLines(line),
      };
      blocks.push(open);
    } else {
      open.text = joinLine(open.text, line, known);
      open.size += printedLines(line);
    }
    lastLength = line.length;
  }
  return blocks;
}

/** A line that ends early and the next one begun anew, or both short: the rows of a list without bullets. */
function breaksBefore(line: string, lastLength: number, width: number, text: string): boolean {
  if (endsOpen(text)) return false;
  if (lastLength < width * 0.6 && /^\p{Lu}/u.test(line)) return true;
  return lastLength < width * 0.4 && line.length < width * 0.4 && !/[.,;]$/.test(text);
}

function isInHeading(index: number, headings: readonly Heading[], lines: readonly string[]): boolean {
  return headings.some((heading) => {
    if (heading.line === index) return true;
    // Titles that stand below their number, or go on in further lines.
    const within = index > heading.line && index <= heading.line + 6 && heading.text !== "";
    const line = lines[index] ?? "";
    return (
      within &&
      line !== "" &&
      heading.text.length >= line.length &&
      heading.text.includes(line) &&
      !coversFirst(heading, lines)
    );
  });
}

function coversFirst(heading: Heading, lines: readonly string[]): boolean {
  return (lines[heading.line] ?? "").endsWith(heading.text);
}

function endsOpen(text: string): boolean {
  return /(?:[,;-]|\b(?:and|or|of|the|a|an|in|to|for|with|is|are))$/i.test(text);
}

function joinLine(before: string, after: string, known: KnownWords): string {
  const at = before.lastIndexOf(" ") + 1;
  const joined = joinHyphen(before.slice(at), after, known);
  return joined === undefined ? `${before} ${after}` : before.slice(0, at) + joined;
}

function typicalWidth(lines: readonly string[]): number {
  const lengths = lines
    .map((line) => line.length)
    .filter((length) => length > 20)
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length * 0.75)] ?? 60;
}
