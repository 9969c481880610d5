import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { type PgBouncer, pgBouncerProgram, startPgBouncer } from "./pgbouncer.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "./test-database.ts";

describeOnEachServer("a test database", (server) => {
  it("is migrated, its own, and gone after drop", async () => {
    const one = await createTestDatabase({ server });
    const other = await createTestDatabase({ server });
    await one.db.query(sql`create table only_here ()`);
    const [found] = await other.db.query<{ migrated: boolean; shared: boolean }>(
      sql`select to_regclass('schema_migrations') is not null as migrated, to_regclass('only_here') is not null as shared`,
    );
    expect(found).toEqual({ migrated: true, shared: false });
    await Promise.all([one.drop(), other.drop()]);
    await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toMatchObject({ code: "3D000" });
  });

  it("is empty when asked", async () => {
    const { db, drop } = await createTestDatabase({ server, empty: true });
    const [found] = await db.query(sql`select to_regclass('schema_migrations') as migrations`);
    expect(found).toEqual({ migrations: null });
    await drop();
  });
});

describe.skipIf(!pgBouncerProgram)("PgBouncer in front of a test database", () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;

  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await startPgBouncer({ url: database.url, poolSize: 1 });
  });

  afterAll(async () => {
    await bouncer.stop();
    await database.drop();
  });

  it("gives a server connection to a transaction, not to a client", async () => {
    const clients = [bouncer.url, bouncer.url].map((url) => new pg.Client({ connectionString: url }));
    const backends: unknown[] = [];
    for (const client of clients) {
      await client.connect();
      backends.push((await client.query("select pg_backend_pid() as pid")).rows[0].pid);
    }
    await Promise.all(clients.map((client) => client.end()));
    expect(backends[0]).toBe(backends[1]);
  });
});
