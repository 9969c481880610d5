/**
 * Brings the schema up to what this program knows, once, whoever starts first. Landed migrations are compared by
 * checksum, and a schema newer than the program stops it: running on would write rows that a newer version misreads.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { DocmillError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { isDeadlockVictim, type Queryable, sqlState } from "./database.ts";
import { sql } from "./sql.ts";
import { withClient } from "./with-client.ts";

/**
 * A statement that waits for a lock on a table makes everyone queue behind it who comes later, readers included. So none
 * waits longer than this: the migration steps back, lets everyone through, and tries again.
 */
const longestLockWaitMs = 2_000;
const patienceMs = 120_000;
const longestPauseMs = 2_000;

/** Any number no one else uses for an advisory lock; "docmill" in ASCII. */
const migrationLock = 0x646f636d696c6cn;

const applicationName = "docmill migrate";

const shippedMigrations = fileURLToPath(new URL("../../migrations", import.meta.url));

interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

export interface MigrateOptions {
  url: string;
  logger: Logger;
  /** Where the migrations are, if not where the program has its own. */
  folder?: string;
  lockWaitMs?: number;
  /** For how long a migration that others are in the way of is tried again. */
  patienceMs?: number;
}

export interface SchemaState {
  applied: { version: number; name: string; checksum: string }[];
  pending: Migration[];
}

/** Applies what is missing, each migration in a transaction of its own. Many may call this at once: one does the work. */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.folder);
  return withClient(options.url, applicationName, async (client) => {
    const applied: string[] = [];
    for (;;) {
      const next = await untilFree(client, options, () => applyNext(client, migrations, options));
      if (!next) return { applied };
      applied.push(next.name);
      options.logger.info({ migration: next.name }, "migration applied");
    }
  });
}

/** What is applied and what is missing, without changing anything. */
export async function readSchemaState(url: string, folder?: string): Promise<SchemaState> {
  const migrations = await readMigrations(folder);
  return withClient(url, applicationName, async (client) => {
    const known = await client.query("select to_regclass('schema_migrations') is not null as known");
    const applied = known.rows[0].known ? await readApplied(client) : [];
    return { applied, pending: pendingMigrations(migrations, applied) };
  });
}

/** What a database that this program has migrated has applied. */
export async function readShippedSchema(): Promise<SchemaState["applied"]> {
  const migrations = await readMigrations();
  return migrations.map(({ version, name, checksum }) => ({ version, name, checksum }));
}

/** The names of what is missing, over connections that are open already. Throws if the schema is newer than the program. */
export async function findPendingMigrations(db: Queryable, folder?: string): Promise<string[]> {
  const [known] = await db.query<{ known: boolean }>(sql`select to_regclass('schema_migrations') is not null as known`);
  const applied = known?.known
    ? await db.query<SchemaState["applied"][number]>(
        sql`select version, name, checksum from schema_migrations order by version`,
      )
    : [];
  return pendingMigrations(await readMigrations(folder), applied).map(({ name }) => name);
}

/** Tries again while locks of others are in the way. */
async function untilFree<T>(client: pg.Client, options: MigrateOptions, attempt: () => Promise<T>): Promise<T> {
  const { logger, lockWaitMs = longestLockWaitMs } = options;
  const giveUpAt = performance.now() + (options.patienceMs ?? patienceMs);
  for (let pauseMs = lockWaitMs / 4; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      if (performance.now() > giveUpAt) throw await explainBlocked(client, error);
      logger.warn({ err: error }, "a migration waits for others to let go of a table");
      await delay(pauseMs);
    }
  }
}

/** Waited for a lock too long, or was chosen to break a deadlock. */
function isInTheWay(error: unknown): boolean {
  return sqlState(error) === "55P03" || isDeadlockVictim(error);
}

/** Whoever has had a transaction open for longest is most likely whom it waits for. */
async function explainBlocked(client: pg.Client, cause: unknown): Promise<DocmillError> {
  const { rows } = await client.query(`
    select format('pid %s (%s, %s, open since %s)', pid, coalesce(nullif(application_name, ''), 'unnamed'), state,
      to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as text
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`);
  const oldest = rows[0] ? ` The longest open transaction is that of ${rows[0].text}.` : "";
  return new DocmillError(
    "MIGRATION_BLOCKED",
    `A migration could not get through: others keep its tables locked.${oldest} End it, or wait until it has ended, and start again; this migration changed nothing.`,
    { cause },
  );
}

/** Answers what was applied; undefined if nothing was missing. */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  { lockWaitMs = longestLockWaitMs }: MigrateOptions,
): Promise<Migration | undefined> {
  await client.query("begin");
  try {
    // Servers may be set to end what takes long: an index over a large table does, and waiting for whoever migrates.
    await client.query("set local statement_timeout = 0");
    await client.query("set local lock_timeout = 0");
    // Held to the end of the transaction only: a pooler may give the next one another connection.
    await client.query("select pg_advisory_xact_lock($1)", [migrationLock]);
    await client.query(
      "create table if not exists schema_migrations (version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
    );
    const next = pendingMigrations(migrations, await readApplied(client))[0];
    if (next) {
      // Not for the lock above: whoever has that is migrating, and is waited for.
      await client.query(`set local lock_timeout = ${Math.round(lockWaitMs)}`);
      await client.query(next.text);
      await client.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
        next.version,
        next.name,
        next.checksum,
      ]);
    }
    await client.query("commit");
    return next;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function readApplied(client: pg.Client): Promise<SchemaState["applied"]> {
  const result = await client.query("select version, name, checksum from schema_migrations order by version");
  return result.rows;
}

function pendingMigrations(migrations: Migration[], applied: SchemaState["applied"]): Migration[] {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const landed of applied) {
    const ours = byVersion.get(landed.version);
    if (!ours) {
      throw new DocmillError(
        "SCHEMA_TOO_NEW",
        `The database has migration ${landed.name}, which this version of Docmill does not know. Start the newer version, or restore a backup made before the upgrade.`,
      );
    }
    if (ours.checksum !== landed.checksum) {
      throw new DocmillError(
        "MIGRATION_CHANGED",
        `Migration ${landed.name} was changed after it was applied to this database. Restore the migrations folder of the installed version.`,
      );
    }
  }
  const landed = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !landed.has(version));
}

async function readMigrations(folder = shippedMigrations): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(/^(\d{4})_/.exec(file)?.[1]);
      if (version !== index + 1) {
        throw new DocmillError("MIGRATIONS_BROKEN", `${file} should be number ${index + 1} in the migrations folder.`);
      }
      const text = await readFile(`${folder}/${file}`, "utf8");
      const checksum = createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
      return { version, name: file.replace(/\.sql$/, ""), text, checksum };
    }),
  );
}
