/**
 * One schedule of several sheets. The same swim may stand in a psych sheet, in a program and in a later issue of it: it is
 * shown once, as the latest issue has it, with its places in all of them.
 */
import type { MergedSwimEvent, SwimSource } from "../contract/batches.ts";
import { canBeSameEvent, describeEvent } from "./describe-event.ts";
import { estimateStart, type HeatPlan } from "./estimate-starts.ts";
import { mayBeOnePerson } from "./namesakes.ts";
import type { SheetSession } from "./sheet.ts";
import type { KeptFacts } from "./sheet-facts.ts";
import type { Swim } from "./swim.ts";

/** What one sheet of a batch has given. */
export interface SheetSwims {
  sequence: number;
  facts: KeptFacts;
  swims: Swim[];
  plan: HeatPlan;
  sessions: SheetSession[];
}

export function mergeSwims(sheets: readonly SheetSwims[]): MergedSwimEvent[] {
  const merged = groupByMeet(sheets).flatMap((meet) => {
    // A timeline that names no meet may be of any.
    const told = new Set([...meet, ...sheets.filter(({ facts }) => facts.meetName === null)]);
    const timelines = [...told].flatMap(({ sessions }) => sessions);
    return groupByEvent(meet)
      .flatMap(splitByRound)
      .flatMap(splitNamesakes)
      .map((same) => mergeOne(same, timelines));
  });
  return merged.sort(bySchedule);
}

/** Meets go by the same name year after year: sheets whose days have nothing in common are of different ones. */
function groupByMeet(sheets: readonly SheetSwims[]): SheetSwims[][] {
  const meets: SheetSwims[][] = [];
  for (const sheet of sheets) {
    const known = meets.find((meet) => meet.every((other) => isSameMeet(sheet.facts, other.facts)));
    if (known) known.push(sheet);
    else meets.push([sheet]);
  }
  return meets;
}

function isSameMeet(one: KeptFacts, other: KeptFacts): boolean {
  if (!isSameName(one.meetName, other.meetName)) return false;
  const [a, b] = [daysOf(one), daysOf(other)];
  return a === null || b === null || (a.from <= b.to && b.from <= a.to);
}

function daysOf({ meetDates, sessionDate }: KeptFacts): KeptFacts["meetDates"] {
  return meetDates ?? (sessionDate === null ? null : { from: sessionDate, to: sessionDate });
}

/** Some meets number their events anew in every session: swims under names that contradict each other are two. */
function groupByEvent(meet: readonly SheetSwims[]): Candidate[][] {
  const events: Candidate[][] = [];
  for (const candidate of meet.flatMap((sheet) => sheet.swims.map((swim) => ({ sheet, swim })))) {
    const known = events.find((event) => event.every(({ swim }) => isSameEvent(swim, candidate.swim)));
    if (known) known.push(candidate);
    else events.push([candidate]);
  }
  return events;
}

function isSameEvent(one: Swim, other: Swim): boolean {
  if (one.eventNumber !== other.eventNumber || !mayBeOnePerson(personOf(one), personOf(other))) return false;
  return canBeSameEvent(describeEvent(one.eventName), describeEvent(other.eventName));
}

/** A relay's team is called otherwise than its swimmers'. */
function personOf({ team, age, relay }: Swim): { team: string | null; age: string | null } {
  return { team: relay ? null : (team ?? null), age: age ?? null };
}

interface Candidate {
  sheet: SheetSwims;
  swim: Swim;
}

/** Prelims and finals of an event are two swims; a place in a ranking belongs to the first of them. */
function splitByRound(group: readonly Candidate[]): Candidate[][] {
  const rounds = new Map<string, Candidate[]>();
  const ranked: Candidate[] = [];
  for (const candidate of group) {
    if (candidate.swim.heatNumber === null) {
      ranked.push(candidate);
      continue;
    }
    const round = roundOf(candidate.swim);
    rounds.set(round, [...(rounds.get(round) ?? []), candidate]);
  }
  const split = [...rounds.entries()].sort(([a], [b]) => roundOrder.indexOf(a) - roundOrder.indexOf(b));
  const lists = split.map(([, candidates]) => candidates);
  if (lists.length === 0) return [ranked];
  (lists[0] as Candidate[]).push(...ranked);
  return lists;
}

