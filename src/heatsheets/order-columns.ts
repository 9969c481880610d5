/** Puts the columns of a page below each other, so that it reads like a page of one column. */
import type { Word } from "../layout/page.ts";
import { groupRows, type Row } from "./group-rows.ts";

/** In points: rows of a column may begin this far left of the headings that show where it is. */
const columnSlack = 24;
/** In heights of the word: a heading stands farther from what is left of it than words of one row do. */
const headingGap = 1;

interface Layout {
  /** Whether a heading of the kind that every column has begins with this word. */
  beginsHeading(words: readonly Word[], at: number): boolean;
  /** Rows across all columns: what is above them is read before what is below. */
  isAcross(row: Row): boolean;
}

export function orderColumns(words: readonly Word[], { beginsHeading, isAcross }: Layout): Row[] {
  const rows = groupRows(words);
  const lefts = findLefts(rows, beginsHeading);
  if (lefts.length < 2) return rows;
  const ordered: Row[] = [];
  let section: Word[] = [];
  const columnOf = ({ box }: Word) => lefts.filter((left, i) => i > 0 && box.x >= left - columnSlack).length;
  const endSection = () => {
    for (const column of lefts.keys()) ordered.push(...groupRows(section.filter((word) => columnOf(word) === column)));
    section = [];
  };
  for (const row of rows) {
    if (isAcross(row)) {
      endSection();
      ordered.push(row);
    } else section.push(...row.words);
  }
  endSection();
  return ordered;
}

function findLefts(rows: readonly Row[], beginsHeading: Layout["beginsHeading"]): number[] {
  const found = rows
    .flatMap(({ words }) => words.filter((_, at) => standsApart(words, at) && beginsHeading(words, at)))
    .map(({ box }) => box.x)
    .sort((a, b) => a - b);
  return found.filter((x, i) => i === 0 || x - (found[i - 1] ?? 0) > 2 * columnSlack);
}

/** A swimmer may be called like the heading's first word. */
function standsApart(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (!before || !word) return true;
  return word.box.x - (before.box.x + before.box.width) > headingGap * word.box.height;
}
