/** The migrator: once, whoever starts first; never over a changed or a newer schema; all of a migration or nothing. */
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate, readSchemaState } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import { type PgBouncer, pgBouncerProgram, startPgBouncer } from "../support/pgbouncer.ts";
import { raceInProcesses } from "../support/race-in-processes.ts";
import { silentLogger as logger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "../support/test-database.ts";

const migrateRace = import.meta.resolve("../fixtures/races/migrate.ts");
const shipped = fileURLToPath(new URL("../../migrations", import.meta.url));

async function tableNames({ db }: TestDatabase): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  );
  return rows.map(({ name }) => name);
}

describeOnEachServer("the migrator", (server) => {
  let database: TestDatabase;
  let folder: string;

  beforeEach(async () => {
    database = await createTestDatabase({ server, empty: true });
    folder = await makeTemporaryFolder();
  });
  afterEach(async () => {
    await database.drop();
    await removeTemporaryFolder(folder);
  });

  const write = (file: string, text: string) => writeFile(join(folder, file), text);

  it("works once when six processes migrate at the same moment", async () => {
    const outcomes = await raceInProcesses(6, migrateRace, { url: database.url });
    const applied = outcomes.flatMap(({ answer }) => answer as string[]);
    const { applied: landed, pending } = await readSchemaState(database.url);
    expect(applied.toSorted()).toEqual(landed.map(({ name }) => name).toSorted());
    expect(landed.length).toBeGreaterThan(0);
    expect(pending).toEqual([]);
    expect(await tableNames(database)).toContain("jobs");
  });

  it("applies what is missing, in order, and nothing twice", async () => {
    await write("0001_one.sql", "create table one (id integer)");
    const { url } = database;
    expect(await migrate({ url, logger, folder })).toEqual({ applied: ["0001_one"] });
    await write("0002_two.sql", "alter table one add column two integer; create table two ()");
    await write("0003_three.sql", "alter table two add column three integer");
    expect((await readSchemaState(url, folder)).pending.map(({ name }) => name)).toEqual(["0002_two", "0003_three"]);
    expect(await migrate({ url, logger, folder })).toEqual({ applied: ["0002_two", "0003_three"] });
    expect(await migrate({ url, logger, folder })).toEqual({ applied: [] });
    expect(await tableNames(database)).toEqual(["one", "schema_migrations", "two"]);
  });

  it("refuses a migration that was changed after it landed, but not one with other line ends", async () => {
    const { url } = database;
    await write("0001_one.sql", "create table one (\n  id integer\n)");
    await migrate({ url, logger, folder });
    await write("0001_one.sql", "create table one (\r\n  id integer\r\n)");
    expect(await migrate({ url, logger, folder })).toEqual({ applied: [] });
    await write("0001_one.sql", "create table one (\n  id bigint\n)");
    await write("0002_two.sql", "create table two ()");
    await expect(migrate({ url, logger, folder })).rejects.toMatchObject({ code: "MIGRATION_CHANGED" });
    expect(await tableNames(database)).toEqual(["one", "schema_migrations"]);
  });

  it("refuses a schema newer than the program, naming what it does not know", async () => {
    const { url } = database;
    await cp(shipped, folder, { recursive: true });
    const { applied } = await readSchemaState(url, folder);
    expect(applied).toEqual([]);
    await migrate({ url, logger });
    const next = String((await readSchemaState(url)).applied.length + 1).padStart(4, "0");
    await write(`${next}_from_the_future.sql`, "create table future ()");
    await migrate({ url, logger, folder });
    const refusal = { code: "SCHEMA_TOO_NEW", message: expect.stringContaining(`${next}_from_the_future`) };
    await expect(migrate({ url, logger })).rejects.toMatchObject(refusal);
    await expect(readSchemaState(url)).rejects.toMatchObject(refusal);
  });

  it("leaves nothing of a migration that fails, and goes on with it once it is right", async () => {
    const { url } = database;
    await write("0001_one.sql", "create table one (id integer)");
    await write("0002_two.sql", "create table two (); insert into one values (1); select 1 / 0");
    await write("0003_three.sql", "create table three ()");
    await expect(migrate({ url, logger, folder })).rejects.toMatchObject({ code: "22012" });
    expect(await tableNames(database)).toEqual(["one", "schema_migrations"]);
    expect(await database.db.query(sql`select * from one`)).toEqual([]);
    await write("0002_two.sql", "create table two ()");
    expect(await migrate({ url, logger, folder })).toEqual({ applied: ["0002_two", "0003_three"] });
  });

  it("leaves nothing at all when the first one fails", async () => {
    await write("0001_one.sql", "create table one (id integer); create table one (id integer)");
    await expect(migrate({ url: database.url, logger, folder })).rejects.toMatchObject({ code: "42P07" });
    expect(await tableNames(database)).toEqual([]);
  });

  it.each([
    ["a gap", ["0001_one.sql", "0003_three.sql"], "0003_three.sql"],
    ["two of one number", ["0001_one.sql", "0001_other.sql"], "0001_other.sql"],
    ["a name without a number", ["0001_one.sql", "two.sql"], "two.sql"],
  ])("refuses a folder with %s before it changes anything", async (_, files, wrong) => {
    for (const file of files) await write(file, "create table some ()");
    await expect(migrate({ url: database.url, logger, folder })).rejects.toMatchObject({
      code: "MIGRATIONS_BROKEN",
      message: expect.stringContaining(wrong),
    });
    expect(await tableNames(database)).toEqual([]);
  });
});

describe.skipIf(!pgBouncerProgram)("the migrator behind PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;

  beforeEach(async () => {
    database = await createTestDatabase({ empty: true });
    bouncer = await startPgBouncer({ url: database.url, poolSize: 3 });
  });
  afterEach(async () => {
    await bouncer.stop();
    await database.drop();
  });

  it("works once when four processes share its connections", async () => {
    const outcomes = await raceInProcesses(4, migrateRace, { url: bouncer.url });
    const applied = outcomes.flatMap(({ answer }) => answer as string[]);
    const { applied: landed } = await readSchemaState(bouncer.url);
    expect(applied.toSorted()).toEqual(landed.map(({ name }) => name).toSorted());
    expect(await tableNames(database)).toContain("jobs");
  });
});
