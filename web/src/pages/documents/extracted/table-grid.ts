/** A table's cells as HTML wants them, and as CSV. In the data every row has every cell; those under a span are empty. */
import type { DocumentTableList } from "../../../../../src/contract/documents.ts";

export type ExtractedTableRows = DocumentTableList["items"][number]["rows"];

export interface GridCell {
  column: number;
  text: string;
  rowSpan: number;
  columnSpan: number;
}

/** Without the cells that another's span covers. */
export function readGrid(rows: ExtractedTableRows): GridCell[][] {
  const covered = rows.map(() => new Set<number>());
  return rows.map((cells, row) =>
    cells.flatMap((cell, column): GridCell[] => {
      if (covered[row]?.has(column)) return [];
      const rowSpan = Math.min(cell.rowSpan ?? 1, rows.length - row);
      const columnSpan = Math.min(cell.columnSpan ?? 1, cells.length - column);
      for (let r = row; r < row + rowSpan; r++) {
        for (let c = column; c < column + columnSpan; c++) covered[r]?.add(c);
      }
      return [{ column, text: cell.text, rowSpan, columnSpan }];
    }),
  );
}

/** As spreadsheets read it (RFC 4180), but for what they would take for a formula: a document's text must not compute. */
export function toCsv(rows: ExtractedTableRows): string {
  return rows.map((cells) => cells.map(({ text }) => quote(text)).join(",")).join("\r\n");
}

function quote(given: string): string {
  const text = /^[=+\-@\t\r]/.test(given) && !/^[+-]?[\d.,\s]+%?$/.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
