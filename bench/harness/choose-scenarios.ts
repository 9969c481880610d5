/** Which scenarios a run is about: those of the suites and scenarios that were named, or of all suites about speed. */
import type { Scenario, Suite } from "./bench.ts";

export interface NamedSuite extends Suite {
  name: string;
}

export interface ChosenScenario {
  suite: NamedSuite;
  scenario: Scenario;
}

/** A name that means nothing here, or more than one thing. */
export class UnclearName extends Error {}

/** In the order of the suites, each once. A suite goes before a scenario of the same name. */
export function chooseScenarios(suites: readonly NamedSuite[], names: readonly string[]): ChosenScenario[] {
  const all = suites.flatMap((suite) => suite.scenarios.map((scenario) => ({ suite, scenario })));
  if (names.length === 0) return all.filter(({ suite }) => !suite.onlyByName);
  const chosen = new Set(names.flatMap((name) => findByName(all, name)));
  return all.filter((one) => chosen.has(one));
}

function findByName(all: readonly ChosenScenario[], name: string): readonly ChosenScenario[] {
  const ofSuite = all.filter(({ suite }) => suite.name === name);
  if (ofSuite.length > 0) return ofSuite;
  const found = all.filter((one) => one.scenario.name === name || fullName(one) === name);
  if (found.length === 1) return found;
  throw new UnclearName(
    found.length === 0
      ? `There is no suite or scenario "${name}". Those there are: ${all.map(fullName).join(", ")}.`
      : `"${name}" is more than one: ${found.map(fullName).join(", ")}.`,
  );
}

export function fullName({ suite, scenario }: ChosenScenario): string {
  return `${suite.name}/${scenario.name}`;
}
