/** Whether this process can do its work: the database answers and has the schema this program knows. */
import type { Readiness } from "../contract/system.ts";
import type { Database } from "../db/database.ts";
import { findPendingMigrations } from "../db/migrate.ts";
import { sql } from "../db/sql.ts";
import { DocmillError } from "../errors.ts";

/** Resolves if all is well; what it rejects with says what is not. */
export type ReadinessCheck = () => Promise<void>;

/** Whoever asks wants to know now; a database that takes longer than this is not ready. */
const patienceMs = 3_000;

export function readinessChecks(db: Database): Record<string, ReadinessCheck> {
  return {
    async database() {
      await db.query(sql`select 1`);
    },
    async migrations() {
      const pending = await findPendingMigrations(db);
      if (pending.length === 0) return;
      const message = `Not applied: ${pending.join(", ")}. Run docmill migrate.`;
      throw new DocmillError("MIGRATIONS_PENDING", message);
    },
  };
}

export async function readReadiness(checks: Record<string, ReadinessCheck>): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await run(check)] as const),
  );
  return { ready: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) };
}

async function run(check: ReadinessCheck): Promise<Readiness["checks"][string]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DocmillError("TIMEOUT", "No answer in time.")), patienceMs);
  });
  try {
    await Promise.race([check(), late]);
    return { ok: true };
  } catch (error) {
    // What a driver says may name hosts and users.
    return { ok: false, message: error instanceof DocmillError ? error.message : "Cannot be reached." };
  } finally {
    clearTimeout(timer);
  }
}
