/** Writes the limits as this program has them: the last one to start decides. */
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Registry } from "../registry.ts";

export async function saveLimits(db: Database, registry: Registry): Promise<void> {
  const limits = registry.pipelines.flatMap(({ options: { limit } }) => limit ?? []);
  for (const { name, max } of limits.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await db.query(sql`
      insert into job_limits (name, max_running) values (${name}, ${max})
      on conflict (name) do update set max_running = excluded.max_running where job_limits.max_running <> excluded.max_running`);
  }
}
