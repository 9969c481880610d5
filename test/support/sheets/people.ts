/** Invented swimmers and teams, with all that makes names hard: accents, apostrophes, hyphens, namesakes, great length. */
import type { Random } from "./random.ts";

export interface Team {
  /** With the code of its region: "DOLF-XX". */
  code: string;
  name: string;
}

export interface Swimmer {
  first: string;
  last: string;
  initial: string | null;
  sex: "W" | "M";
  age: number;
  team: Team;
}

const teams: Team[] = [
  { code: "DOLF-XX", name: "Dolphin Bay Swim Club" },
  { code: "OTTR-XX", name: "Otter Creek Aquatics" },
  { code: "SHRK-YY", name: "Sharks of Northport" },
  { code: "UN-XX", name: "Unattached" },
  { code: "TIDE-YY", name: "High Tide" },
  { code: "CARP-ZZ", name: "Carp Lake SV 1904" },
  { code: "3RVR-XX", name: "3 Rivers Swim Team" },
];

const girls = "Ada Bryn Cleo Dara Edda Fenja Gwen Hilde Ines Jolie Kaya Lena Mira Nola Oona Petra Runa Saskia Thea Zoë";
const boys = "Arne Bo Cato Dirk Emil Finn Gero Hugo Ivo Jorn Kuno Lars Milo Nils Otto Piet Quin Rolf Sven Teo";
const beginnings =
  "Alder Birch Cedar Dorn Elm Fenn Grun Hazel Iver Jasper Kestrel Linden Marl Nettle Ober Pine Quarr Rowan Stern Thorn";
const endings =
  "bach dale feld ford gard holt land ley mark mead ness quist ridge stedt ström thwaite ton ung weiß wick";

/** Swimmers who are in every meet that has places for them. */
const notable: Omit<Swimmer, "team">[] = [
  { first: "Lane", last: "Hollowmark", initial: null, sex: "M", age: 12 },
  { first: "Marta", last: "Lane", initial: "L", sex: "W", age: 12 },
  { first: "Anna", last: "Quillfeather", initial: null, sex: "W", age: 12 },
  { first: "Anna", last: "Quillfeather", initial: null, sex: "W", age: 9 },
  { first: "Béatrice", last: "O'Shaunessey", initial: "M", sex: "W", age: 11 },
  { first: "Zoë", last: "Müller-Österfeld", initial: null, sex: "W", age: 14 },
  { first: "Inés", last: "de la Croixmark", initial: "A", sex: "W", age: 13 },
  { first: "Fiffi", last: "Griffinflint", initial: null, sex: "W", age: 12 },
  { first: "Maximiliana", last: "Featherstonehaugh", initial: "Q", sex: "W", age: 12 },
  { first: "Bartholomäus", last: "Winterbottomley", initial: "W", sex: "M", age: 13 },
  { first: "Heat", last: "Eventon", initial: null, sex: "M", age: 10 },
];

export function makePeople(random: Random, count: number, teamCount: number): { teams: Team[]; swimmers: Swimmer[] } {
  const chosen = teams.slice(0, Math.max(2, teamCount));
  const swimmers: Swimmer[] = notable.slice(0, count).map((person, index) => {
    return { ...person, team: chosen[index % chosen.length] as Team };
  });
  const taken = new Set(swimmers.map(({ first, last }) => `${first} ${last}`));
  while (swimmers.length < count) {
    const sex = random.pick(["W", "M"] as const);
    const first = random.pick((sex === "W" ? girls : boys).split(" "));
    const last = `${random.pick(beginnings.split(" "))}${random.pick(endings.split(" "))}`;
    const age = 8 + random.below(10);
    const initial = random.oneIn(2) ? random.pick([..."ABCDEGHJKLMNPRSTVW"]) : null;
    if (taken.has(`${first} ${last}`)) continue;
    taken.add(`${first} ${last}`);
    swimmers.push({ first, last, initial, sex, age, team: random.pick(chosen) });
  }
  return { teams: chosen, swimmers };
}

/** "Last, First M". */
export function listedName({ first, last, initial }: Swimmer): string {
  return initial === null ? `${last}, ${first}` : `${last}, ${first} ${initial}`;
}
