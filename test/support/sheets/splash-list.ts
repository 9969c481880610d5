/** Writes a meet as a start list of Splash Meet Manager: one column, years of birth, names of clubs in full. */
import { ColumnFlow } from "./column-flow.ts";
import { drawMarks, type Mark } from "./draw-marks.ts";
import type { Meet, MeetEvent } from "./make-meet.ts";
import type { MadeSheet, TruthRow } from "./sheet-truth.ts";
import { truthOf } from "./truth-rows.ts";

const size = 9;
const meetYear = 2031;

export function writeSplash(meet: Meet): MadeSheet {
  const flow = new ColumnFlow({ columns: 1, shift: 0, top: 96, bottom: 790, pitch: 12.5 }, (page): Mark[] => [
    { x: 56, y: 42, text: meet.name, size: 12 },
    { x: 56, y: 58, text: "Neuwasser, 14. - 15.6.2031", size },
    { x: 56, y: 820, text: "Splash Meet Manager, 11.78541", size: 7 },
    { x: 220, y: 820, text: "Registered to Imaginary Pool", size: 7 },
    { x: 540, y: 820, text: `28.05.2031 18:45 - Page ${page}`, size: 7, right: true },
  ]);
  const rows: TruthRow[] = [];
  for (const event of meet.events) {
    const name = splashName(event);
    flow.ensure(5);
    flow.skip(8);
    flow.add([{ x: 56, text: `Event ${event.number}, ${name}`, size: 11 }]);
    for (const { number, lanes } of event.heats) {
      flow.ensure(2 + lanes.length * (event.relay ? 2 : 1));
      if (flow.start === "page" && number > 1) flow.add([{ x: 56, text: `Event ${event.number}, ${name}`, size: 11 }]);
      flow.skip(4);
      flow.add([{ x: 56, text: `Heat ${number} of ${event.heats.length}`, size: 10 }]);
      for (const [index, entry] of lanes.entries()) {
        if (entry === null) continue;
        const truth = truthOf(event, entry, {
          eventName: name,
          heat: number,
          totalHeats: event.heats.length,
          lane: index + 1,
          sex: null,
          seed: entry.seed.replace(/[YLS]$/, ""),
          standard: null,
        });
        truth.team = (entry.swimmer ?? entry.relay)?.team.name ?? "";
        if (truth.age !== null) truth.age = yearOf(truth.age);
        for (const member of truth.relay?.members ?? []) member.age = yearOf(member.age ?? "");
        addRow(flow, truth);
        rows.push({ ...truth, page: flow.page });
      }
    }
  }
  const pdf = drawMarks(flow.pages, { width: 595, height: 842 });
  return { pdf, truth: { pageCount: flow.pages.length, rows } };
}

function addRow(flow: ColumnFlow, truth: TruthRow): void {
  const lane = { x: 66, text: String(truth.lane), size, right: true };
  const end = [
    { x: 500, text: truth.seed, size, right: true },
    ...(truth.exhibition ? [{ x: 512, text: "HC", size }] : []),
  ];
  if (!truth.relay) {
    const parts = [
      { x: 82, text: truth.name ?? "", size },
      { x: 250, text: truth.age ?? "", size },
      { x: 280, text: truth.team, size },
    ];
    flow.add([lane, ...parts, ...end]);
    return;
  }
  const { letter, members } = truth.relay;
  flow.add([lane, { x: 82, text: truth.team, size }, { x: 280, text: letter, size }, ...end]);
  const named = members.map(({ name, age }) => `${name} ${age}`).join(", ");
  if (named !== "") flow.add([{ x: 82, text: named, size: 7 }]);
}

/** Two digits of the year of birth. */
function yearOf(age: string): string {
  return String((meetYear - Number(age)) % 100).padStart(2, "0");
}

function splashName({ sex, ages, distance, stroke, relay }: MeetEvent): string {
  const who = { Girls: "Women", Boys: "Men", Mixed: "Mixed" }[sex];
  const group = ages === null ? "" : `, ${ages}`;
  return `${who}, ${relay ? `4 x ${distance / 4}m` : `${distance}m`} ${stroke}${group}`;
}
