/**
 * The roles of a table that is made of divs: its rows are placed by hand, and a table element that is displayed as something
 * else is no table to every browser and screen reader. Rows are counted from 1, the header's included.
 */
export const tableRoles = {
  table: (label: string, rows: number | "unknown") => ({
    role: "table",
    "aria-label": label,
    "aria-rowcount": rows === "unknown" ? -1 : rows,
  }),
  rowGroup: () => ({ role: "rowgroup" }),
  row: (index: number) => ({ role: "row", "aria-rowindex": index }),
  columnHeader: () => ({ role: "columnheader" }),
  cell: () => ({ role: "cell" }),
};
