/** Reads a table kept as comma-separated values: quotes around a cell, doubled inside it. */
import type { ScoredTable } from "./layout-scores/table-adjacency.ts";

export function readCsv(text: string): ScoredTable {
  return text
    .trim()
    .split(/\r?\n/)
    .flatMap((line, row) =>
      splitLine(line).map((cell, column) => ({ row, column, rowSpan: 1, columnSpan: 1, text: cell })),
    );
}

function splitLine(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );
}
