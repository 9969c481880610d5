/**
 * Takes markdown apart into the smallest pieces a chunk may be cut between: sentences, list items, whole tables and code
 * blocks; parts of them only where they are too large to stay whole. The pieces follow each other without gaps.
 */
import { splitLong, splitSentences } from "./chunk-sentences.ts";
import { countTokens } from "./chunk-tokens.ts";

export interface Atom {
  start: number;
  end: number;
  tokens: number;
  /** How good it is to cut before it. */
  border: number;
  /** Part of running text, which makes sense when it is read twice. */
  prose: boolean;
}

/** Of headings more, by level. */
export const borders = { none: -1, word: 0, sentence: 1, line: 2, block: 3, heading: 4 };

interface Block {
  kind: "prose" | "code" | "table";
  start: number;
  end: number;
}

const fencePattern = /^[\t >]*(`{3,}|~{3,})/;
const delimiterRow = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const itemStart = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]]+\]:)[ \t]/;

/** Atoms of the text between two offsets, none larger than `maxTokens`. */
export function atomsBetween(markdown: string, from: number, to: number, maxTokens: number): Atom[] {
  const atoms: Atom[] = [];
  let pending = from;
  const add = (end: number, border: number, prose: boolean) => {
    const text = markdown.slice(pending, end);
    const tokens = text.length > maxTokens * 16 ? Number.POSITIVE_INFINITY : countTokens(text);
    if (tokens <= maxTokens) atoms.push({ start: pending, end, tokens, border, prose });
    else {
      let at = pending;
      for (const size of splitLong(text, maxTokens)) {
        const piece = markdown.slice(at, at + size);
        atoms.push({
          start: at,
          end: at + size,
          tokens: countTokens(piece),
          border: at === pending ? border : borders.word,
          prose: false,
        });
        at += size;
      }
    }
    pending = end;
  };
  for (const block of blocksBetween(markdown, from, to)) {
    if (block.kind === "prose") addProse(markdown, block, add);
    else if (isSmall(markdown, pending, block.end, maxTokens)) {
      add(withoutNewline(markdown, block.end), borders.block, false);
    } else addLines(markdown, block, add);
  }
  const last = atoms.at(-1);
  // White space at the end belongs to what stands before it.
  if (last) last.end = to;
  return atoms;
}

function isSmall(markdown: string, from: number, to: number, maxTokens: number): boolean {
  return to - from <= maxTokens * 16 && countTokens(markdown.slice(from, to)) <= maxTokens;
}

function addProse(markdown: string, block: Block, add: (end: number, border: number, prose: boolean) => void): void {
  let border = borders.block;
  for (const line of itemsOf(markdown, block)) {
    for (const end of splitSentences(markdown, line.start, line.end)) {
      add(end, border, true);
      border = borders.sentence;
    }
    border = borders.line;
  }
}

/** The lines of a block; of a table the header stays with its delimiter row. */
function addLines(markdown: string, block: Block, add: (end: number, border: number, prose: boolean) => void): void {
  let border = borders.block;
  let row = 0;
  for (let at = block.start; at < block.end; row++) {
    at = lineEnd(markdown, at, block.end);
    if (block.kind === "table" && row === 0) continue;
    add(withoutNewline(markdown, at), border, false);
    border = borders.line;
  }
}

/** List items, notes and the lines of a verse are cut between before sentences are. */
function* itemsOf(markdown: string, block: Block): Generator<{ start: number; end: number }> {
  let start = block.start;
  for (let at = lineEnd(markdown, start, block.end); at < block.end; ) {
    const next = lineEnd(markdown, at, block.end);
    if (markdown[at - 2] === "\\" || itemStart.test(markdown.slice(at, Math.min(next, at + 200)))) {
      yield { start, end: withoutNewline(markdown, at) };
      start = at;
    }
    at = next;
  }
  yield { start, end: withoutNewline(markdown, block.end) };
}

function* blocksBetween(markdown: string, from: number, to: number): Generator<Block> {
  let open: Block | undefined;
  let fence: string | undefined;
  let lines = 0;
  for (let at = from; at < to; ) {
    const next = lineEnd(markdown, at, to);
    // Marks stand at the start of a line: of a very long one only that is looked at.
    const line = markdown.slice(at, Math.min(next, at + 2000)).trimEnd();
    const mark = fencePattern.exec(line)?.[1];
    if (fence) {
      if (open) open.end = next;
      if (mark && mark[0] === fence[0] && mark.length >= fence.length && line.endsWith(mark)) {
        fence = undefined;
        if (open) yield open;
        open = undefined;
      }
    } else if (mark) {
      if (open) yield open;
      open = { kind: "code", start: at, end: next };
      fence = mark;
    } else if (line === "") {
      if (open) yield open;
      open = undefined;
    } else if (open) {
      lines++;
      open.end = next;
      if (lines === 2 && line.includes("|") && delimiterRow.test(line)) open.kind = "table";
    } else {
      open = { kind: "prose", start: at, end: next };
      lines = 1;
    }
    at = next;
  }
  if (open) yield open;
}

function lineEnd(markdown: string, at: number, limit: number): number {
  const newline = markdown.indexOf("\n", at);
  return newline < 0 || newline >= limit ? limit : newline + 1;
}

/** White space belongs to what follows, so that tokens count the same alone and together. */
function withoutNewline(markdown: string, end: number): number {
  return markdown[end - 1] === "\n" ? end - 1 : end;
}
