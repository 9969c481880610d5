/**
 * A heat sheet as it is printed: the events in order, and every row of them with its place on the page. Nothing in here
 * is computed or matched; what a row does not say is null.
 */
import type { Box } from "../layout/page.ts";

/** Whose layout it is. */
export type Producer = "hytek" | "teamunify" | "splash" | "easywk" | "acuatica";

/**
 * A program has heats and lanes, a psych sheet ranks, a timeline only start times. Results list what was swum, and an
 * unknown document may be anything: neither gives entries.
 */
export type SheetKind = "program" | "psych" | "timeline" | "results" | "unknown";

/** First and last day, as YYYY-MM-DD. */
export interface DateRange {
  from: string;
  to: string;
}

export interface Sheet {
  kind: SheetKind;
  /** Null where the kind is unknown. */
  producer: Producer | null;
  meetName: string | null;
  meetDates: DateRange | null;
  /** The one session the sheet is for, where it says so. */
  sessionName: string | null;
  sessionDate: string | null;
  venue: string | null;
  /** When this issue was printed, as local time (YYYY-MM-DD or YYYY-MM-DDTHH:MM): of two issues the later one counts. */
  printedAt: string | null;
  pageCount: number;
  events: SheetEvent[];
  entries: SheetEntry[];
  /** Of a timeline: when events start. Empty otherwise. */
  sessions: SheetSession[];
  /** What a reader of the sheet should know: rows that could not be read, pages that were passed over. */
  warnings: string[];
}

export interface SheetEvent {
  number: number;
  /** In full, as printed where it stands first: "Girls 11-12 100 LC Meter Freestyle". */
  name: string;
  /** Swum by teams. */
  relay: boolean;
  /** Where the sheet says on which day, or in which session, an event is. */
  sessionDate: string | null;
  sessionName: string | null;
}

export interface SheetEntry {
  /** Index in `events`. */
  event: number;
  round: string | null;
  /** Within the event. Null in ranked lists and for alternates. */
  heat: number | null;
  totalHeats: number | null;
  /** The number printed over it, where heats of two events alternate in one block. */
  blockHeat: number | null;
  /** HH:MM, of 24 hours, where the heat says so. */
  heatStart: string | null;
  lane: number | null;
  /** The place in a psych sheet, in a ranked list, or among alternates: never a lane. */
  rank: number | null;
  alternate: boolean;
  /** As printed: "Last, First M". Null for a relay team. */
  name: string | null;
  /** Age, school year ("SO") or year of birth, as printed, without the M or W of mixed events. */
  age: string | null;
  /** The M or W before the age. */
  sex: "M" | "W" | null;
  team: string | null;
  /** As printed, with its course letter: "1:05.32Y", "NT"; without the X. */
  seed: string | null;
  exhibition: boolean;
  /** Marks after the seed: standards reached, `B` for bonus. */
  standard: string | null;
  relay: { letter: string | null; members: RelayMember[] } | null;
  /** From 1. */
  page: number;
  /** Around the row, members of a relay included. */
  box: Box;
}

export interface RelayMember {
  name: string;
  age: string | null;
  /** 1 to 4, in the order of swimming. */
  leg: number;
  box: Box;
}

export interface SheetSession {
  number: number | null;
  name: string | null;
  /** Day of the meet, from 1, where the report counts days. */
  day: number | null;
  date: string | null;
  startsAt: string | null;
  /** Seconds between heats, and how many more where swimmers start in the water (backstroke). */
  intervalSeconds: number | null;
  backstrokeExtraSeconds: number | null;
  items: SessionItem[];
}

export interface SessionItem {
  eventNumber: number;
  eventName: string;
  round: string | null;
  entries: number | null;
  heats: number | null;
  /** HH:MM, of 24 hours. */
  startsAt: string | null;
  /** Where the timeline lists single heats. */
  heat: number | null;
}
