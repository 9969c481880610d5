/** Where PostgreSQL's time went, statement by statement, as pg_stat_statements counts it. */
import { withClient } from "./server.ts";

export interface StatementCost {
  /** The first words of the statement, enough to know it by. */
  statement: string;
  calls: number;
  rows: number;
  planMs: number;
  execMs: number;
  walBytes: number;
  buffers: number;
}

export async function forgetStatementCosts(url: string): Promise<void> {
  await withClient(url, (client) => client.query("select pg_stat_statements_reset()"));
}

export function readStatementCosts(url: string): Promise<StatementCost[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<StatementCost>(`
      select regexp_replace(left(query, 400), '\\s+', ' ', 'g') as statement, calls::integer, rows::integer,
        total_plan_time as "planMs", total_exec_time as "execMs", wal_bytes::float8 as "walBytes",
        (shared_blks_hit + shared_blks_read)::float8 as buffers
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
      order by total_plan_time + total_exec_time desc limit 12`);
    return rows;
  });
}
