/** Writes a table as GitHub's markdown: one header row, in which a heading over several columns stands in each of them. */
import type { TableBlock, TableCell } from "./blocks.ts";
import { escapeCell } from "./escape-markdown.ts";

export function writeTable(table: TableBlock): string {
  const columns = table.rows[0]?.length ?? 0;
  if (columns === 0) return "";
  const header = headerOf(table, columns);
  const rule = Array.from({ length: columns }, () => "---");
  return [writeRow(header), writeRow(rule), ...writeRows(table.rows.slice(table.headerRows))].join("\n");
}

/** Rows without a header: for a table that goes on from the page before. */
export function writeRows(rows: readonly (readonly TableCell[])[]): string[] {
  return rows.map((row) => writeRow(row.map((cell) => escapeCell(cell.text))));
}

function writeRow(texts: readonly string[]): string {
  return `| ${texts.join(" | ")} |`;
}

function headerOf(table: TableBlock, columns: number): string[] {
  const names: string[][] = Array.from({ length: columns }, () => []);
  for (const row of table.rows.slice(0, table.headerRows)) {
    row.forEach((cell, column) => {
      if (cell.text === "") return;
      for (let i = column; i < Math.min(columns, column + (cell.columnSpan ?? 1)); i++) names[i]?.push(cell.text);
    });
  }
  return names.map((parts) => escapeCell(parts.join(" ")));
}

/** Whether a table on the next page is the rest of this one. */
export function continuesTable(before: TableBlock, next: TableBlock): boolean {
  const columns = before.rows[0]?.length ?? 0;
  if (columns < 2 || columns !== next.rows[0]?.length || next.caption !== undefined) return false;
  return Math.abs(before.box.x - next.box.x) < 12 && Math.abs(before.box.width - next.box.width) < 24;
}

/** The rows of the rest, without a header that is only repeated. */
export function rowsOfRest(before: TableBlock, rest: TableBlock): TableCell[][] {
  const same = (a: readonly TableCell[] | undefined, b: readonly TableCell[] | undefined): boolean =>
    a !== undefined && b !== undefined && a.every((cell, i) => cell.text === b[i]?.text);
  let repeated = 0;
  while (repeated < before.headerRows && same(before.rows[repeated], rest.rows[repeated])) repeated++;
  return rest.rows.slice(repeated);
}
