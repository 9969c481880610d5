/**
 * Gathers events and rows of a start list while it is read from top to bottom: an event, its heats, their rows. For
 * layouts that print one column, or whose columns have been put below each other.
 */
import { boxAround, type Row } from "./group-rows.ts";
import type { Producer, RelayMember, Sheet, SheetEntry, SheetEvent } from "./sheet.ts";

interface Heat {
  number: number;
  total: number | null;
  startsAt: string | null;
}

type About = Pick<Sheet, "meetName"> & Partial<Pick<Sheet, "meetDates" | "venue" | "printedAt">>;

const legs = 4;

type RowFields = Partial<Omit<SheetEntry, "event" | "heat" | "totalHeats" | "heatStart" | "page" | "box">>;

export class StartList {
  readonly events: SheetEvent[] = [];
  readonly entries: SheetEntry[] = [];
  #event: number | undefined;
  #heat: Heat | undefined;
  /** Rows that look like entries but stand in no heat. */
  #outside = 0;

  get event(): SheetEvent | undefined {
    return this.#event === undefined ? undefined : this.events[this.#event];
  }

  /** An event that was opened before under the same number and name goes on. */
  openEvent(event: SheetEvent): void {
    const known = this.events.findIndex(({ number, name }) => number === event.number && name === event.name);
    const at = known === -1 ? this.events.push(event) - 1 : known;
    if (at !== this.#event) this.#heat = undefined;
    this.#event = at;
  }

  openHeat(heat: Heat): void {
    this.#heat = heat;
  }

  addRow(fields: RowFields, row: Row, page: number): void {
    if (this.#event === undefined || this.#heat === undefined) {
      this.#outside++;
      return;
    }
    const { number, total, startsAt } = this.#heat;
    this.entries.push({
      round: null,
      blockHeat: null,
      lane: null,
      rank: null,
      alternate: false,
      name: null,
      age: null,
      sex: null,
      team: null,
      seed: null,
      exhibition: false,
      standard: null,
      relay: null,
      ...fields,
      event: this.#event,
      heat: number,
      totalHeats: total,
      heatStart: startsAt,
      page,
      box: row.box,
    });
  }

  /** Swimmers right below the relay team that was added last; what stands anywhere else is something else. */
  addMembers(members: readonly Omit<RelayMember, "leg">[], page: number): void {
    const team = this.entries.at(-1);
    const [first] = members;
    if (!first || !team?.relay || team.page !== page || team.event !== this.#event) return;
    const below = first.box.y - (team.box.y + team.box.height);
    if (below < -first.box.height || below > 2 * first.box.height) return;
    if (team.relay.members.length + members.length > legs) return;
    for (const member of members) team.relay.members.push({ ...member, leg: team.relay.members.length + 1 });
    team.box = boxAround([team.box, ...members.map(({ box }) => box)]);
  }

  toSheet(producer: Producer, pageCount: number, about: About): Sheet {
    return {
      meetDates: null,
      venue: null,
      printedAt: null,
      ...about,
      ...onlySession(this.events),
      kind: "program",
      producer,
      pageCount,
      events: this.events,
      entries: this.entries,
      sessions: [],
      warnings: this.#outside > 0 ? [`${this.#outside} rows stand in no heat and were left out.`] : [],
    };
  }
}

/** What all events have in common is the sheet's own. */
function onlySession(events: readonly SheetEvent[]): Pick<Sheet, "sessionName" | "sessionDate"> {
  const [first] = events;
  const name = first?.sessionName ?? null;
  const date = first?.sessionDate ?? null;
  return {
    sessionName: events.every(({ sessionName }) => sessionName === name) ? name : null,
    sessionDate: events.every(({ sessionDate }) => sessionDate === date) ? date : null,
  };
}

/** "4x50m Freistil", "200 Medley Relay": swum by teams. */
export function isRelayName(name: string): boolean {
  return /\d ?[x×*] ?\d{2}|relay|staffel|relais|relevo|estafet|staffet|bayrak|sztafet|lagkapp|stafett/i.test(name);
}
