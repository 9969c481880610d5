/**
 * Finds the swims of one swimmer in a sheet: only rows whose name is surely the wanted one. Names that are merely alike are
 * listed for the reader to choose from.
 */
import { foldText } from "./fold-name.ts";
import { compareNames, type NameComparison, parseWanted, prepareName } from "./match-name.ts";
import { listNamesakes, type Namesake } from "./namesakes.ts";
import type { RelayMember, Sheet, SheetEntry } from "./sheet.ts";

interface FoundSwim {
  entry: SheetEntry;
  /** Where the swimmer is one of a relay. */
  member?: RelayMember;
}

export interface FoundSwimmer {
  swims: FoundSwim[];
  /** Distinct names as printed, the most alike first. */
  nearMisses: string[];
  /** Whose swims they are, where they visibly are of more than one person. */
  namesakes: Namesake[];
}

const mostNearMisses = 5;

export function findSwimmer(sheet: Sheet, wanted: string): FoundSwimmer {
  const { name, qualifier } = parseWanted(wanted);
  const printed = listNames(sheet);
  const compared = compareWithAll(name, printed.keys());
  const same = [...compared].filter(([, { match }]) => match === "same");
  // "James Martin" is Martin, James. That he is James, Martin is possible, and for the reader to say: "Martin, James", who
  // is the same to the cache, is surely somebody else.
  const taken = new Set(same.filter(([, { reversed }]) => !reversed).map(([text]) => text));
  // Where the sheet has no comma either, nothing says which of the two is the surname.
  if (taken.size === 0) for (const [text] of same) if (!text.includes(",")) taken.add(text);

  const candidates = [...taken].flatMap((text) => printed.get(text) ?? []);
  const chosen = candidates.filter((candidate) => qualifier === null || isQualifiedBy(personOf(candidate), qualifier));
  const order = new Map(sheet.entries.map((entry, index) => [entry, index]));
  const swims = chosen.toSorted((a, b) => (order.get(a.entry) ?? 0) - (order.get(b.entry) ?? 0));

  const missed = new Set(chosen.length > 0 ? taken : []);
  const nearMisses = [...compared]
    .filter(([text, { match }]) => match !== "different" && !missed.has(text))
    .toSorted(([, a], [, b]) => a.distance - b.distance)
    .map(([text]) => text);
  return { swims, nearMisses: nearMisses.slice(0, mostNearMisses), namesakes: listNamesakes(swims.map(personOf)) };
}

function listNames(sheet: Sheet): Map<string, FoundSwim[]> {
  const printed = new Map<string, FoundSwim[]>();
  const add = (name: string, swim: FoundSwim) => {
    const swims = printed.get(name);
    if (swims) swims.push(swim);
    else printed.set(name, [swim]);
  };
  for (const entry of sheet.entries) {
    if (entry.name !== null) add(entry.name, { entry });
    for (const member of entry.relay?.members ?? []) add(member.name, { entry, member });
  }
  return printed;
}

function compareWithAll(wanted: string, printed: Iterable<string>): Map<string, NameComparison> {
  const prepared = prepareName(wanted);
  const compared = new Map<string, NameComparison>();
  for (const text of printed) {
    const comparison = compareNames(prepared, prepareName(text));
    if (comparison.match !== "different") compared.set(text, comparison);
  }
  return compared;
}

function personOf({ entry, member }: FoundSwim): Namesake {
  return member
    ? { name: member.name, age: member.age, team: entry.team }
    : { name: entry.name ?? "", age: entry.age, team: entry.team };
}

/** Whether somebody is who the brackets behind the name ask for. */
export function isQualifiedBy({ age, team }: Omit<Namesake, "name">, qualifier: string): boolean {
  const folded = foldText(qualifier);
  return age?.toLowerCase() === folded || (team !== null && foldText(team).startsWith(folded));
}