const roundOrder = ["prelims", "semifinals", "finals"];

/** What is swum once, whatever the sheet calls it, is a final. */
function roundOf({ round = "" }: Swim): string {
  if (/prelim|heats|vorl/i.test(round)) return "prelims";
  if (/semi/i.test(round)) return "semifinals";
  return "finals";
}

/** Nobody swims twice in one round: where a sheet has two, they are of namesakes, and their teams tell them apart. */
function splitNamesakes(round: Candidate[]): Candidate[][] {
  if (new Set(round.map(({ sheet }) => sheet)).size === round.length) return [round];
  const byTeam = new Map<string, Candidate[]>();
  for (const candidate of round) {
    const { team = "", age = "" } = candidate.swim;
    const who = `${team} ${age}`.toLowerCase();
    byTeam.set(who, [...(byTeam.get(who) ?? []), candidate]);
  }
  // Still two in one sheet: neither may hide the other.
  return [...byTeam.values()].flatMap((same) =>
    new Set(same.map(({ sheet }) => sheet)).size === same.length ? [same] : same.map((one) => [one]),
  );
}

function mergeOne(same: readonly Candidate[], timelines: readonly SheetSession[]): MergedSwimEvent {
  const [latest, ...others] = [...same].sort((a, b) => compareIssues(b, a)) as [Candidate, ...Candidate[]];
  const { sheet, swim } = latest;
  const sources = [latest, ...others].map(toSource);
  // An older issue may say the day where the latest does not.
  const sessionDate = swim.sessionDate ?? others.find((one) => one.swim.sessionDate !== null)?.swim.sessionDate ?? null;
  return {
    ...swim,
    sessionDate,
    ...startOf(sheet, swim, timelines),
    source: sources[0] as SwimSource,
    sources,
  };
}

function toSource({ sheet, swim }: Candidate): SwimSource {
  return { sequence: sheet.sequence, ...swim.source };
}

function startOf(
  { plan }: SheetSwims,
  { heatStartTime, heatNumber, eventNumber, round }: Swim,
  timelines: readonly SheetSession[],
): Pick<Swim, "heatStartTime" | "estimated"> {
  if (heatStartTime !== undefined || heatNumber === null) return {};
  const start = estimateStart(plan, { eventNumber, heat: heatNumber, round }, timelines);
  if (!start) return {};
  return { heatStartTime: start.time, ...(start.estimated && { estimated: true as const }) };
}

/** A heat and lane beat a ranking; then the later print, then the later in the batch. */
function compareIssues(a: Candidate, b: Candidate): number {
  const seeded = Number(a.swim.heatNumber !== null) - Number(b.swim.heatNumber !== null);
  if (seeded !== 0) return seeded;
  const [printedA, printedB] = [a.sheet.facts.printedAt ?? "", b.sheet.facts.printedAt ?? ""];
  if (printedA !== printedB) return printedA < printedB ? -1 : 1;
  return a.sheet.sequence - b.sheet.sequence;
}

/** Words that one sheet of a meet adds to its name and another leaves out. */
const course = new Set(["lcm", "scm", "scy", "lc", "sc", "meter", "meters", "yard", "yards", "meet", "the"]);
/** Fewer words in common say nothing: "open", "spring invitational". */
const tellingWords = 3;

/** A timeline may call the meet a little shorter than the program does. Sheets that name none are of the same. */
function isSameName(one: string | null, other: string | null): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)].sort((x, y) => x.size - y.size) as [Set<string>, Set<string>];
  if (a.size === 0) return (one ?? "").toLowerCase().trim() === (other ?? "").toLowerCase().trim();
  const common = [...a].filter((word) => b.has(word)).length;
  return common === a.size && (a.size === b.size || a.size >= tellingWords);
}

function wordsOf(name: string | null): Set<string> {
  const words = (name ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !course.has(word)));
}

const last = "\uffff";

function bySchedule(a: MergedSwimEvent, b: MergedSwimEvent): number {
  return (
    compareText(a.sessionDate ?? last, b.sessionDate ?? last) ||
    compareText(a.heatStartTime ?? last, b.heatStartTime ?? last) ||
    a.eventNumber - b.eventNumber ||
    (a.heatNumber ?? 0) - (b.heatNumber ?? 0) ||
    (a.lane ?? 0) - (b.lane ?? 0)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
