/** An invented meet of three sessions: its order of events, who swims in them, and where the sample swimmer swims. */
import type { Meet, MeetEntry, MeetEvent, MeetHeat } from "../../test/support/sheets/make-meet.ts";
import { makePeople, type Swimmer, type Team } from "../../test/support/sheets/people.ts";
import { createRandom, type Random } from "../../test/support/sheets/random.ts";

const team: Team = { code: "OTTR-XX", name: "Otter Creek Aquatics" };
/** The sample swimmer. */
export const hero: Swimmer = { first: "Runa", last: "Elmford", initial: null, sex: "W", age: 12, team };

const lanes = 6;
const meetName = "Harbour Lights Invitational";

interface Planned {
  distance: number;
  stroke: string;
  /** The time the hero is entered with, in hundredths of a second; left out, she does not swim it. */
  hero?: number;
  relay?: boolean;
}

interface Session {
  name: string;
  /** When the first event begins, where the program prints starts. */
  startsAt?: string;
  ages: readonly (typeof ageGroups)[number]["label"][];
  events: readonly Planned[];
}

const ageGroups = [
  { label: "10 & Under", from: 0, to: 10 },
  { label: "11-12", from: 11, to: 12 },
  { label: "13 & Over", from: 13, to: 99 },
] as const;

const sessions: readonly Session[] = [
  {
    name: "Saturday Morning",
    ages: ["10 & Under", "11-12"],
    events: [
      { distance: 50, stroke: "Freestyle", hero: 3_218 },
      { distance: 100, stroke: "Backstroke" },
      { distance: 200, stroke: "Freestyle", relay: true, hero: 13_980 },
    ],
  },
  {
    name: "Saturday Afternoon",
    startsAt: "13:30",
    ages: ["11-12", "13 & Over"],
    events: [
      { distance: 100, stroke: "Butterfly", hero: 8_144 },
      { distance: 50, stroke: "Breaststroke" },
      { distance: 200, stroke: "IM", hero: 16_902 },
      { distance: 100, stroke: "Freestyle" },
    ],
  },
  {
    name: "Sunday Morning",
    startsAt: "09:00",
    ages: ["11-12", "13 & Over"],
    events: [
      { distance: 200, stroke: "Freestyle", hero: 15_360 },
      { distance: 50, stroke: "Butterfly" },
      { distance: 100, stroke: "IM", hero: 7_725 },
    ],
  },
];

/** A meet for each session: the events are numbered through. */
export function planWeekend(): Meet[] {
  const random = createRandom(2_031);
  const { teams, swimmers: others } = makePeople(random, 110, 5);
  const swimmers = [hero, ...others.filter(({ last }) => last !== hero.last)];
  let number = 0;
  return sessions.map((session) => {
    const events = session.events.flatMap((planned) =>
      session.ages.flatMap((ages) =>
        (["Girls", "Boys"] as const).map((sex): MeetEvent => {
          number++;
          return makeEvent(random, planned, { number, sex, ages, swimmers, teams });
        }),
      ),
    );
    if (session.startsAt !== undefined) printStarts(events, session.startsAt);
    const facts = { name: meetName, licensee: "Harbour Aquatic Centre", session: session.name };
    return { ...facts, course: "LC Meter", lanes, teams, swimmers, events };
  });
}

interface Field {
  number: number;
  sex: "Girls" | "Boys";
  ages: Session["ages"][number];
  swimmers: readonly Swimmer[];
  teams: readonly Team[];
}

const mostEntries = 14;

function makeEvent(random: Random, planned: Planned, { number, sex, ages, swimmers, teams }: Field): MeetEvent {
  const group = ageGroups.find(({ label }) => label === ages) ?? ageGroups[2];
  const able = swimmers.filter(
    ({ age, sex: own }) => age >= group.from && age <= group.to && (own === "W") === (sex === "Girls"),
  );
  const entries = planned.relay
    ? enterTeams(random, planned, able, teams)
    : enterSwimmers(
        random,
        planned,
        able.includes(hero) ? [hero, ...chooseOthers(random, able)] : chooseOthers(random, able),
      );
  const { distance, stroke, relay = false } = planned;
  const about = { number, sex, ages, distance, stroke, relay, round: "Finals", form: "heats" } as const;
  return { ...about, entries, heats: seedHeats(entries), alternates: [] };
}

