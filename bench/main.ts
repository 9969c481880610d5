/**
 * `npm run bench`: runs the suites under bench/ that are named, or all about speed, prints every figure beside its bar,
 * writes bench/results/<time>.json and exits non-zero if a bar was missed or not measured.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { Bench, Suite } from "./harness/bench.ts";
import {
  type ChosenScenario,
  chooseScenarios,
  fullName,
  type NamedSuite,
  UnclearName,
} from "./harness/choose-scenarios.ts";
import { now } from "./harness/clock.ts";
import { readOptions, usage } from "./harness/options.ts";
import { findPeers, type Peer } from "./harness/peers.ts";
import { printResult, printSummary } from "./harness/print.ts";
import { describeRun, type Report } from "./harness/report.ts";
import { failedResult, type RunResult } from "./harness/result.ts";
import { writeReport } from "./harness/result-files.ts";
import { startBenchServer } from "./harness/server.ts";
import { summarize } from "./harness/summary.ts";
import { readVersions } from "./harness/versions.ts";

const options = readOptions(process.argv.slice(2));
const say = (line: string) => console.error(line);

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof UnclearName)) throw error;
  console.error(`${error.message}\n${usage}`);
  return 2;
});

async function main(): Promise<number> {
  const all = await loadSuites();
  if (options.help) {
    console.log(`${usage}\n`);
    printScenarios(all);
    return 0;
  }
  const chosen = chooseScenarios(all, options.names);
  const suites = new Set(chosen.map(({ suite }) => suite));
  const wantedPeers = options.withoutPeers || options.profile ? [] : [...suites].flatMap((suite) => suite.peers);
  const peers = await findPeers(wantedPeers, say);
  const server = await startBenchServer({ server: options.server, statements: options.profile });
  try {
    const bench: Bench = { server, options, peers: new Set(peers.map(({ name }) => name)), say };
    const settings = Object.entries(server.settings).map((pair) => pair.join(" "));
    say(`PostgreSQL ${settings.join(", ")}`);
    return options.profile ? await showProfiles(bench, chosen) : await measure(bench, chosen, peers);
  } finally {
    for (const suite of suites) await suite.close?.();
    await server.stop();
  }
}

async function showProfiles(bench: Bench, chosen: readonly ChosenScenario[]): Promise<number> {
  for (const { scenario } of chosen) {
    say(`\n${scenario.title}`);
    await scenario.profile?.(bench);
  }
  return 0;
}

async function measure(bench: Bench, chosen: readonly ChosenScenario[], peers: readonly Peer[]): Promise<number> {
  const at = new Date();
  const results: RunResult[] = [];
  let report: Report | undefined;
  let file = "";
  for (const one of chosen) {
    const result = await runScenario(bench, one);
    results.push(result);
    if (!options.json) printResult(result);
    const versions = await readVersions(peers);
    report = describeRun({ at, options, settings: bench.server.settings, versions, results });
    file = await writeReport(report);
  }
  const rows = summarize(report?.results ?? []);
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else printSummary(rows);
  say(`\nWritten to ${file}`);
  return rows.every(({ verdict }) => verdict === "reached") ? 0 : 1;
}

/** One that fails is a result like any other: what the others measured is not lost for it. */
async function runScenario(bench: Bench, { suite, scenario }: ChosenScenario): Promise<RunResult> {
  say(`\n${fullName({ suite, scenario })}: ${scenario.title}`);
  const startedAt = now();
  const result = await scenario.run(bench).catch((error: unknown) => {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say(`  ended early: ${failure}`);
    return failedResult(scenario.name, failure);
  });
  return { ...result, suite: suite.name, title: scenario.title, seconds: (now() - startedAt) / 1_000 };
}

function printScenarios(suites: readonly NamedSuite[]): void {
  for (const { name, scenarios, onlyByName } of suites) {
    console.log(`${name}${onlyByName ? " (only when named)" : ""}`);
    const width = Math.max(...scenarios.map((scenario) => scenario.name.length));
    for (const { name: own, title } of scenarios) console.log(`  ${own.padEnd(width)}  ${title}`);
  }
}

async function loadSuites(): Promise<NamedSuite[]> {
  const entries = await readdir(new URL(".", import.meta.url));
  const names = entries.filter((name) => existsSync(suiteFile(name))).sort();
  return Promise.all(
    names.map(async (name) => {
      const { suite }: { suite: Suite } = await import(suiteFile(name).href);
      return { ...suite, name };
    }),
  );
}

function suiteFile(name: string): URL {
  return new URL(`${name}/suite.ts`, import.meta.url);
}
