/** What a scenario answers: what was measured, and the bars it is held against. */

/** One contender's figures in one case of a scenario, a value a round. */
export interface Measured {
  /** Tells the cases of a scenario apart, such as "2 processes". */
  case: string;
  contender: string;
  unit: string;
  values: readonly number[];
  /** What a reader must know to compare it fairly. */
  note?: string;
}

export interface Bar {
  /** What is held against what, such as "2 processes: docmill ÷ floor". */
  what: string;
  /** Undefined when what it is held against did not run. */
  value: number | undefined;
  sense: "at least" | "at most";
  bar: number;
}

/** Figures that belong together, a row for each thing measured. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export interface ScenarioResult {
  scenario: string;
  measured: readonly Measured[];
  bars: readonly Bar[];
  /** Contenders that could not run, and why. */
  skipped: readonly string[];
  /** What lies behind the figures, where they are made of many. */
  tables?: readonly Table[];
}

/** The same with where it belongs and how it went. */
export interface RunResult extends ScenarioResult {
  suite: string;
  title: string;
  seconds: number;
  /** Why it ended early, if it did. */
  failure?: string;
}

/** What is left of a scenario that ended early: what it was held against is not known, only that it was not reached. */
export function failedResult(scenario: string, failure: string): ScenarioResult & { failure: string } {
  const bars = [{ what: "ran to its end", value: undefined, sense: "at least", bar: 1 }] as const;
  return { scenario, measured: [], bars, skipped: [], failure };
}

export type Verdict = "reached" | "missed" | "not measured";

export function judge({ value, sense, bar }: Bar): Verdict {
  if (value === undefined || Number.isNaN(value)) return "not measured";
  return (sense === "at least" ? value >= bar : value <= bar) ? "reached" : "missed";
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share of the values lies, interpolated; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
