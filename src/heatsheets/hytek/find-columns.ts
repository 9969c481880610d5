/**
 * Finds the two or three columns of print on each page from the headers in them. A page that shows fewer columns than
 * its neighbours (the last one, or one that only continues) has those of its neighbours.
 */
import type { Word } from "../../layout/page.ts";
import { groupRows } from "../group-rows.ts";

interface Column {
  /** Where its lines start. */
  left: number;
  words: Word[];
}

/** A header's first label over the rows ("Name", or "Team" of relays), and the "Lane" before it. */
interface Label {
  nameLeft: number;
  left: number | null;
}

const headerWords = /^(?:Lane|Name|Age|Yr|Team|School|Relay|Seed|Prelims?)$/;
/** Lane and name are at most this far apart, in points; columns are never this narrow. */
const widestLane = 60;
const narrowestColumn = 120;
const sameColumn = 6;
/** From the start of a line to the name where only names were seen. */
const usualIndent = 28;
const slack = 3;

/** For each page its columns, from left to right, with the words in them. */
export function findColumns(pages: readonly (readonly Word[])[]): Column[][] {
  return gatherSections(pages).flatMap(({ labels, starts, pages: inSection }) => {
    const lefts = findLefts(labels, starts);
    return inSection.map((words) => spreadWords(words, lefts));
  });
}

interface Section {
  labels: Label[];
  /** Where lines of events and heats start. */
  starts: number[];
  pages: (readonly Word[])[];
}

/** Runs of pages whose columns agree: programs of different layouts may be bound together. */
function gatherSections(pages: readonly (readonly Word[])[]): Section[] {
  const sections: Section[] = [];
  for (const words of pages) {
    const labels = findLabels(words);
    let section = sections.at(-1);
    if (!section || labels.some((label) => section?.labels.some((known) => clash(label, known)))) {
      section = { labels: [], starts: [], pages: [] };
      sections.push(section);
    }
    for (const label of labels) addLabel(section.labels, label);
    for (const start of findStarts(words)) section.starts.push(start);
    section.pages.push(words);
  }
  return sections;
}

function clash(a: Label, b: Label): boolean {
  const distance = Math.abs(a.nameLeft - b.nameLeft);
  return distance > sameColumn && distance < narrowestColumn;
}

function addLabel(labels: Label[], label: Label): void {
  const known = labels.find(({ nameLeft }) => Math.abs(nameLeft - label.nameLeft) <= sameColumn);
  if (!known) labels.push(label);
  else known.left ??= label.left;
}

function findLabels(words: readonly Word[]): Label[] {
  // Rows of these words alone: a row of the neighbouring column cannot tear a header apart.
  return groupRows(words.filter(({ text }) => headerWords.test(text))).flatMap((row) =>
    row.words.flatMap((word, i) => {
      const [next, before] = [row.words[i + 1]?.text ?? "", row.words[i - 1]];
      const isLabel =
        (word.text === "Name" && /^(?:Age|Yr|Team|School)$/.test(next)) ||
        (/^(?:Team|School)$/.test(word.text) && next === "Relay");
      if (!isLabel) return [];
      const lane = before?.text === "Lane" && word.box.x - before.box.x < widestLane ? before.box.x : null;
      return [{ nameLeft: word.box.x, left: lane }];
    }),
  );
}

function findStarts(words: readonly Word[]): number[] {
  return groupRows(words).flatMap((row) =>
    row.words.flatMap(({ text, box }, i) => {
      const [next, before] = [row.words[i + 1]?.text ?? "", row.words[i - 1]];
      const starts = /^#\d{1,4}$/.test(text) || (/^(?:Event|Heat)$/.test(text) && /^\d/.test(next));
      // Inside a line, "Heat 2" may be part of it or of somebody's name.
      const apart = !before || box.x - (before.box.x + before.box.width) > box.height;
      return starts && apart ? [box.x] : [];
    }),
  );
}

function findLefts(labels: readonly Label[], starts: readonly number[]): number[] {
  const lefts = labels.map(({ nameLeft, left }) => {
    const near = starts.filter((x) => x > nameLeft - widestLane && x < nameLeft - 10);
    const found = near.reduce((a, b) => Math.min(a, b), left ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(found) ? found : nameLeft - usualIndent;
  });
  // A short column may have heats and no header.
  for (const start of [...starts].sort((a, b) => a - b)) {
    if (lefts.every((left) => Math.abs(left - start) >= narrowestColumn)) lefts.push(start);
  }
  return lefts.length > 0 ? lefts.sort((a, b) => a - b) : [0];
}

function spreadWords(words: readonly Word[], lefts: readonly number[]): Column[] {
  const columns = lefts.map((left): Column => ({ left, words: [] }));
  for (const word of words) {
    // What stands left of the first column belongs to it.
    const column = columns.findLast(({ left }) => word.box.x >= left - slack) ?? columns[0];
    column?.words.push(word);
  }
  return columns;
}
