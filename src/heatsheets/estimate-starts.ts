/**
 * When a heat starts: as printed, or estimated from the nearest start before it that is known and the heats between.
 * Seconds are cut off, and no estimate is later than the next start that is known.
 */
import { describeEvent } from "./describe-event.ts";
import { findSessionItems, type ListedItem } from "./find-session-items.ts";
import type { HeatPlan, PlannedEvent, PlannedHeat } from "./heat-plan.ts";
import type { SheetSession } from "./sheet.ts";

export { type HeatPlan, heatPlan } from "./heat-plan.ts";

/** Between the last touch of a heat and the start of the next, where no timeline says; meets take 15 to 30. */
const defaultIntervalSeconds = 20;
const daySeconds = 24 * 60 * 60;

interface HeatStart {
  /** HH:MM, of 24 hours. */
  time: string;
  estimated: boolean;
}

interface WantedHeat {
  eventNumber: number;
  heat: number;
  /** Where a sheet has prelims and finals of an event: of which the heat is. */
  round?: string | null;
}

interface Known {
  seconds: number;
  /** Printed for this very heat, not only for its event. */
  exact: boolean;
}

/** `timelines` are the sessions of all timelines of the batch; those that do not fit the sheet are not used. */
export function estimateStart(
  plan: HeatPlan,
  wanted: WantedHeat,
  timelines: readonly SheetSession[],
  { intervalSeconds = defaultIntervalSeconds }: { intervalSeconds?: number } = {},
): HeatStart | undefined {
  const at = findHeat(plan, wanted);
  const target = plan.heats[at];
  const targetEvent = target && plan.events[target.event];
  if (!target || !targetEvent) return undefined;

  const listings = new Map<number, ListedItem[]>();
  const listingsOf = (event: number): ListedItem[] => {
    const planned = plan.events[event];
    const known = listings.get(event) ?? (planned ? findSessionItems(planned, timelines) : []);
    listings.set(event, known);
    return known;
  };
  const knownAt = (index: number) => {
    const heat = plan.heats[index];
    return heat && findKnown(heat, listingsOf(heat.event), isFirstSwum(plan, index));
  };

  const own = knownAt(at);
  if (own) return toStart(own.seconds, !own.exact);
  // It swims in another session, of which this sheet has no other heat to count from.
  if (target.withFinals) return undefined;

  let gone = 0;
  for (let index = at - 1; index >= 0; index--) {
    const heat = plan.heats[index];
    const event = heat && plan.events[heat.event];
    if (!event || !inOneSession(event, targetEvent)) break;
    if (heat.withFinals) continue;
    gone += heat.seconds + intervalOf(event, listingsOf(heat.event), intervalSeconds);
    const known = knownAt(index);
    if (known) return toStart(holdBack(known.seconds + gone, known.seconds, nextKnown(at)), true);
  }
  const begin = findSessionStart(plan, at, listingsOf, timelines);
  return begin === undefined ? undefined : toStart(holdBack(begin + gone, begin, nextKnown(at)), true);

  function nextKnown(from: number): number | undefined {
    for (let index = from + 1; index < plan.heats.length; index++) {
      const heat = plan.heats[index];
      const event = heat && plan.events[heat.event];
      if (!event || !targetEvent || !inOneSession(event, targetEvent)) return undefined;
      const known = heat.withFinals ? undefined : knownAt(index);
      if (known) return known.seconds;
    }
    return undefined;
  }
}

function findHeat({ events, heats }: HeatPlan, { eventNumber, heat, round }: WantedHeat): number {
  const fits = (planned: PlannedHeat) => events[planned.event]?.number === eventNumber && planned.heat === heat;
  const exact = heats.findIndex((planned) => fits(planned) && planned.round === round);
  return round === undefined || exact === -1 ? heats.findIndex(fits) : exact;
}

