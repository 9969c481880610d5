/**
 * Many rows as one parameter list: an array per column, unnested on the server. Measured against json_to_recordset with
 * 500 rows of 25 columns: a tenth of the time. A column that no row fills costs nothing.
 */
import { Sql, sql, toJson } from "./sql.ts";

type ColumnType = "uuid" | "integer" | "smallint" | "double precision" | "text" | "boolean" | "jsonb";

/**
 * A fragment that selects the rows, to stand in parentheses after FROM.
 *
 * @example
 * sql`select p.id from (${rowsOf({ id: "uuid", place: "integer" }, picks)}) p`
 */
export function rowsOf<Column extends string>(
  columns: Record<Column, ColumnType>,
  rows: readonly { readonly [K in Column]?: unknown }[],
): Sql {
  const names = Object.keys(columns) as Column[];
  const [always, ...others] = names;
  if (always === undefined) throw new TypeError("A row needs at least one column.");
  const filled = [
    always,
    ...others.filter((name) => rows.some((row) => row[name] !== undefined && row[name] !== null)),
  ];
  const arrays = filled.map((name) =>
    columns[name] === "jsonb" ? rows.map((row) => toJson(row[name])) : rows.map((row) => row[name]),
  );
  // Names and types come from the program, never from data.
  const selected = names.map((name) =>
    !filled.includes(name)
      ? `null::${columns[name]} as ${name}`
      : columns[name] === "jsonb"
        ? `${name}::jsonb as ${name}`
        : name,
  );
  const arrayTypes = filled.map((name) => (columns[name] === "jsonb" ? "text" : columns[name]));
  const list = new Sql(
    ["", ...arrayTypes.map((type, index) => `::${type}[]${index < arrayTypes.length - 1 ? ", " : ""}`)],
    arrays,
  );
  return sql`${new Sql([`select ${selected.join(", ")} from unnest(`], [])}${list}${new Sql([`) as r (${filled.join(", ")})`], [])}`;
}
