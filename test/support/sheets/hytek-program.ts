/** Writes a meet as HY-TEK's Meet Program: events, heats and lanes in two or three columns. */
import { ColumnFlow } from "./column-flow.ts";
import { type DrawOptions, drawMarks } from "./draw-marks.ts";
import { cutText, drawFurniture, drawHeader, type HytekShape, program2, program3 } from "./hytek-page.ts";
import { drawEmptyLane, drawRow, type RowLook, type RowMark } from "./hytek-row.ts";
import { eventName, type Meet, type MeetEvent, type MeetHeat } from "./make-meet.ts";
import type { MadeSheet, TruthRow } from "./sheet-truth.ts";
import { truthOf } from "./truth-rows.ts";

export interface ProgramOptions extends Pick<DrawOptions, "scrambled" | "glyphTrouble">, RowLook {
  columns: 2 | 3;
  /** Lines with records below the name of an event. */
  records?: boolean;
  /** Whether heats are finals with letters, the last one for the first places. */
  letteredFinals?: boolean;
  /** Whether a heat may go on in the next column, under a heading that names it again. */
  splitHeats?: boolean;
}

export function writeHytekProgram(meet: Meet, options: ProgramOptions): MadeSheet {
  const shape = options.columns === 2 ? program2 : program3;
  const writer = new ProgramWriter(meet, shape, options);
  for (const [index, event] of meet.events.entries()) {
    if (event.form === "heats") writer.addEvent(event);
    else if (event.form === "ranked") writer.addRanked(event);
    else {
      const next = meet.events[index + 1];
      if (next?.form === "inTurns" && index % 2 === 0) writer.addInTurns(event, next);
    }
  }
  return writer.finish();
}

class ProgramWriter {
  readonly #meet: Meet;
  readonly #shape: HytekShape;
  readonly #options: ProgramOptions;
  readonly #flow: ColumnFlow;
  readonly #rows: TruthRow[] = [];

  constructor(meet: Meet, shape: HytekShape, options: ProgramOptions) {
    this.#meet = meet;
    this.#shape = shape;
    this.#options = options;
    this.#flow = new ColumnFlow(shape, (page) => drawFurniture(meet, "Meet Program", page));
  }

