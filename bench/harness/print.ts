/** Shows a person at a terminal what was measured beside its bars. */
import { show } from "./bench.ts";
import { judge, median, type RunResult, type Table } from "./result.ts";
import { type SummaryRow, summaryColumns } from "./summary.ts";

const marks = { reached: "✓", missed: "✗", "not measured": "✗" } as const;

export function printResult({ title, measured, bars, skipped, tables = [], failure }: RunResult): void {
  console.log(`\n${title}`);
  if (failure !== undefined) console.log(`  ended early: ${failure}`);
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

export function printSummary(rows: readonly SummaryRow[]): void {
  const cells = rows.map(({ where, what, figure, bar, verdict }) => [where, what, figure, bar, verdict]);
  printTable({ title: "\nAll bars", columns: summaryColumns, rows: cells });
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
