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
      const pending = await findPendingMigrations(db).catch(unlessNewer);
      if (pending.length === 0) return;
      const message = `Not applied: ${pending.join(", ")}. Run docmill migrate.`;
      throw new DocmillError("MIGRATIONS_PENDING", message);
    },
  };
}

/**
 * While an upgrade rolls, the first process of the new version has migrated and the others still serve. None of that
 * version could start any more, but those that run go on: if they all said no, a balancer would have nobody left.
 */
function unlessNewer(error: unknown): string[] {
  if (error instanceof DocmillError && error.code === "SCHEMA_TOO_NEW") return [];
  throw error;
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
    await Promise.race([join(check), late]);
    return { ok: true };
  } catch (error) {
    return { ok: false, message: describe(error) };
  } finally {
    clearTimeout(timer);
  }
}

const underWay = new WeakMap<ReadinessCheck, Promise<void>>();

/** However many ask, and however long it takes: one look at a time. */
function join(check: ReadinessCheck): Promise<void> {
  const looking = underWay.get(check) ?? check().finally(() => underWay.delete(check));
  underWay.set(check, looking);
  return looking;
}

const storageWords: Readonly<Record<string, string>> = {
  STORAGE_FULL: "The disk is full: free some space.",
  STORAGE_DENIED: "Access was refused: check the credentials and rights.",
  STORAGE_MISSING: "It does not exist: create it, or name another.",
};

/** Everybody may ask: what a driver says may name hosts and users, and what storage says where files are kept. */
function describe(error: unknown): string {
  if (!(error instanceof DocmillError)) return "Cannot be reached.";
  return error.code.startsWith("STORAGE_") ? (storageWords[error.code] ?? "Cannot be used now.") : error.message;
}
