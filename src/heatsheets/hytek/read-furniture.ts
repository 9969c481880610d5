/** The lines that every page repeats above its columns: who printed it and when, the meet, its dates, what kind of sheet it is. */
import type { PageText, Word } from "../../layout/page.ts";
import { groupRows, type Row } from "../group-rows.ts";
import { readEventLine } from "./read-event-line.ts";
import { readHeader } from "./read-header.ts";
import { readHeatLine } from "./read-heat-line.ts";
import { repairWords } from "./repair-text.ts";

type PageKind = "program" | "psych" | "results" | "other";

export interface Furniture {
  /** The program that printed it says its name. */
  marked: boolean;
  /** Null where the page does not say. */
  kind: PageKind | null;
  sessionName: string | null;
  /** With the date of printing. */
  printLine: string | null;
  /** The lines between it and the kind: the meet, its dates, place, sanction. */
  titleLines: string[];
  /** The words below. */
  body: Word[];
}

const mark = /HY-?TEK.?s?\s+MEET\s+MANAGER/i;
const kindLine =
  /^(Meet Program|Heat Sheet|Psych Sheet|Session Report|Results|Event List|Time ?line|Entry List|Scratch Sheet|Team Rankings|Scores)\b(?:\s*[-–]\s*(.*))?(.*)$/i;
const kinds: Record<string, PageKind> = {
  "meet program": "program",
  "heat sheet": "program",
  "psych sheet": "psych",
  results: "results",
};
/** Furniture is never more than this many lines. */
const mostLines = 8;

export function readFurniture(page: PageText): Furniture {
  const words = repairWords(page.words);
  const rows = groupRows(words).slice(0, mostLines);
  const bodyAt = rows.findIndex(isBody);
  const above = bodyAt < 0 ? rows : rows.slice(0, bodyAt);
  const kindAt = above.findIndex(({ text }) => kindLine.test(text));
  const markAt = above.findIndex(({ text }) => mark.test(text));
  const count = kindAt >= 0 ? kindAt + 1 : markAt >= 0 || bodyAt > 0 ? Math.min(above.length, mostLines - 2) : 0;
  const furniture = above.slice(0, count);
  const [, kindWord = "", session = ""] = kindLine.exec(furniture[kindAt]?.text ?? "") ?? [];
  return {
    marked: markAt >= 0,
    kind: kindAt < 0 ? null : (kinds[kindWord.toLowerCase()] ?? "other"),
    sessionName: session.trim() === "" || /^all events$/i.test(session.trim()) ? null : session.trim(),
    printLine: furniture[markAt]?.text ?? null,
    titleLines: furniture.filter((_, i) => i !== kindAt && i !== markAt).map(({ text }) => text),
    body: wordsBelow(words, furniture),
  };
}

function isBody(row: Row): boolean {
  const { text } = row;
  return (
    readEventLine(text) !== null ||
    readHeatLine(text) !== null ||
    readHeader(row) !== null ||
    /^\d{1,3}\s+\p{L}+,/u.test(text)
  );
}

function wordsBelow(words: readonly Word[], furniture: readonly Row[]): Word[] {
  const taken = new Set(furniture.flatMap((row) => row.words));
  return words.filter((word) => !taken.has(word));
}
