/** A database of its own for each test or suite, copied from a migrated one in a few dozen milliseconds. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { describe, inject } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { type ServerName, serverNames, templateDatabase, urlOfDatabase } from "./postgres-servers.ts";
import { silentLogger } from "./silent-logger.ts";

/** The name under which a test's own connections are known to the server. */
export const testApplication = "docmill test";

export interface TestDatabase {
  url: string;
  db: Database;
  /** Closes `db` and removes the database, ending whatever connections are left. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** The embedded server if nothing else is said. */
  server?: ServerName;
  /** Without tables, for tests of the migrations themselves. */
  empty?: boolean;
  maxConnections?: number;
}

/** @example const { db, drop } = await createTestDatabase({ server: "15" }); */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { server = "18", empty = false, maxConnections } = options;
  const running = inject("postgresServers")[server];
  if (!running) throw new Error(`PostgreSQL ${server} is not installed; use describeOnEachServer`);
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runOnServer(running.url, `create database ${name} template ${empty ? "template1" : templateDatabase}`);
  const url = urlOfDatabase(running.url, name);
  const db = openDatabase({ url, logger: silentLogger, maxConnections, applicationName: testApplication });
  return {
    url,
    db,
    async drop() {
      await db.close();
      await runOnServer(running.url, `drop database ${name} with (force)`);
    },
  };
}

/** Runs a suite once on every server there is, and shows it as skipped for one that is not installed. */
export function describeOnEachServer(name: string, suite: (server: ServerName) => void): void {
  for (const server of serverNames) {
    const running = inject("postgresServers")[server];
    if (running) describe(`${name} on PostgreSQL ${running.version}`, () => suite(server));
    else describe.skip(`${name} on PostgreSQL ${server}, which is not installed`, () => suite(server));
  }
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
