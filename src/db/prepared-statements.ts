/**
 * Statements that PostgreSQL keeps, parsed and planned, under a name. A name belongs to one connection of the server's, so
 * a pooler that hands connections around would mix them up: only a connection that leads straight to the server gets
 * any, and behind a pooler everything runs unnamed, as it does elsewhere.
 */
import type pg from "pg";

/** The names given on each connection that may have some, by the statement's text. */
const named = new WeakMap<pg.ClientBase, Map<string, string>>();

/** Each kept statement costs the server some hundred kilobytes. What comes beyond is planned anew each time. */
const mostNames = 100;

/**
 * A plan is made once and kept while the table it was made for grows from ten rows to a million: it must go by the
 * indexes whatever the table looks like at that moment. And in their order: rows that are looked up by key are locked in the
 * order of their keys, where a bitmap would take them as they lie in the table.
 */
const planOnce =
  "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off; set jit = off";

/** For a new connection of a pool whose statements are to be kept. */
export async function prepareOn(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  // A pooler answers with a process id of its own making.
  if (rows[0]?.pid !== (client as pg.ClientBase & { processID: number | null }).processID) return;
  await client.query(planOnce);
  named.set(client, new Map());
}

/** The name the statement has, or now gets, on this connection; undefined where it is to run unnamed. */
export function nameFor(client: pg.ClientBase, text: string): string | undefined {
  const names = named.get(client);
  if (names === undefined) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `docmill_${names.size + 1}`;
  names.set(text, name);
  return name;
}
