/** Writes a meet as HY-TEK's Psych Sheet: every event's entries by rank, without heats and lanes. */
import { ColumnFlow } from "./column-flow.ts";
import { type DrawOptions, drawMarks } from "./draw-marks.ts";
import { cutText, drawFurniture, drawHeader, type HytekShape, psych1, psych2, psych3 } from "./hytek-page.ts";
import { drawRow, type RowLook, type RowMark } from "./hytek-row.ts";
import { eventName, type Meet } from "./make-meet.ts";
import type { MadeSheet, TruthRow } from "./sheet-truth.ts";
import { truthOf } from "./truth-rows.ts";

export interface PsychOptions extends Pick<DrawOptions, "scrambled" | "glyphTrouble">, RowLook {
  columns: 1 | 2 | 3;
}

const shapes: Record<PsychOptions["columns"], HytekShape> = { 1: psych1, 2: psych2, 3: psych3 };

export function writeHytekPsych(meet: Meet, options: PsychOptions): MadeSheet {
  const shape = shapes[options.columns];
  const flow = new ColumnFlow(shape, (page) => drawFurniture(meet, "Psych Sheet", page));
  const rows: TruthRow[] = [];
  const word = options.columns === 3 ? "#" : "Event ";
  const heading = (text: string): RowMark[] => [
    { x: 18, text: cutText(text, shape.headingSize, shape.columnWidth), size: shape.headingSize },
  ];
  for (const event of meet.events) {
    const name = eventName(event, meet.course);
    const header = event.relay
      ? drawHeader(shape, { name: "Team", team: "Relay", seed: "Seed Time" })
      : drawHeader(shape, { name: "Name", age: "Age", team: "Team", seed: "Seed Time" });
    flow.ensure(4);
    flow.skip(6.5);
    flow.add(heading(`${word}${event.number}  ${name}`));
    flow.add(header);
    for (const [index, entry] of event.entries.entries()) {
      // No names of relay swimmers: a psych sheet comes before anybody has chosen them.
      const truth = truthOf(event, entry, { eventName: name, rank: index + 1 });
      if (truth.relay) truth.relay.members = [];
      const drawn = drawRow(shape, truth, options);
      if (flow.ensure(drawn.length) && flow.start === "page") {
        flow.add(heading(`${word}${event.number} ... (${name})`));
        if (options.columns !== 3) flow.add(header);
      }
      for (const marks of drawn) flow.add(marks);
      rows.push({ ...truth, page: flow.page });
    }
  }
  return {
    pdf: drawMarks(flow.pages, options),
    truth: { pageCount: flow.pages.length, rows },
  };
}
