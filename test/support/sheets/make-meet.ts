/** Makes up a meet: who swims what, in which heat and lane. Nothing in it knows how it will be printed. */
import { makePeople, type Swimmer, type Team } from "./people.ts";
import { createRandom, type Random } from "./random.ts";

export interface MeetOptions {
  seed: number;
  /** How many swimmers there are, and how many events they may swim. */
  swimmers?: number;
  events?: number;
  teams?: number;
  lanes?: number;
  /** Most entries of one event. */
  entries?: number;
  course?: "Yard" | "LC Meter" | "SC Meter";
  /** Whether events are for girls and boys together. */
  mixed?: boolean;
  relays?: boolean;
  /** Whether the last events are listed by rank, and swum in turns by girls and boys. */
  distance?: boolean;
}

export interface MeetEntry {
  swimmer: Swimmer | null;
  relay: { team: Team; letter: string; members: Swimmer[] } | null;
  /** As printed, with a letter for another course; without the X. */
  seed: string;
  exhibition: boolean;
  standard: string | null;
}

export interface MeetHeat {
  number: number;
  startsAt: string | null;
  /** By lane, from 1; null where nobody swims. */
  lanes: (MeetEntry | null)[];
}

export interface MeetEvent {
  number: number;
  sex: "Girls" | "Boys" | "Mixed";
  ages: string | null;
  distance: number;
  stroke: string;
  relay: boolean;
  round: string;
  /** Heats, a list by rank, or heats in turn with those of the next event. */
  form: "heats" | "ranked" | "inTurns";
  /** Fastest first. */
  entries: MeetEntry[];
  heats: MeetHeat[];
  alternates: MeetEntry[];
}

export interface Meet {
  name: string;
  licensee: string;
  session: string;
  course: "Yard" | "LC Meter" | "SC Meter";
  lanes: number;
  teams: Team[];
  swimmers: Swimmer[];
  events: MeetEvent[];
}

const ageGroups: { label: string | null; from: number; to: number }[] = [
  { label: "10 & Under", from: 0, to: 10 },
  { label: "11-12", from: 11, to: 12 },
  { label: "13 & Over", from: 13, to: 99 },
  { label: null, from: 0, to: 99 },
];
const strokes = ["Freestyle", "Backstroke", "Breaststroke", "Butterfly", "IM"];
const letters = "ABCDEF";

export function makeMeet(options: MeetOptions): Meet {
  const { seed, swimmers: count = 90, events: eventCount = 12, teams: teamCount = 5, lanes = 8 } = options;
  const { entries: most = 30, course = "LC Meter", mixed = false, relays = true, distance = false } = options;
  const random = createRandom(seed);
  const { teams, swimmers } = makePeople(random, count, teamCount);
  const events = Array.from({ length: eventCount }, (_, index): MeetEvent => {
    const number = index + 1;
    const group = ageGroups[(index >> 1) % ageGroups.length] ?? { label: null, from: 0, to: 99 };
    const isLast = distance && index >= eventCount - 4;
    const sex = mixed && !isLast ? "Mixed" : index % 2 === 0 ? "Girls" : "Boys";
    const relay = relays && !isLast && (index >> 1) % 3 === 2;
    const about = {
      number,
      sex,
      ages: group.label,
      distance: isLast ? 800 : relay ? 200 : random.pick([50, 100, 200]),
      stroke: isLast ? "Freestyle" : relay ? random.pick(["Freestyle", "Medley"]) : random.pick(strokes),
      relay,
      round: random.pick(["Finals", "Prelims"]),
      form: !isLast ? "heats" : index >= eventCount - 2 ? "inTurns" : "ranked",
    } as const;
    const able = swimmers.filter(
      (swimmer) =>
        swimmer.age >= group.from &&
        swimmer.age <= group.to &&
        (sex === "Mixed" || (sex === "Girls") === (swimmer.sex === "W")),
    );
    const entries = relay
      ? makeRelays(random, about, able, teams)
      : makeEntries(random, about, random.shuffle(able).slice(0, most), course);
    // Ranks decide who waits: the slowest, where there are more than whole heats take.
    const waiting = about.round === "Prelims" && !relay && entries.length > lanes + 2 && random.oneIn(2) ? 2 : 0;
    const swum = waiting > 0 && about.form === "heats" ? entries.slice(0, -waiting) : entries;
    const heats = about.form === "ranked" ? [] : seedHeats(random, swum, lanes, index);
    return { ...about, entries, heats, alternates: entries.slice(swum.length) };
  });
  return {
    name: "Invented Waters Open 2031",
    licensee: "Imaginary Pool",
    session: "Saturday Morning",
    course,
    lanes,
    teams,
    swimmers,
    events,
  };
}

