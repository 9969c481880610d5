/**
 * Brings the schema up to what this program knows, once, whoever starts first. Landed migrations are compared by
 * checksum, and a schema newer than the program stops it: running on would write rows that a newer version misreads.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { DocmillError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";
import { withClient } from "./with-client.ts";

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
    while (await applyNext(client, migrations, applied, options.logger));
    return { applied };
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

async function applyNext(client: pg.Client, migrations: Migration[], done: string[], logger: Logger): Promise<boolean> {
  await client.query("begin");
  try {
    // Held to the end of the transaction only: a pooler may give the next one another connection.
    await client.query("select pg_advisory_xact_lock($1)", [migrationLock]);
    await client.query(
      "create table if not exists schema_migrations (version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
    );
    const next = pendingMigrations(migrations, await readApplied(client))[0];
    if (next) {
      await client.query(next.text);
      await client.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
        next.version,
        next.name,
        next.checksum,
      ]);
    }
    await client.query("commit");
    if (!next) return false;
    done.push(next.name);
    logger.info({ migration: next.name }, "migration applied");
    return true;
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
