/** Every bar of a run, or of several, with what was reached. */
import { show } from "./bench.ts";
import type { Report, ReportedResult } from "./report.ts";
import type { Verdict } from "./result.ts";

export interface SummaryRow {
  where: string;
  what: string;
  figure: string;
  bar: string;
  verdict: Verdict;
}

export const summaryColumns = ["scenario", "what", "figure", "bar", ""] as const;

const signs = { "at least": "≥", "at most": "≤" } as const;

export function summarize(results: readonly ReportedResult[]): SummaryRow[] {
  return results.flatMap(({ suite, scenario, bars }) =>
    bars.map(({ what, value, sense, bar, verdict }) => ({
      where: `${suite}/${scenario}`,
      what,
      // What was not a number is null once it was written to a file.
      figure: verdict === "not measured" || value == null ? "–" : show(value),
      bar: `${signs[sense]} ${bar.toLocaleString("en")}`,
      verdict,
    })),
  );
}

/** What several runs measured: of a scenario that more than one had, the last one's. */
export function mergeResults(reports: readonly Report[]): ReportedResult[] {
  const byTime = [...reports].sort((one, other) => (one.at < other.at ? -1 : 1));
  const last = new Map(
    byTime.flatMap(({ results }) => results.map((result) => [`${result.suite}/${result.scenario}`, result] as const)),
  );
  return [...last.values()].sort((one, other) => (one.suite < other.suite ? -1 : one.suite > other.suite ? 1 : 0));
}
