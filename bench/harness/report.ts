/** What is kept of a run: all it measured, on what machine, with which versions and settings. Names no place on that machine. */
import { existsSync } from "node:fs";
import { arch, cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./options.ts";
import { type Bar, judge, type Measured, median, type RunResult, type Table, type Verdict } from "./result.ts";

export interface ReportedResult {
  suite: string;
  scenario: string;
  title: string;
  seconds: number;
  failure?: string;
  measured: readonly (Measured & { median: number })[];
  bars: readonly (Bar & { verdict: Verdict })[];
  skipped: readonly string[];
  tables: readonly Table[];
}

export interface Report {
  at: string;
  machine: { cpu: string; cores: number; memoryBytes: number; system: string; load: readonly number[] };
  versions: Record<string, string>;
  /** PostgreSQL's, as the server itself answers. */
  settings: Record<string, string>;
  options: Pick<BenchOptions, "names" | "quick" | "rounds" | "server" | "withoutPeers"> & { corpus: boolean };
  results: readonly ReportedResult[];
}

export function describeRun(run: {
  at: Date;
  options: BenchOptions;
  settings: Record<string, string>;
  versions: Record<string, string>;
  results: readonly RunResult[];
}): Report {
  const { names, quick, rounds, server, withoutPeers, corpus } = run.options;
  const report: Report = {
    at: run.at.toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryBytes: totalmem(),
      system: `${process.platform} ${release()} ${arch()}`,
      load: loadavg(),
    },
    versions: run.versions,
    settings: run.settings,
    options: { names, quick, rounds, server: nameServer(server), withoutPeers, corpus: existsSync(corpus) },
    results: run.results.map(({ measured, bars, tables = [], ...facts }) => ({
      ...facts,
      measured: measured.map((entry) => ({ ...entry, median: median(entry.values) })),
      bars: bars.map((bar) => ({ ...bar, verdict: judge(bar) })),
      tables,
    })),
  };
  return withoutPlaces(report, corpus);
}

/** Which programs these are is said by the server's own version. */
function nameServer(server: string): string {
  return dirname(server) === "." ? server : "programs in a folder";
}

/** Messages of errors name files; what they say is kept, where it was is not. */
function withoutPlaces(report: Report, corpus: string): Report {
  const project = fileURLToPath(new URL("../../", import.meta.url));
  const places = [
    [project, ""],
    [corpus, "(corpus)"],
    [tmpdir(), "(temporary)"],
  ] as const;
  const hide = (text: string) => places.reduce((left, [place, name]) => left.replaceAll(place, name), text);
  return JSON.parse(JSON.stringify(report, (_, value) => (typeof value === "string" ? hide(value) : value))) as Report;
}
