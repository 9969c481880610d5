/** What a sheet says about the length of its heats, in the order in which they are printed; kept as JSON beside it. */
import { describeEvent } from "./describe-event.ts";
import { readSeconds } from "./read-seconds.ts";
import type { Sheet, SheetEntry } from "./sheet.ts";

export interface HeatPlan {
  events: PlannedEvent[];
  heats: PlannedHeat[];
}

export interface PlannedEvent {
  number: number;
  name: string;
  date: string | null;
  session: string | null;
}

export interface PlannedHeat {
  /** Index in `events`. */
  event: number;
  heat: number;
  round: string | null;
  /** How long it takes, the interval after it left out. */
  seconds: number;
  startsAt: string | null;
  /** Printed with the prelims but swum in the evening, as the fastest heat of a long event. */
  withFinals: boolean;
}

/** Where nobody in an event has a time: slower than most, as swimmers without times are. */
const defaultSecondsPerMetre = 1.5;
const defaultDistance = 100;

export function heatPlan(sheet: Sheet): HeatPlan {
  const events = sheet.events.map(({ number, name, sessionDate, sessionName }) => ({
    number,
    name,
    date: sessionDate ?? sheet.sessionDate,
    session: sessionName ?? sheet.sessionName,
  }));
  const drafts = gatherHeats(sheet.entries);
  const seconds = drafts.map(
    ({ slowest, event }) => slowest ?? typicalSeconds(drafts, event, events[event]?.name ?? ""),
  );
  const heats = drafts.map(
    ({ event, heat, round, startsAt }, i): PlannedHeat => ({
      event,
      heat,
      round,
      seconds: Math.round(seconds[i] ?? 0),
      startsAt,
      withFinals: /swimming with finals/i.test(round ?? ""),
    }),
  );
  return { events, heats };
}

interface Draft extends Omit<PlannedHeat, "seconds" | "withFinals"> {
  /** The slowest seed: a heat is over when its last swimmer is in. */
  slowest?: number;
}

function gatherHeats(entries: readonly SheetEntry[]): Draft[] {
  const drafts: Draft[] = [];
  const byHeat = new Map<string, Draft[]>();
  for (const { event, heat, round, heatStart, seed } of entries) {
    if (heat === null) continue;
    const key = `${event} ${heat}`;
    const sameNumber = byHeat.get(key) ?? [];
    byHeat.set(key, sameNumber);
    // Where a heat goes on in the next column its round may be missing.
    let draft = sameNumber.find((known) => known.round === round || known.round === null || round === null);
    if (!draft) {
      draft = { event, heat, round, startsAt: heatStart };
      sameNumber.push(draft);
      drafts.push(draft);
    }
    draft.round ??= round;
    draft.startsAt ??= heatStart;
    const time = seed === null ? undefined : readSeconds(seed);
    if (time !== undefined) draft.slowest = Math.max(draft.slowest ?? 0, time);
  }
  return drafts;
}

/** For a heat without times: the median of the event's heats, and where there is none, what the distance suggests. */
function typicalSeconds(drafts: readonly Draft[], event: number, name: string): number {
  const timed = drafts
    .flatMap((draft) => (draft.event === event && draft.slowest !== undefined ? [draft.slowest] : []))
    .sort((a, b) => a - b);
  const middle = (timed.length - 1) / 2;
  const [low, high] = [timed[Math.floor(middle)], timed[Math.ceil(middle)]];
  if (low !== undefined && high !== undefined) return (low + high) / 2;
  return (describeEvent(name).distance ?? defaultDistance) * defaultSecondsPerMetre;
}
