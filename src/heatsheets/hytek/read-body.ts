/**
 * Reads the rows of all pages, column by column, and keeps what holds for the rows below: the event, its header, the
 * heat. All of it carries over into the next column and the next page.
 */
import type { Word } from "../../layout/page.ts";
import { boxAround, groupRows, type Row } from "../group-rows.ts";
import type { DateRange, RelayMember, SheetEntry, SheetEvent } from "../sheet.ts";
import { dateSession } from "./describe-meet.ts";
import { findColumns } from "./find-columns.ts";
import type { EventSex } from "./read-age.ts";
import { isRelay, lacksStroke, readEventLine, sexOf, startsWithStroke } from "./read-event-line.ts";
import { type Header, moveEdges, readHeader } from "./read-header.ts";
import { type HeatLine, readHeatLine } from "./read-heat-line.ts";
import { readLaneRow, readPlace } from "./read-lane-row.ts";
import { readRelayMembers, readRelayRow } from "./read-relay-rows.ts";

interface BodyPage {
  page: number;
  sessionName: string | null;
  body: Word[];
}

interface Body {
  events: SheetEvent[];
  entries: SheetEntry[];
  /** A line of a heat was seen. */
  heats: boolean;
  /** Times that were swum stand in it. */
  results: boolean;
  /** Rows that start like an entry and could not be read. */
  unread: number;
}

/** What the numbers at the start of rows are. Before an event's header or heat they are part of records and standards. */
type Mode = "context" | "lanes" | "ranks" | "alternates";

type Heat = Pick<SheetEntry, "round" | "heat" | "totalHeats" | "blockHeat" | "heatStart">;

const noHeat: Heat = { round: null, heat: null, totalHeats: null, blockHeat: null, heatStart: null };
const mostLanes = 10;
const mostMembers = 8;

export function readBody(pages: readonly BodyPage[], meet: DateRange | null): Body {
  const reader = new BodyReader(meet);
  const columns = findColumns(pages.map(({ body }) => body));
  for (const [i, page] of pages.entries()) {
    for (const { left, words } of columns[i] ?? []) {
      for (const row of groupRows(words)) reader.take(row, left, page);
    }
  }
  return reader.body;
}

class BodyReader {
  readonly body: Body = { events: [], entries: [], heats: false, results: false, unread: 0 };
  readonly #meet: DateRange | null;
  #mode: Mode = "context";
  /** Indices of the events under way: two where their heats alternate. */
  #current: number[] = [];
  #event = 0;
  #heat: Heat = noHeat;
  #header: { header: Header; left: number } | null = null;
  #relay: { entry: SheetEntry; left: number } | null = null;
  readonly #totals = new Map<number, number>();

  constructor(meet: DateRange | null) {
    this.#meet = meet;
  }

