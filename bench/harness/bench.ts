/** What scenarios are given to work with, and how they let contenders take turns. */
import type { BenchOptions } from "./options.ts";
import type { Measured, ScenarioResult } from "./result.ts";
import type { BenchServer } from "./server.ts";

export interface Bench {
  server: BenchServer;
  options: BenchOptions;
  /** Peers that can be loaded here; empty when they were not wanted. */
  peers: ReadonlySet<string>;
  /** Tells a person watching what goes on. */
  say(line: string): void;
}

export interface Scenario {
  name: string;
  title: string;
  run(bench: Bench): Promise<ScenarioResult>;
  /** Shows where the time goes, for `--profile`. */
  profile?(bench: Bench): Promise<void>;
}

export interface Suite {
  scenarios: readonly Scenario[];
  /** Takes no part in a run of everything: it is long, and about something else than speed. */
  onlyByName?: boolean;
  /** Contenders that come from npm, by package name. */
  peers: readonly string[];
  /** Lets go of what its scenarios share. */
  close?(): Promise<void>;
}

export interface Entry extends Omit<Measured, "values"> {
  measure: () => Promise<number>;
}

/**
 * Measures all entries once a round, in an order that shifts with every round, so that what else the machine does hits
 * all alike. An entry that fails is dropped and named.
 */
export async function takeTurns(
  bench: Bench,
  entries: readonly Entry[],
): Promise<{ measured: Measured[]; skipped: string[] }> {
  const values = new Map<Entry, number[]>(entries.map((entry) => [entry, []]));
  const skipped: string[] = [];
  for (let round = 0; round < bench.options.rounds; round++) {
    const left = entries.filter((entry) => values.has(entry));
    const order = left.map((_, place) => left[(place + round) % left.length] as Entry);
    for (const entry of order) {
      try {
        const value = await entry.measure();
        values.get(entry)?.push(value);
        bench.say(`  round ${round + 1}  ${entry.case}  ${entry.contender}  ${show(value)} ${entry.unit}`);
      } catch (error) {
        values.delete(entry);
        const reason = error instanceof Error ? error.message : String(error);
        skipped.push(`${entry.contender} (${entry.case}): ${reason}`);
        bench.say(`  round ${round + 1}  ${entry.case}  ${entry.contender}  could not run: ${reason}`);
      }
    }
  }
  const measured = [...values].map(([{ measure: _, ...facts }, taken]) => ({ ...facts, values: taken }));
  return { measured, skipped };
}

export function show(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