/** What is printed for a heat: in the sheet itself, then in a timeline for this heat, then for its event. */
function findKnown(heat: PlannedHeat, listed: readonly ListedItem[], firstOfEvent: boolean): Known | undefined {
  if (heat.startsAt !== null) return { seconds: toSeconds(heat.startsAt), exact: true };
  const ofRound = listed.filter(({ item }) => canBeSameRound(item.round, heat.round));
  const single = ofRound.find(({ item }) => item.heat === heat.heat && item.startsAt !== null)?.item.startsAt;
  if (single) return { seconds: toSeconds(single), exact: true };
  if (!firstOfEvent) return undefined;
  // A timeline of the prelims also lists an event whose fastest heat swims with the finals: not the start of that heat.
  const sessions = heat.withFinals ? ofRound.filter(({ session }) => /\bfinals?\b/i.test(session.name ?? "")) : ofRound;
  const whole = sessions.find(({ item }) => item.heat === null && item.startsAt !== null)?.item.startsAt;
  return whole ? { seconds: toSeconds(whole), exact: false } : undefined;
}

/** Sheets name rounds differently ("Finals-S", "Timed Final"): only prelims, semifinals and finals are told apart. */
function canBeSameRound(one: string | null, other: string | null): boolean {
  const [a, b] = [one, other].map((round) => /prelim|semi|final/i.exec(round ?? "")?.[0].toLowerCase());
  return a === undefined || b === undefined || a === b;
}

/** Heats that swim with the finals are counted by themselves. */
function isFirstSwum({ heats }: HeatPlan, index: number): boolean {
  const heat = heats[index];
  return heats.findIndex(({ event, withFinals }) => event === heat?.event && withFinals === heat.withFinals) === index;
}

function inOneSession(one: PlannedEvent, other: PlannedEvent): boolean {
  return one.date === other.date && one.session === other.session;
}

/** The interval of the session that lists the event; swimmers of backstroke take longer to be ready. */
function intervalOf(event: PlannedEvent, listed: readonly ListedItem[], otherwise: number): number {
  const session = listed.find((found) => found.session.intervalSeconds !== null)?.session;
  const extra = describeEvent(event.name).stroke === "back" ? (session?.backstrokeExtraSeconds ?? 0) : 0;
  return (session?.intervalSeconds ?? otherwise) + extra;
}

/**
 * The start of the session a heat is in. Only where the sheet begins with what the session begins with: otherwise
 * heats have been swum before of which nothing is known.
 */
function findSessionStart(
  plan: HeatPlan,
  at: number,
  listingsOf: (event: number) => ListedItem[],
  timelines: readonly SheetSession[],
): number | undefined {
  const event = plan.events[plan.heats[at]?.event ?? -1];
  if (!event) return undefined;
  const first = plan.heats.find((heat) => {
    const other = plan.events[heat.event];
    return other && !heat.withFinals && inOneSession(other, event);
  });
  if (!first) return undefined;
  const listed = listingsOf(first.event).find(({ session, item }) => session.items[0] === item && session.startsAt);
  const bare = timelines.find(
    ({ items, date, name, startsAt }) =>
      items.length === 0 &&
      startsAt &&
      (date ?? name) !== null &&
      (date === null ? name === event.session : date === event.date),
  );
  const startsAt = (listed?.session ?? bare)?.startsAt;
  return startsAt ? toSeconds(startsAt) : undefined;
}

/** A later start that is known holds, unless it contradicts the earlier one. */
function holdBack(estimate: number, from: number, next: number | undefined): number {
  return next !== undefined && next >= from ? Math.min(estimate, next) : estimate;
}

function toSeconds(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 3600 + minutes * 60;
}

/** Past midnight there is no honest time of the same day, so there is none. */
function toStart(seconds: number, estimated: boolean): HeatStart | undefined {
  if (!(seconds < daySeconds)) return undefined;
  const minutes = Math.floor(seconds / 60);
  const pad = (value: number) => String(value).padStart(2, "0");
  return { time: `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`, estimated };
}