function chooseOthers(random: Random, able: readonly Swimmer[]): Swimmer[] {
  return random.shuffle(able.filter((swimmer) => swimmer !== hero)).slice(0, mostEntries - 1);
}

function enterSwimmers(random: Random, { distance, hero: own }: Planned, chosen: readonly Swimmer[]): MeetEntry[] {
  const timed = chosen
    .filter((swimmer) => swimmer !== hero || own !== undefined)
    .map((swimmer) => ({ swimmer, hundredths: swimmer === hero ? (own ?? null) : chooseTime(random, distance) }));
  return byTime(timed).map(({ swimmer, hundredths }) => enter({ swimmer, relay: null }, hundredths));
}

/** A team of four from every club that has so many. */
function enterTeams(
  random: Random,
  { distance, hero: own }: Planned,
  able: readonly Swimmer[],
  teams: readonly Team[],
): MeetEntry[] {
  const made = teams.flatMap((club) => {
    const pool = random.shuffle(able.filter((swimmer) => swimmer.team.code === club.code && swimmer !== hero));
    // The last leg is hers.
    const members =
      able.includes(hero) && club.code === hero.team.code ? [...pool.slice(0, 3), hero] : pool.slice(0, 4);
    if (members.length < 4) return [];
    const hundredths = members.includes(hero) ? (own ?? null) : chooseTime(random, distance);
    return [{ relay: { team: club, letter: "A", members }, hundredths }];
  });
  return byTime(made).map(({ relay, hundredths }) => enter({ swimmer: null, relay }, hundredths));
}

function enter(who: Pick<MeetEntry, "swimmer" | "relay">, hundredths: number | null): MeetEntry {
  return { ...who, seed: hundredths === null ? "NT" : printTime(hundredths), exhibition: false, standard: null };
}

function chooseTime(random: Random, distance: number): number | null {
  return random.oneIn(12) ? null : distance * 60 + random.below(distance * 32);
}

/** Fastest first, those without a time last. */
function byTime<Timed extends { hundredths: number | null }>(entries: readonly Timed[]): Timed[] {
  const slowest = Number.POSITIVE_INFINITY;
  return entries.toSorted((a, b) => (a.hundredths ?? slowest) - (b.hundredths ?? slowest));
}

function printTime(hundredths: number): string {
  const [minutes, rest] = [Math.floor(hundredths / 6_000), hundredths % 6_000];
  const seconds = `${String(Math.floor(rest / 100)).padStart(minutes === 0 ? 1 : 2, "0")}.${String(rest % 100).padStart(2, "0")}`;
  return minutes === 0 ? seconds : `${minutes}:${seconds}`;
}

/** Slow heats first, each with its fastest in the middle; where a heat is not full, it is the first. */
function seedHeats(entries: readonly MeetEntry[]): MeetHeat[] {
  const total = Math.ceil(entries.length / lanes);
  return Array.from({ length: total }, (_, index) => {
    const fromTop = (total - 1 - index) * lanes;
    const places: (MeetEntry | null)[] = Array.from({ length: lanes }, () => null);
    for (const [rank, entry] of entries.slice(fromTop, fromTop + lanes).entries()) {
      places[fromMiddle[rank] ?? 0] = entry;
    }
    return { number: index + 1, startsAt: null, lanes: places };
  });
}

/** Lanes from the middle outward, from 0. */
const fromMiddle = [2, 3, 1, 4, 0, 5];

/** The heats of every third event: the others are for the reader to work out. */
function printStarts(events: readonly MeetEvent[], startsAt: string): void {
  const [hours = 0, minutes = 0] = startsAt.split(":").map(Number);
  let seconds = (hours * 60 + minutes) * 60;
  for (const [index, event] of events.entries()) {
    for (const heat of event.heats) {
      if (index % 3 === 0) heat.startsAt = printClock(seconds);
      seconds += event.distance * 0.9 + 40;
    }
  }
}

function printClock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