  take(row: Row, left: number, page: BodyPage): void {
    const taken =
      this.#takeEvent(row, page) ||
      this.#takeHeader(row, left) ||
      this.#takeHeat(row, page) ||
      this.#takeAlternates(row);
    if (taken) return;
    if (this.#mode === "context") this.#lengthenName(row);
    else if (!this.#takeEntry(row, left, page) && !this.#takeMembers(row, left, page)) this.#passOver(row);
  }

  #takeEvent({ text }: Row, page: BodyPage): boolean {
    const line = readEventLine(text);
    if (!line) return false;
    this.#relay = null;
    const before = this.#event;
    this.#current = line.events.map((event) => this.#enter(event, page, line.continued));
    this.#event = this.#current[0] ?? 0;
    // A relay's header says nothing about the columns of swimmers.
    if (this.body.events[this.#event]?.relay !== this.#header?.header.relay) this.#header = null;
    if (line.continued && this.#event === before && this.#mode !== "context") return true;
    // In a psych sheet rows may follow at once where an event goes on.
    this.#mode = line.continued && this.#mode === "ranks" ? "ranks" : "context";
    this.#heat = noHeat;
    return true;
  }

  /** The index of an event, known or new. The name of a continued one may be cut: the known one stays. */
  #enter({ number, name }: { number: number; name: string }, page: BodyPage, continued: boolean): number {
    const { events } = this.body;
    const { sessionName } = page;
    const known = events.findLastIndex(
      (event) => event.number === number && (continued || (event.name === name && event.sessionName === sessionName)),
    );
    if (known >= 0) return known;
    const sessionDate = dateSession(sessionName, this.#meet);
    return events.push({ number, name, relay: isRelay(name), sessionDate, sessionName }) - 1;
  }

  #takeHeader(row: Row, left: number): boolean {
    const header = readHeader(row);
    if (!header) return false;
    this.#header = { header, left };
    this.body.results ||= header.results;
    if (!header.lanes) this.#mode = "ranks";
    else if (this.#mode === "ranks") this.#mode = "context";
    return true;
  }

  #takeHeat({ text }: Row, page: BodyPage): boolean {
    const line = readHeatLine(text);
    if (!line) return false;
    const before = this.#event;
    if (line.of.length > 0) this.#current = line.of.map((event) => this.#enter(event, page, true));
    this.#event = this.#pickEvent(line);
    if (this.#current.length === 0) return true;
    if (line.total !== null) this.#totals.set(this.#event, line.total);
    this.body.heats = true;
    this.#relay = null;
    this.#mode = "lanes";
    const heat = line.inner?.number ?? line.number;
    // Torn apart by the end of a column, it says only in the first how it is swum and when.
    const torn = line.of.length > 0 && this.#event === before && this.#heat.heat === heat ? this.#heat : noHeat;
    this.#heat = {
      round: line.round ?? torn.round,
      heat,
      totalHeats: line.total ?? this.#totals.get(this.#event) ?? null,
      blockHeat: line.inner ? line.number : null,
      heatStart: line.start ?? torn.heatStart,
    };
    return true;
  }

  /** Of two events whose heats alternate, the one whose name starts like the heat's. */
  #pickEvent({ inner }: HeatLine): number {
    const { events } = this.body;
    const [first = 0] = this.#current;
    if (!inner) return first;
    const [sexWord] = inner.eventName.split(" ");
    const named = this.#current.find((index) => events[index]?.name.startsWith(`${sexWord} `));
    if (named !== undefined) return named;
    // Where the sheet begins in the middle of such a block, its continuation names only the numbers.
    const unnamed = this.#current.find((index) => events[index]?.name === "");
    const event = unnamed === undefined ? undefined : events[unnamed];
    if (event) event.name = inner.eventName;
    return unnamed ?? first;
  }

  #takeAlternates({ text }: Row): boolean {
    if (this.#mode === "context" || !/^(?:\d+\w*\s+)?Alternates?\b\W*$/i.test(text)) return false;
    this.#mode = "alternates";
    this.#relay = null;
    return true;
  }

  #lengthenName({ text }: Row): void {
    const event = this.body.events[this.#event];
    if (!event || this.#current.length !== 1 || !lacksStroke(event.name) || !startsWithStroke(text)) return;
    event.name = `${event.name} ${text}`;
    event.relay = isRelay(event.name);
  }

  #takeEntry(row: Row, left: number, page: BodyPage): boolean {
    const start = readPlace(row);
    const event = this.body.events[this.#event];
    if (!start || !event) return false;
    const { place, rest } = start;
    const inLane = this.#mode === "lanes";
    if (rest.length === 0) return inLane;
    if (inLane && (place === null || place > mostLanes)) return false;
    const who = this.#readWho(rest, event, left);
    if (!who) return false;
    const entry: SheetEntry = {
      event: this.#event,
      ...(inLane ? this.#heat : noHeat),
      lane: inLane ? place : null,
      rank: inLane ? null : place,
      alternate: this.#mode === "alternates",
      ...who,
      page: page.page,
      box: row.box,
    };
    this.body.entries.push(entry);
    this.#relay = entry.relay ? { entry, left } : null;
    return true;
  }

  #readWho(words: Word[], { name }: SheetEvent, left: number) {
    const { header = null, edges } = this.#headerAt(left);
    if (header ? header.relay : isRelay(name)) {
      const row = readRelayRow(words, edges);
      if (!row) return null;
      const { letter, ...rest } = row;
      const members: RelayMember[] = [];
      return { name: null, age: null, sex: null, ...rest, relay: { letter, members } };
    }
    const row = readLaneRow(words, sexOf(name), header, edges);
    return row && { ...row, relay: null };
  }

  #headerAt(left: number) {
    if (!this.#header) return { edges: null };
    const { header, left: seenAt } = this.#header;
    return { header, edges: header.edges && moveEdges(header.edges, left - seenAt) };
  }

  #takeMembers(row: Row, left: number, page: BodyPage): boolean {
    const team = this.#relay;
    if (!team?.entry.relay) return false;
    const { entry } = team;
    const { members } = team.entry.relay;
    const sex: EventSex = sexOf(this.body.events[entry.event]?.name ?? "");
    const added = readRelayMembers(row, members.length + 1, sex);
    if (added.length === 0 || members.length + added.length > mostMembers) return false;
    members.push(...added);
    if (page.page === entry.page && left === team.left) entry.box = boxAround([entry.box, row.box]);
    return true;
  }

  #passOver({ text }: Row): void {
    if (/^\d{1,3}\s+\S*\p{L}/u.test(text) || /\d[.,]\d{2}\b/.test(text)) this.body.unread++;
  }
}
