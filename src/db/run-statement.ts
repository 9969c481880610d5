/** Runs one statement on a connection; column names arrive in camelCase. */
import type pg from "pg";
import { nameFor } from "./prepared-statements.ts";
import type { Sql } from "./sql.ts";

/** Runs one statement on a connection of one's own; everyone else has `Queryable`. */
export async function runStatement<Row extends object>(client: pg.ClientBase, statement: Sql): Promise<Row[]> {
  const { text, values } = statement.compile();
  const result = await client.query<unknown[]>({ name: nameFor(client, text), text, values, rowMode: "array" });
  const names = result.fields.map((field) => camelCase(field.name));
  return result.rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) row[names[i] as string] = cells[i];
    return row as Row;
  });
}

const camelNames = new Map<string, string>();

function camelCase(column: string): string {
  let name = camelNames.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(column, name);
  }
  return name;
}
