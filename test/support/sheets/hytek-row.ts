/** One row of a HY-TEK report: its parts at their places, and what they say. */
import type { Mark } from "./draw-marks.ts";
import { widthOf } from "./draw-marks.ts";
import { cutText, type HytekShape } from "./hytek-page.ts";
import type { TruthRow } from "./sheet-truth.ts";

export type RowMark = Omit<Mark, "y">;

export interface RowLook {
  /** Whether a long name goes on over the age instead of being cut before it. */
  overrun?: boolean;
  /** A line for the result, as sheets that are written on have it: behind the seed, or before the name. */
  blank?: boolean;
  blankFirst?: boolean;
  /** Whether the letter of the course stands apart from the time. */
  courseApart?: boolean;
  /** Whether those who swim out of competition have a star before or behind the name. */
  stars?: boolean;
  /** Whether years of school stand where others have ages. */
  schoolYears?: boolean;
  /** Whether the swimmers of a relay are numbered. */
  numberedLegs?: boolean;
}

/** The marks of a row. The name in the truth is cut where the printed one is. */
export function drawRow(shape: HytekShape, truth: TruthRow, look: RowLook = {}): RowMark[][] {
  const { row, nameSize, teamSize } = shape;
  const number = String(truth.lane ?? truth.rank ?? "");
  const time = look.courseApart ? truth.seed.replace(/(?<=\d)[YLS]$/, " $&") : truth.seed;
  const seed = `${truth.exhibition ? "X" : ""}${time}`;
  // Sheets in three columns have no room behind the seed.
  if (shape.columns === 3) truth.standard = null;
  const blank = look.blank && shape.columns < 3 ? "_____" : null;
  const after = [truth.standard, blank].filter((tag) => tag !== null).join(" ");
  const ends: RowMark[] = [
    { x: row.seed, text: seed, size: teamSize, right: true, layer: "seed" },
    ...(after === "" ? [] : [{ x: row.tag, text: after, size: teamSize, layer: "seed" } as const]),
  ];
  const lane: RowMark = { x: row.lane, text: number, size: nameSize, right: true, layer: "lane" };
  if (truth.relay) {
    const { letter, members } = truth.relay;
    const first: RowMark[] = [
      lane,
      { x: row.name, text: truth.team, size: nameSize, layer: "team" },
      { x: row.team, text: letter, size: nameSize, layer: "name" },
      ...ends,
    ];
    return [first, ...drawMembers(shape, members, look.numberedLegs ?? false)];
  }
  if (look.schoolYears) truth.age = ["FR", "SO", "JR", "SR"][Number(truth.age) % 4] ?? null;
  if (look.stars && truth.exhibition) truth.name = truth.lane === 4 ? `${truth.name}*` : `*${truth.name}`;
  const age = `${truth.sex ?? ""}${truth.age ?? ""}`;
  const line: RowMark = { x: row.name, text: "_____", size: nameSize, layer: "lane" };
  const nameAt = row.name + (look.blankFirst ? widthOf("_____ ", nameSize) : 0);
  const room = (look.overrun ? row.team - 1 : row.age - widthOf(age, nameSize) - 3) - nameAt;
  truth.name = cutText(truth.name ?? "", nameSize, room);
  return [
    [
      lane,
      ...(look.blankFirst ? [line] : []),
      { x: nameAt, text: truth.name, size: nameSize, layer: "name" },
      { x: row.age, text: age, size: nameSize, right: true, layer: "name" },
      { x: row.team, text: truth.team, size: teamSize, layer: "team" },
      ...ends,
    ],
  ];
}

/** Two to a row, each with the age behind the name. */
function drawMembers(
  { row, nameSize, columnWidth }: HytekShape,
  members: NonNullable<TruthRow["relay"]>["members"],
  numbered: boolean,
): RowMark[][] {
  const half = (columnWidth - row.name) / 2;
  const drawn = members.map((member, index): RowMark => {
    const number = numbered ? `${member.leg}) ` : "";
    member.name = cutText(member.name, nameSize, half - widthOf(`${number} ${member.age}  `, nameSize));
    const text = `${number}${member.name} ${member.age}`;
    return { x: row.name + (index % 2) * half, text, size: nameSize, layer: "name" };
  });
  return [drawn.slice(0, 2), drawn.slice(2, 4)].filter((marks) => marks.length > 0);
}

export function drawEmptyLane({ row, nameSize }: HytekShape, lane: number, withLine: boolean): RowMark[] {
  const number: RowMark = { x: row.lane, text: String(lane), size: nameSize, right: true, layer: "lane" };
  return withLine ? [number, { x: row.name, text: "________________", size: nameSize, layer: "name" }] : [number];
}
