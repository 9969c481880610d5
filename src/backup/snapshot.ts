/**
 * One connection that sees the database as it was at one moment, however long it takes to look and whatever is
 * written meanwhile. What the server may have set against long transactions does not apply to it.
 */
import pg from "pg";
import type { Queryable } from "../db/database.ts";
import { runStatement } from "../db/run-statement.ts";
import { withClient } from "../db/with-client.ts";

export interface OpenTransaction extends Queryable {
  readonly client: pg.Client;
}

type Mode = "isolation level repeatable read, read only" | "read write";

/** Runs `work` in a transaction on a connection of its own; commits when it is done. */
export function inTransaction<T>(url: string, mode: Mode, work: (tx: OpenTransaction) => Promise<T>): Promise<T> {
  return withClient(url, "docmill backup", async (client) => {
    await client.query(`begin ${mode}`);
    await client.query("set local statement_timeout = 0");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    // What a later PostgreSQL sets may be unknown to this one.
    await client.query("select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout'");
    const result = await work({ client, query: (statement) => runStatement(client, statement) });
    await client.query("commit");
    return result;
  });
}

/** A table with some of its columns, as COPY names them. */
export function copyTarget({ name, columns }: { name: string; columns: readonly string[] }): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(", ")})`;
}
