/** The look of HY-TEK's reports: measured places of columns, and the lines that stand on every page. */
import type { ColumnShape } from "./column-flow.ts";
import { type Mark, widthOf } from "./draw-marks.ts";
import type { Meet } from "./make-meet.ts";

export interface HytekShape extends ColumnShape {
  /** Places of the words of the header. */
  header: { lane: number; name: number; age: number; team: number; seed: number };
  /** Places of a row's parts; lanes, ages and seeds end there, names and teams begin. */
  row: { lane: number; name: number; age: number; team: number; seed: number; tag: number };
  headingSize: number;
  nameSize: number;
  teamSize: number;
  columnWidth: number;
}

const onPage = { top: 91, bottom: 760 };

export const program2: HytekShape = {
  ...onPage,
  columns: 2,
  shift: 292,
  pitch: 11.5,
  header: { lane: 18, name: 44, age: 129, team: 154, seed: 222 },
  row: { lane: 33.2, name: 42, age: 146.5, team: 156, seed: 270.5, tag: 275 },
  headingSize: 8.6,
  nameSize: 7.7,
  teamSize: 6.8,
  columnWidth: 276,
};

export const program3: HytekShape = {
  ...onPage,
  columns: 3,
  shift: 194.5,
  pitch: 10.2,
  header: { lane: 18, name: 43, age: 112, team: 130, seed: 169 },
  row: { lane: 30, name: 41, age: 126, team: 131, seed: 199, tag: 201 },
  headingSize: 7.2,
  nameSize: 6.4,
  teamSize: 6,
  columnWidth: 186,
};

export const psych2: HytekShape = {
  ...program2,
  header: { lane: 18, name: 44, age: 140, team: 161, seed: 214 },
  row: { lane: 33.2, name: 43, age: 156.5, team: 162, seed: 259, tag: 264 },
};

export const psych3: HytekShape = {
  ...program3,
  row: { lane: 31.5, name: 36, age: 129, team: 132, seed: 199, tag: 201 },
};

/** As para meets have it: one column in the middle of the page. */
export const psych1: HytekShape = {
  ...program2,
  columns: 1,
  header: { lane: 120, name: 150, age: 273, team: 294, seed: 427 },
  row: { lane: 140, name: 150, age: 288, team: 294, seed: 465, tag: 472 },
  columnWidth: 580,
};

export function drawFurniture(meet: Meet, kind: string, page: number): Mark[] {
  const size = 8.6;
  const centre = (text: string, y: number): Mark => ({ x: 306 - widthOf(text, size) / 2, y, text, size });
  return [
    { x: 18, y: 42, text: `${meet.licensee} - Site License`, size },
    { x: 570, y: 42, text: `HY-TEK's MEET MANAGER 8.0 - 6:45 PM  5/28/2031  Page ${page}`, size, right: true },
    centre(`${meet.name} - 6/14/2031 to 6/15/2031`, 54),
    centre(`${kind} - ${meet.session}`, 66),
  ];
}

/** As much of a text as the width holds. */
export function cutText(text: string, size: number, width: number): string {
  let cut = text;
  while (widthOf(cut, size) > width) cut = cut.slice(0, -1);
  return cut.trimEnd();
}

/** The words of a header, each at its place. */
export function drawHeader(
  shape: HytekShape,
  words: Partial<Record<keyof HytekShape["header"], string>>,
): Omit<Mark, "y">[] {
  return Object.entries(words).map(([part, text]) => {
    return { x: shape.header[part as keyof HytekShape["header"]], text, size: shape.headingSize };
  });
}