export function eventName(event: MeetEvent, course: string): string {
  const ages = event.ages === null ? "" : `${event.ages} `;
  return `${event.sex} ${ages}${event.distance} ${course} ${event.stroke}${event.relay ? " Relay" : ""}`;
}

type About = Pick<MeetEvent, "distance" | "stroke">;

function makeEntries(random: Random, about: About, able: Swimmer[], course: Meet["course"]): MeetEntry[] {
  const other = course === "Yard" ? "L" : "Y";
  const timed = able.map((swimmer) => ({ swimmer, hundredths: makeTime(random, about) }));
  timed.sort((a, b) => (a.hundredths ?? Number.POSITIVE_INFINITY) - (b.hundredths ?? Number.POSITIVE_INFINITY));
  return timed.map(({ swimmer, hundredths }) => {
    const time = hundredths === null ? "NT" : printTime(hundredths);
    return {
      swimmer,
      relay: null,
      seed: hundredths !== null && random.oneIn(5) ? `${time}${other}` : time,
      exhibition: random.oneIn(12),
      standard: hundredths !== null && random.oneIn(6) ? random.pick(["QUAL", "B", "ZONE"]) : null,
    };
  });
}

function makeRelays(random: Random, about: About, able: Swimmer[], teams: Team[]): MeetEntry[] {
  const entries = teams.flatMap((team) => {
    const pool = random.shuffle(able.filter((swimmer) => swimmer.team === team));
    const named = Array.from({ length: Math.floor(pool.length / 4) }, (_, index) =>
      pool.slice(index * 4, index * 4 + 4),
    );
    return (named.length > 0 ? named.slice(0, 3) : [[]]).map((members, index) => ({
      swimmer: null,
      relay: { team, letter: letters.charAt(index), members: random.oneIn(5) ? [] : members },
      hundredths: makeTime(random, about),
    }));
  });
  entries.sort((a, b) => (a.hundredths ?? Number.POSITIVE_INFINITY) - (b.hundredths ?? Number.POSITIVE_INFINITY));
  return entries.map(({ hundredths, ...entry }) => ({
    ...entry,
    seed: hundredths === null ? "NT" : printTime(hundredths),
    exhibition: random.oneIn(8),
    standard: null,
  }));
}

/** In hundredths of a second; null for a swimmer who has none. */
function makeTime(random: Random, { distance }: About): number | null {
  return random.oneIn(10) ? null : distance * 62 + random.below(distance * 30);
}

function printTime(hundredths: number): string {
  const minutes = Math.floor(hundredths / 6_000);
  const seconds = Math.floor((hundredths % 6_000) / 100);
  const rest = `${String(hundredths % 100).padStart(2, "0")}`;
  return minutes === 0 ? `${seconds}.${rest}` : `${minutes}:${String(seconds).padStart(2, "0")}.${rest}`;
}

/** The slowest in the first heat; within a heat the fastest in the middle. */
function seedHeats(random: Random, entries: MeetEntry[], lanes: number, index: number): MeetHeat[] {
  const inward = Array.from({ length: lanes }, (_, lane) => lane).sort(
    (a, b) => Math.abs(a - (lanes - 1) / 2 + 0.1) - Math.abs(b - (lanes - 1) / 2 + 0.1),
  );
  const total = Math.ceil(entries.length / lanes);
  return Array.from({ length: total }, (_, heat) => {
    const end = entries.length - heat * lanes;
    const start = Math.max(0, end - lanes);
    // With fewer than a whole heat left, the slow heat is the short one.
    const group =
      heat === 0 && entries.length % lanes !== 0
        ? entries.slice(entries.length - (entries.length % lanes))
        : entries.slice(...(entries.length % lanes === 0 ? [start, end] : wholeHeat(entries.length, lanes, heat)));
    const places: (MeetEntry | null)[] = Array.from({ length: lanes }, () => null);
    for (const [rank, entry] of group.entries()) places[inward[rank] ?? 0] = entry;
    const minutes = 8 * 60 + index * 25 + heat * 2;
    const startsAt = index % 3 === 1 || random.oneIn(6) ? printClock(minutes) : null;
    return { number: heat + 1, startsAt, lanes: places };
  });
}

function wholeHeat(count: number, lanes: number, heat: number): [number, number] {
  const end = count - (count % lanes) - (heat - 1) * lanes;
  return [end - lanes, end];
}

/** HH:MM. */
function printClock(minutes: number): string {
  return `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