  finish(): MadeSheet {
    const pdf = drawMarks(this.#flow.pages, this.#options);
    return { pdf, truth: { pageCount: this.#flow.pages.length, rows: this.#rows } };
  }

  addEvent(event: MeetEvent): void {
    this.#openEvent(event, `${event.number}  ${eventName(event, this.#meet.course)}`, 4 + this.#meet.lanes);
    this.#flow.add(
      event.relay
        ? drawHeader(this.#shape, { lane: "Lane", name: "Team", team: "Relay", seed: "Seed Time" })
        : this.#header(),
    );
    for (const heat of event.heats) {
      const start = heat.startsAt === null ? "" : ` Starts at ${printTwelveHours(heat.startsAt)}`;
      const round = this.#roundOf(event, heat);
      const of = this.#options.letteredFinals ? "" : ` of ${event.heats.length}`;
      this.#addHeat(event, heat, `Heat ${heat.number}${of}  ${round}${start}`, {
        eventName: eventName(event, this.#meet.course),
        round,
        heat: heat.number,
        totalHeats: this.#options.letteredFinals ? null : event.heats.length,
      });
    }
    if (event.alternates.length > 0) this.#addAlternates(event);
  }

  /** As long distances stand in a program that is printed before they are seeded. */
  addRanked(event: MeetEvent): void {
    const name = eventName(event, this.#meet.course);
    const header = this.#header().filter(({ text }) => text !== "Lane");
    this.#openEvent(event, `${event.number}  ${name}`, 6);
    this.#flow.add(header);
    for (const [index, entry] of event.entries.entries()) {
      this.#flow.ensure(1);
      if (this.#flow.start === "page") {
        this.#flow.add(this.#heading(`${this.#eventWord()}${event.number} ...(${name})`));
        this.#flow.add(header);
      }
      this.#addRow(truthOf(event, entry, { eventName: name, rank: index + 1 }));
    }
  }

  /** Two events whose heats are swum in turns, under one heading. */
  addInTurns(girls: MeetEvent, boys: MeetEvent): void {
    const ages = girls.ages === null ? "" : `${girls.ages} `;
    const short = `${girls.distance} Free`;
    this.#openEvent(girls, `${girls.number} / ${boys.number}  Girls / Boys ${ages}${short}`, 4 + this.#meet.lanes);
    this.#flow.add(this.#header());
    let block = 0;
    for (let index = 0; index < Math.max(girls.heats.length, boys.heats.length); index++) {
      for (const event of [girls, boys]) {
        const heat = event.heats[index];
        if (!heat) continue;
        block++;
        this.#addHeat(
          event,
          { ...heat, startsAt: null },
          `Heat ${block}   (Heat ${heat.number} ${event.sex} ${short})`,
          {
            eventName: `${event.sex} ${ages}${short}`,
            heat: heat.number,
            blockHeat: block,
          },
        );
      }
    }
  }

  #roundOf(event: MeetEvent, heat: MeetHeat): string {
    if (!this.#options.letteredFinals) return event.round;
    return `${String.fromCharCode(65 + event.heats.length - heat.number)} - Final`;
  }

  #header(): RowMark[] {
    if (!this.#options.schoolYears) {
      return drawHeader(this.#shape, { lane: "Lane", name: "Name", age: "Age", team: "Team", seed: "Seed Time" });
    }
    const years = { x: this.#shape.row.age, text: "Yr", size: this.#shape.headingSize, right: true };
    return [...drawHeader(this.#shape, { lane: "Lane", name: "Name", team: "School", seed: "Seed Time" }), years];
  }

  #eventWord(): string {
    return this.#options.columns === 2 ? "Event " : "#";
  }

  #heading(text: string): RowMark[] {
    const { header, headingSize, columnWidth } = this.#shape;
    return [{ x: header.lane, text: cutText(text, headingSize, columnWidth), size: headingSize }];
  }

  #openEvent(event: MeetEvent, title: string, rows: number): void {
    this.#flow.ensure(rows);
    this.#flow.skip(6.5);
    this.#flow.add(this.#heading(`${this.#eventWord()}${title}`));
    if (!this.#options.records) return;
    const { headingSize, teamSize, columns } = this.#shape;
    const scale = columns === 2 ? 1 : 0.66;
    const parts = [
      "IX Record:",
      "1:02.11",
      "8/5/2015",
      event.relay ? "Dolphin Bay Swim Club" : "Nobody R Inparticular",
    ];
    const at = [37, 88, 120, 168];
    this.#flow.add(parts.map((text, index) => ({ x: (at[index] ?? 0) * scale, text, size: teamSize })));
    if (event.relay) this.#flow.add([{ x: 60 * scale, text: "Inventa, Ida, Fictus, Otto", size: teamSize }]);
    this.#flow.add([
      { x: 94 * scale, text: "47.09", size: headingSize * 0.9 },
      { x: 120 * scale, text: "QUAL  Qualifying Time", size: headingSize * 0.9 },
    ]);
  }

  #addHeat(event: MeetEvent, heat: MeetHeat, title: string, facts: Partial<TruthRow> & { eventName: string }): void {
    const { splitHeats = false } = this.#options;
    const again = `Heat ${facts.blockHeat ?? heat.number}  ${facts.blockHeat ? "" : this.#roundOf(event, heat)} (#${event.number} ${eventName(event, this.#meet.course)})`;
    const inTurns = facts.blockHeat !== undefined;
    const rowsOf = (entry: MeetHeat["lanes"][number]) => 1 + Math.ceil((entry?.relay?.members.length ?? 0) / 2);
    const whole = 1 + heat.lanes.reduce((sum, entry) => sum + rowsOf(entry), 0);
    const mayBreak = splitHeats && !inTurns;
    this.#flow.ensure(mayBreak ? 4 : whole);
    const named = this.#flow.start === "page" && heat.number > 1 && !inTurns;
    this.#flow.add(this.#heading(named ? again : title));
    // A heat that is named again has no room for its time.
    const heatStart = named ? null : heat.startsAt;
    for (const [index, entry] of heat.lanes.entries()) {
      if (this.#flow.ensure(rowsOf(entry))) this.#flow.add(this.#heading(again));
      const lane = index + 1;
      if (entry === null) this.#flow.add(drawEmptyLane(this.#shape, lane, (heat.number + lane) % 2 === 0));
      else this.#addRow(truthOf(event, entry, { ...facts, heatStart, lane }));
    }
  }

  #addAlternates(event: MeetEvent): void {
    this.#flow.ensure(1 + event.alternates.length);
    this.#flow.add(this.#heading("Alternates"));
    for (const [index, entry] of event.alternates.entries()) {
      this.#addRow(
        truthOf(event, entry, {
          eventName: eventName(event, this.#meet.course),
          alternate: true,
          rank: index + 1,
        }),
      );
    }
  }

  #addRow(truth: TruthRow): void {
    const drawn = drawRow(this.#shape, truth, this.#options);
    this.#flow.ensure(drawn.length);
    for (const marks of drawn) this.#flow.add(marks);
    this.#rows.push({ ...truth, page: this.#flow.page });
  }
}

export function printTwelveHours(clock: string): string {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  const shown = String(((hours + 11) % 12) + 1).padStart(2, "0");
  return `${shown}:${String(minutes).padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`;
}
