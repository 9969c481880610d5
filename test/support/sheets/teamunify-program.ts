/** Writes a meet as TeamUnify's program: HY-TEK's columns, short names of events, a course letter behind every seed. */
import { ColumnFlow } from "./column-flow.ts";
import { drawMarks, type Mark } from "./draw-marks.ts";
import { drawHeader, program2 } from "./hytek-page.ts";
import { drawEmptyLane, drawRow } from "./hytek-row.ts";
import type { Meet, MeetEvent } from "./make-meet.ts";
import type { MadeSheet, TruthRow } from "./sheet-truth.ts";
import { truthOf } from "./truth-rows.ts";

const short: Record<string, string> = {
  Freestyle: "Free",
  Backstroke: "Back",
  Breaststroke: "Breast",
  Butterfly: "Fly",
};

export function writeTeamUnify(meet: Meet): MadeSheet {
  const letter = { Yard: "Y", "LC Meter": "L", "SC Meter": "S" }[meet.course];
  const flow = new ColumnFlow(program2, (page): Mark[] => [
    { x: 18, y: 42, text: meet.name, size: 9 },
    { x: 570, y: 780, text: `Page ${page}`, size: 9, right: true },
    { x: 18, y: 56, text: "TouchPad Heat Sheet - 06/14/2031", size: 9 },
  ]);
  const rows: TruthRow[] = [];
  const heading = (text: string) => [{ x: 18, text, size: program2.headingSize }];
  for (const event of meet.events) {
    flow.ensure(4);
    flow.skip(6.5);
    flow.add(heading(`#${event.number} ${shortName(event)}`));
    flow.add(
      event.relay
        ? drawHeader(program2, { lane: "Lane", name: "Team", team: "Relay", seed: "Seed" })
        : drawHeader(program2, { lane: "Lane", name: "Name", age: "Age", team: "Team", seed: "Seed" }),
    );
    for (const { number, lanes } of event.heats) {
      flow.ensure(1 + lanes.length * (event.relay ? 3 : 1));
      flow.add(heading(`Heat ${number} of ${event.heats.length}`));
      for (const [index, entry] of lanes.entries()) {
        if (entry === null) flow.add(drawEmptyLane(program2, index + 1, false));
        else {
          const truth = truthOf(event, entry, {
            eventName: shortName(event),
            heat: number,
            totalHeats: event.heats.length,
            lane: index + 1,
            seed: /^NT$|[A-Z]$/.test(entry.seed) ? entry.seed : `${entry.seed}${letter}`,
            standard: null,
          });
          for (const marks of drawRow(program2, truth)) flow.add(marks);
          rows.push({ ...truth, page: flow.page });
        }
      }
    }
  }
  return { pdf: drawMarks(flow.pages), truth: { pageCount: flow.pages.length, rows } };
}

function shortName({ sex, ages, distance, stroke, relay }: MeetEvent): string {
  const group = ages === null ? "" : `${ages} `;
  return `${sex} ${group}${distance} ${short[stroke] ?? stroke}${relay ? " Relay" : ""}`;
}
