/** Tells people of one name apart, by what sheets print of them besides it. */
import { foldText } from "./fold-name.ts";
import { matchName } from "./match-name.ts";

export interface Namesake {
  name: string;
  age: string | null;
  team: string | null;
}

/** Empty where all may be one person: a relay, or a sheet that leaves something out, often does not print all of it. */
export function listNamesakes(people: readonly Namesake[]): Namesake[] {
  const persons: Namesake[] = [];
  for (const person of people) {
    const index = persons.findIndex((known) => isSameName(known, person) && mayBeOnePerson(known, person));
    const known = persons[index];
    if (known) persons[index] = { name: known.name, age: known.age ?? person.age, team: known.team ?? person.team };
    else persons.push(person);
  }
  return persons.length > 1 ? persons : [];
}

export function warnOfNamesakes(namesakes: readonly Namesake[]): string {
  const listed = namesakes.map(({ name, age, team }) => [name, age, team].filter(Boolean).join(" ")).join("; ");
  const { name, age, team } = namesakes[0] as Namesake;
  return `Several swimmers have this name: ${listed}. To see only one, add age or team: "${name} (${team ?? age ?? ""})".`;
}

function isSameName(one: Namesake, other: Namesake): boolean {
  return one.name === other.name || matchName(one.name, other.name) === "same";
}

/** Whether team and age allow it. */
export function mayBeOnePerson(one: Omit<Namesake, "name">, other: Omit<Namesake, "name">): boolean {
  return isSameTeam(one.team, other.team) && isSameAge(one.age, other.age);
}

function isSameTeam(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  const [a, b] = [foldText(one), foldText(other)];
  // Columns cut names of teams at different lengths.
  return a.startsWith(b) || b.startsWith(a);
}

/** A sheet for several days may have a birthday in it. */
function isSameAge(one: string | null, other: string | null): boolean {
  return !(Math.abs(Number(one ?? "?") - Number(other ?? "?")) > 1);
}
