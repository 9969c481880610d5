/** What all tables hold, in a few characters each: two that are equal tell that nobody wrote anything in between. */
import { withClient } from "../harness/server.ts";

/** Workers renew their leases, whatever else they do. */
const alwaysChanging = "workers";

export function takeFingerprints(url: string): Promise<Map<string, string>> {
  return withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> $1",
      [alwaysChanging],
    );
    const prints = new Map<string, string>();
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ print: string }>(
        `select coalesce(md5(string_agg(t::text, '' order by t::text)), '') as print from ${name} t`,
      );
      prints.set(name, rows[0]?.print ?? "");
    }
    return prints;
  });
}
