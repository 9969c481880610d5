/** Writes a meet as a German start list of EasyWk: one column, years of birth, comma decimals, withdrawn swimmers. */
import { ColumnFlow } from "./column-flow.ts";
import { drawMarks, type Mark } from "./draw-marks.ts";
import type { Meet, MeetEntry, MeetEvent } from "./make-meet.ts";
import { listedName } from "./people.ts";
import type { MadeSheet, TruthRow } from "./sheet-truth.ts";
import { truthOf } from "./truth-rows.ts";

const size = 9;
const meetYear = 2031;
const strokes: Record<string, string> = {
  Freestyle: "Freistil",
  Backstroke: "Rücken",
  Breaststroke: "Brust",
  Butterfly: "Schmetterling",
  IM: "Lagen",
  Medley: "Lagen",
};

export function writeEasyWk(meet: Meet): MadeSheet {
  const flow = new ColumnFlow({ columns: 1, shift: 0, top: 60, bottom: 800, pitch: 11.6 }, (page): Mark[] => [
    { x: 57, y: 32, text: meet.name, size: 11 },
    { x: 522, y: 32, text: `Seite ${page}`, size: 10 },
  ]);
  const rows: TruthRow[] = [];
  flow.add([{ x: 57, text: "Abschnitt 1 - Samstag 14.06.2031", size: 14 }]);
  flow.skip(8);
  flow.add([{ x: 65, text: "Einlass: 07:30 Uhr | Einschwimmen: 07:30 Uhr", size }]);
  flow.add([{ x: 65, text: "Beginn: 08:00 Uhr", size }]);
  flow.skip(14);
  flow.add([{ x: 57, text: "Wettkampffolge für Abschnitt 1", size: 14 }]);
  for (const event of meet.events) flow.add([{ x: 60, text: `Wettkampf ${event.number} - ${easyName(event)}`, size }]);
  for (const [eventIndex, event] of meet.events.entries()) {
    const title = `Wettkampf ${event.number} - ${easyName(event)}`;
    flow.ensure(8);
    flow.skip(14);
    flow.add([{ x: 57, text: title, size: 14 }]);
    flow.skip(8);
    const withdrawn = event.entries.filter((_entry, index) => !event.relay && index % 9 === 4);
    const swims = (entry: MeetEntry | null): entry is MeetEntry => entry !== null && !withdrawn.includes(entry);
    for (const entry of withdrawn) flow.add(drawParts("abgem.", nameOf(entry), entry));
    const heats = event.heats.filter(({ lanes }) => lanes.some(swims));
    for (const [heatIndex, { lanes }] of heats.entries()) {
      const minutes = 480 + eventIndex * 20 + heatIndex * 2;
      const clock = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
      flow.ensure(4 + lanes.length);
      if (flow.start === "page" && heatIndex > 0) flow.add([{ x: 58, text: `noch ${title}`, size: 14 }]);
      flow.skip(10);
      flow.add([{ x: 58, text: `Lauf ${heatIndex + 1}/${heats.length} (ca. ${clock} Uhr)`, size: 12 }]);
      flow.skip(6);
      flow.add(
        [
          [60, "Bahn"],
          [119, event.sex === "Girls" ? "Schwimmerin" : "Schwimmer"],
          [263, "Jg."],
          [314, "Verein"],
          [495, "Meldezeit"],
        ].map(([x, text]) => ({ x: Number(x), text: String(text), size })),
      );
      for (const [index, entry] of lanes.entries()) {
        if (!swims(entry)) continue;
        flow.add(drawParts(`Bahn ${index + 1}`, nameOf(entry), entry));
        rows.push(
          truthOf(event, entry, {
            eventName: easyName(event),
            heat: heatIndex + 1,
            totalHeats: heats.length,
            heatStart: clock,
            lane: index + 1,
            sex: null,
            age: yearOf(entry),
            team: (entry.swimmer ?? entry.relay)?.team.name ?? "",
            seed: germanSeed(entry),
            exhibition: false,
            standard: null,
            ...(entry.relay && { relay: { letter: numberOf(entry), members: [] } }),
            page: flow.page,
          }),
        );
      }
    }
  }
  const pdf = drawMarks(flow.pages, { width: 595, height: 842 });
  return { pdf, truth: { pageCount: flow.pages.length, rows } };
}

function drawParts(lane: string, name: string, entry: MeetEntry): Omit<Mark, "y">[] {
  return [
    { x: 60, text: lane, size },
    { x: 119, text: name, size },
    { x: 275, text: yearOf(entry), size },
    { x: 314, text: (entry.swimmer ?? entry.relay)?.team.name ?? "", size },
    { x: 550, text: germanSeed(entry), size, right: true },
  ];
}

function nameOf(entry: MeetEntry): string {
  return entry.swimmer ? listedName(entry.swimmer) : `${numberOf(entry)}. Mannschaft`;
}

/** Second teams are numbered where others have letters. */
function numberOf({ relay }: MeetEntry): string {
  return String("ABCDEF".indexOf(relay?.letter ?? "A") + 1);
}

function yearOf({ swimmer, relay }: MeetEntry): string {
  return String(meetYear - (swimmer?.age ?? relay?.members[0]?.age ?? 12));
}

/** Minutes always, comma decimals; who has no time gets a very long one. */
function germanSeed({ seed }: MeetEntry): string {
  const [minutes, rest = ""] = seed === "NT" ? ["59", "59.99"] : seed.includes(":") ? seed.split(":") : ["0", seed];
  return `${minutes?.padStart(2, "0")}:${rest
    .replace(/[YLS]$/, "")
    .padStart(5, "0")
    .replace(".", ",")}`;
}

function easyName({ sex, distance, stroke, relay }: MeetEvent): string {
  const who = { Girls: "weiblich", Boys: "männlich", Mixed: "mixed" }[sex];
  return `${relay ? `4x${distance / 4}m` : `${distance}m`} ${strokes[stroke] ?? stroke} ${who}`;
}
