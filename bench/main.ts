/**
 * `npm run bench`: runs the suites under bench/, prints every ratio beside its bar, writes bench/results/<date>.json and
 * exits non-zero if a bar was missed.
 */
import { readdir } from "node:fs/promises";
import type { Bench, Suite } from "./harness/bench.ts";
import { readOptions, usage } from "./harness/options.ts";
import { findPeers } from "./harness/peers.ts";
import { printResult, summarize, writeResults } from "./harness/report.ts";
import { judge, type ScenarioResult } from "./harness/result.ts";
import { startBenchServer } from "./harness/server.ts";

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const suites = await findSuites();
  const chosen = options.suite === undefined ? suites : suites.filter((name) => name === options.suite);
  if (chosen.length === 0) {
    console.error(`There is no suite "${options.suite}". Those there are: ${suites.join(", ")}.\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    for (const name of chosen) await printScenarios(name);
    return 0;
  }
  const say = (line: string) => console.error(line);
  const results: ScenarioResult[] = [];
  const loaded = await Promise.all(chosen.map(loadSuite));
  const scenarios = loaded
    .flatMap((suite) => suite.scenarios)
    .filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  if (scenarios.length === 0) {
    const names = loaded.flatMap((suite) => suite.scenarios.map(({ name }) => name));
    console.error(`There is no scenario "${options.only.join(", ")}". Those there are: ${names.join(", ")}.`);
    return 2;
  }
  const peers =
    options.withoutPeers || options.profile
      ? []
      : await findPeers(
          loaded.flatMap((suite) => suite.peers),
          say,
        );
  const server = await startBenchServer({ server: options.server, statements: options.profile });
  try {
    const bench: Bench = { server, options, peers: new Set(peers.map(({ name }) => name)), say };
    say(
      `PostgreSQL ${Object.entries(server.settings)
        .map((pair) => pair.join(" "))
        .join(", ")}`,
    );
    for (const scenario of scenarios) {
      say(`\n${scenario.title}`);
      if (options.profile) {
        await scenario.profile?.(bench);
        continue;
      }
      const result = await scenario.run(bench);
      results.push(result);
      if (!options.json) printResult(scenario.title, result);
    }
  } finally {
    for (const suite of loaded) await suite.close?.();
    await server.stop();
  }
  if (options.profile) return 0;
  const report = summarize({ options, settings: server.settings, peers, results });
  const file = await writeResults(report);
  if (options.json) console.log(JSON.stringify(report, null, 2));
  say(`\nWritten to ${file}`);
  return results.flatMap(({ bars }) => bars).every((bar) => judge(bar) === "reached") ? 0 : 1;
}

async function findSuites(): Promise<string[]> {
  const entries = await readdir(new URL(".", import.meta.url), { recursive: true });
  return entries.flatMap((entry) => /^([^/\\]+)[/\\]suite\.ts$/.exec(entry)?.[1] ?? []);
}

async function printScenarios(suite: string): Promise<void> {
  const { scenarios } = await loadSuite(suite);
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  console.log(`\n${suite}, by scenario:`);
  for (const { name, title } of scenarios) console.log(`  ${name.padEnd(width)}  ${title}`);
}

async function loadSuite(name: string): Promise<Suite> {
  const { suite }: { suite: Suite } = await import(new URL(`${name}/suite.ts`, import.meta.url).href);
  return suite;
}
