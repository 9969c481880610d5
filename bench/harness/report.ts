/** Prints what was measured beside its bars, and keeps it with the machine and settings it was measured on. */
import { mkdir, writeFile } from "node:fs/promises";
import { arch, cpus, loadavg, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { show } from "./bench.ts";
import type { BenchOptions } from "./options.ts";
import type { Peer } from "./peers.ts";
import { judge, median, type ScenarioResult, type Table } from "./result.ts";

const marks = { reached: "✓", missed: "✗", "not measured": "✗" } as const;
const resultsFolder = new URL("../results/", import.meta.url);

export function printResult(title: string, { measured, bars, skipped, tables = [] }: ScenarioResult): void {
  console.log(`\n${title}`);
  for (const table of tables) printTable(table);
  const width = Math.max(0, ...measured.map((entry) => `${entry.case}  ${entry.contender}`.length));
  for (const entry of measured) {
    const name = `${entry.case}  ${entry.contender}`.padEnd(width);
    const spread = `${show(Math.min(...entry.values))} … ${show(Math.max(...entry.values))}`;
    const note = entry.note ? `  ${entry.note}` : "";
    console.log(`  ${name}  ${show(median(entry.values)).padStart(9)} ${entry.unit}  (${spread})${note}`);
  }
  for (const reason of skipped) console.log(`  skipped: ${reason.split("\n")[0]}`);
  for (const bar of bars) {
    const verdict = judge(bar);
    const value = bar.value === undefined ? "not measured" : show(bar.value);
    console.log(`  ${marks[verdict]} ${bar.what}: ${value} (${bar.sense} ${bar.bar})`);
  }
}

function printTable({ title, columns, rows }: Table): void {
  const cells = [columns, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? show(cell) : cell)))];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  console.log(`  ${title}`);
  for (const row of cells) {
    const line = row.map((cell, column) =>
      column === 0 || typeof rows[0]?.[column] === "string"
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0),
    );
    console.log(`    ${line.join("  ")}`.trimEnd());
  }
}

export interface Report {
  at: string;
  machine: Record<string, unknown>;
  versions: Record<string, string>;
  server: Record<string, string>;
  options: BenchOptions;
  results: (ScenarioResult & { medians: object[]; verdicts: object[] })[];
}

export function summarize(run: {
  options: BenchOptions;
  settings: Record<string, string>;
  peers: readonly Peer[];
  results: readonly ScenarioResult[];
}): Report {
  const { options, settings, peers, results } = run;
  return {
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      memoryBytes: totalmem(),
      system: `${process.platform} ${release()} ${arch()}`,
      load: loadavg(),
    },
    versions: { node: process.versions.node, ...Object.fromEntries(peers.map(({ name, version }) => [name, version])) },
    server: settings,
    options,
    results: results.map((result) => ({
      ...result,
      medians: result.measured.map((entry) => ({ ...entry, values: undefined, median: median(entry.values) })),
      verdicts: result.bars.map((bar) => ({ ...bar, verdict: judge(bar) })),
    })),
  };
}

/** Answers the file's name. */
export async function writeResults(report: Report): Promise<string> {
  await mkdir(resultsFolder, { recursive: true });
  const file = new URL(`${report.at.slice(0, 16).replace(":", "")}.json`, resultsFolder);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return fileURLToPath(file);
}
