/** Writes what comes with heat sheets and is none: timelines, results, warm-up lanes; and a start list nobody's program prints. */
import { ColumnFlow } from "./column-flow.ts";
import { drawMarks, type Mark } from "./draw-marks.ts";
import { drawFurniture } from "./hytek-page.ts";
import { printTwelveHours } from "./hytek-program.ts";
import { eventName, type Meet } from "./make-meet.ts";
import { listedName } from "./people.ts";

const size = 9.4;
const page = { columns: 1, shift: 0, top: 100, bottom: 750, pitch: 13.6 };

export interface SessionTruth {
  eventNumber: number;
  eventName: string;
  round: string;
  entries: number;
  heats: number;
  /** HH:MM. */
  startsAt: string;
}

/** When the events of a meet start, without anybody's name. */
export function writeSessionReport(meet: Meet): { pdf: Buffer; items: SessionTruth[] } {
  const flow = new ColumnFlow(page, (number) => drawFurniture(meet, "Session Report", number));
  const items: SessionTruth[] = [];
  flow.add([{ x: 241, text: `Session: 1  ${meet.session}`, size }]);
  flow.add([
    { x: 111, text: "Day of Meet: 1", size },
    { x: 180, text: "Starts at 08:30 AM  Heat Interval: 25 Seconds / Back +15 Seconds", size },
  ]);
  const header: [number, string][] = [
    [18, "Round"],
    [120, "Event"],
    [347, "Entries"],
    [408, "Heats"],
    [462, "Starts at"],
  ];
  flow.skip(8);
  flow.add(header.map(([x, text]) => ({ x, text, size })));
  for (const [index, event] of meet.events.entries()) {
    const minutes = 8 * 60 + 30 + index * 17;
    const startsAt = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    const name = eventName(event, "").replace("  ", " ");
    flow.add([
      { x: 19, text: event.round, size },
      { x: 114, text: String(event.number), size, right: true },
      { x: 121, text: name, size },
      { x: 378, text: String(event.entries.length), size, right: true },
      { x: 432, text: String(event.heats.length), size, right: true },
      { x: 438, text: "u", size: 8 },
      { x: 457, text: printTwelveHours(startsAt), size },
      { x: 531, text: "_______", size },
    ]);
    const { number: eventNumber, round, entries, heats } = event;
    items.push({ eventNumber, eventName: name, round, entries: entries.length, heats: heats.length, startsAt });
    if (index === 3) flow.add([{ x: 125, text: "Break: 10 Minutes", size }]);
  }
  flow.add([
    { x: 125, text: "Finish Time", size },
    { x: 457, text: "02:22 PM", size },
    { x: 531, text: "_______", size },
  ]);
  return { pdf: drawMarks(flow.pages), items };
}

/** What was swum: places and times, in lines much like those of a start list. */
export function writeResults(meet: Meet): Buffer {
  const flow = new ColumnFlow({ ...page, pitch: 11.5 }, (number) => drawFurniture(meet, "Results", number));
  const columns: [number, string][] = [
    [45, "Name"],
    [180, "Age"],
    [205, "Team"],
    [330, "Seed Time"],
    [400, "Finals Time"],
    [470, "Points"],
  ];
  for (const event of meet.events) {
    flow.ensure(4);
    flow.add([{ x: 18, text: `Event ${event.number}  ${eventName(event, meet.course)}`, size }]);
    flow.add(columns.map(([x, text]) => ({ x, text, size })));
    for (const [index, entry] of event.entries.entries()) {
      const { swimmer, relay, seed } = entry;
      const values: [number, string][] = [
        [29, String(index + 1)],
        [43, swimmer ? listedName(swimmer) : (relay?.team.name ?? "")],
        [184, swimmer ? String(swimmer.age) : (relay?.letter ?? "")],
        [205, (swimmer ?? relay)?.team.code ?? ""],
        [335, seed],
        [405, seed === "NT" ? "DQ" : seed.replace(/[YLS]$/, "")],
        [475, String(Math.max(0, 9 - index))],
      ];
      flow.add(values.map(([x, text]) => ({ x, text, size: 7.7 })));
    }
  }
  return drawMarks(flow.pages);
}

/** Lanes and times, but of teams that warm up. */
export function writeWarmupDecoy(meet: Meet): Buffer {
  const lanes = [1, 2, 3, 4, 5, 6, 7, 8];
  const marks: Mark[] = [
    { x: 230, y: 120, text: meet.name, size: 16 },
    { x: 230, y: 150, text: "Warm-Up Assignments", size: 16 },
    { x: 228, y: 180, text: "Saturday Preliminary Session", size: 12 },
    ...lanes.map((lane) => ({ x: 136 + lane * 45, y: 200, text: `LANE ${lane}`, size: 9 })),
  ];
  for (const [index, time] of ["6:00am – 6:30am", "6:30am – 7:25am", "7:25am – 8:20am"].entries()) {
    const y = 215 + index * 14;
    marks.push({ x: 88, y, text: time.replace("–", "-"), size: 10 });
    for (const lane of lanes) {
      const team = meet.teams[(lane + index) % meet.teams.length];
      marks.push({ x: 136 + lane * 45, y, text: index === 0 ? "Open" : (team?.code ?? ""), size: 9 });
    }
  }
  return drawMarks([marks]);
}

/** A start list in sentences, as somebody may type one. */
export function writeUnknownLayout(meet: Meet): Buffer {
  const flow = new ColumnFlow({ ...page, pitch: 14 }, (number): Mark[] => [
    { x: 72, y: 60, text: `Dear parents, this is who swims at the ${meet.name} (sheet ${number}).`, size: 11 },
  ]);
  for (const event of meet.events) {
    flow.add([{ x: 72, text: `Race no. ${event.number} will be the ${eventName(event, meet.course)}.`, size }]);
    for (const { number, lanes } of event.heats) {
      for (const [index, entry] of lanes.entries()) {
        if (!entry?.swimmer) continue;
        const { first, last, team } = entry.swimmer;
        const text = `In run ${number} we see ${first} ${last} of ${team.name} on lane ${index + 1}, hoping to beat ${entry.seed}.`;
        flow.add([{ x: 90, text, size }]);
      }
    }
  }
  return drawMarks(flow.pages);
}
