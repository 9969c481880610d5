/** Reports as they stand in the documentation: where they were measured, a table of bars a suite, and what lies behind them. */
import { show } from "./bench.ts";
import type { Report, ReportedResult } from "./report.ts";
import type { Table } from "./result.ts";
import { mergeResults, summarize, summaryColumns } from "./summary.ts";

export interface MarkdownOptions {
  /** Every contender's median beside the bars. */
  medians: boolean;
}

export function toMarkdown(reports: readonly Report[], options: MarkdownOptions): string {
  const bySuite = Map.groupBy(mergeResults(reports), ({ suite }) => suite);
  return [
    reports.map(describeRun).join("\n"),
    ...[...bySuite].flatMap(([suite, results]) => [`### ${suite}`, ...describeSuite(results, options)]),
  ].join("\n\n");
}

function describeRun({ at, machine, versions, settings, options }: Report): string {
  const memory = `${Math.round(machine.memoryBytes / 2 ** 30)} GB`;
  const parts = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const how = `medians of ${options.rounds}${options.quick ? ", quick (not for a claim)" : ""}`;
  const postgres = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return `- ${at.slice(0, 10)}: ${machine.cores} × ${machine.cpu}, ${memory}, ${machine.system}; ${parts.join(", ")}; PostgreSQL ${postgres.join(", ")}; ${how}`;
}

function describeSuite(results: readonly ReportedResult[], { medians }: MarkdownOptions): string[] {
  const bars = summarize(results).map(({ where, what, figure, bar, verdict }) => [where, what, figure, bar, verdict]);
  return [
    drawTable({ title: "", columns: summaryColumns, rows: bars }),
    ...(medians ? [drawTable(listMedians(results))] : []),
    ...results.flatMap(({ tables }) => tables.map(drawTable)),
  ];
}

function listMedians(results: readonly ReportedResult[]): Table {
  return {
    title: "Medians, and the lowest and highest of all rounds",
    columns: ["scenario", "case", "contender", "median", "lowest … highest", "unit"],
    rows: results.flatMap(({ scenario, measured }) =>
      measured.map((entry) => {
        const spread = `${show(Math.min(...entry.values))} … ${show(Math.max(...entry.values))}`;
        return [scenario, entry.case, entry.contender, entry.median ?? "–", spread, entry.unit];
      }),
    ),
  };
}

function drawTable({ title, columns, rows }: Table): string {
  const isNumber = columns.map((_, column) => typeof rows[0]?.[column] === "number");
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const lines = [
    line(columns),
    line(isNumber.map((number) => (number ? "--:" : "---"))),
    ...rows.map((row) => line(row.map((cell) => (typeof cell === "number" ? show(cell) : cell)))),
  ];
  return (title === "" ? lines : [`${title}:`, "", ...lines]).join("\n");
}
