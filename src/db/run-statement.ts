/** Runs one statement on a connection; column names arrive in camelCase. */
import type pg from "pg";
import { nameFor } from "./prepared-statements.ts";
import type { Sql } from "./sql.ts";

/** Runs one statement on a connection of one's own; everyone else has `Queryable`. */
export async function runStatement<Row extends object>(client: pg.ClientBase, statement: Sql): Promise<Row[]> {
  const { text, values } = statement.compile();
  const { fields, rows } = await client.query<Cells>({ name: nameFor(client, text), text, values, rowMode: "array" });
  return rows.length === 0 ? [] : rows.map(rowMaker(fields) as (cells: Cells) => Row);
}

type Cells = unknown[];
type RowMaker = (cells: Cells) => object;

/** By the names of their columns. The statements of a program have some hundred different lists of them. */
const rowMakers = new Map<string, RowMaker>();

function rowMaker(fields: readonly { name: string }[]): RowMaker {
  const columns = fields.map(({ name }) => name).join();
  let maker = rowMakers.get(columns);
  if (maker === undefined) {
    maker = makeRowMaker(fields.map(({ name }) => camelCase(name)));
    rowMakers.set(columns, maker);
  }
  return maker;
}

/**
 * A function that is written for these columns: a claimed job's 14 cells become an object in 33 ns, where setting them one by
 * one under names it does not know takes 320 ns and twice the memory.
 */
function makeRowMaker(names: readonly string[]): RowMaker {
  const properties = names.map((name, place) => `${JSON.stringify(name)}: cells[${place}]`);
  return new Function("cells", `return { ${properties.join(", ")} };`) as RowMaker;
}

function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
