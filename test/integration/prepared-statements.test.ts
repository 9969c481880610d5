/** Statements that PostgreSQL keeps under a name: on connections of its own, never behind a pooler, and planned for any size. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openPreparedDatabase } from "../../src/db/database.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import { pgBouncerProgram, startPgBouncer } from "../support/pgbouncer.ts";
import { silentLogger as logger } from "../support/silent-logger.ts";
import { createTestDatabase, describeOnEachServer, type TestDatabase } from "../support/test-database.ts";

interface Kept {
  statement: string;
  genericPlans: number;
  customPlans: number;
}

/** What the connection keeps that answers: one after the other they use the same. */
const readKept = (db: Database) =>
  db.query<Kept>(sql`
    select statement, generic_plans::integer as generic_plans, custom_plans::integer as custom_plans
    from pg_prepared_statements where statement not like '%pg_prepared_statements%'`);

describeOnEachServer("prepared statements", (server) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase({ server });
    await database.db.query(sql`create table numbers (n integer primary key, text text not null)`);
  });
  afterAll(() => database.drop());

  it("are parsed once and planned once, whatever their values", async () => {
    const db = openPreparedDatabase({ url: database.url, logger });
    for (let n = 1; n <= 7; n++) {
      const values = Array.from({ length: n }, (_, place) => place);
      await db.query(sql`select text from numbers where n = any (${values}::integer[])`);
    }
    expect(await readKept(db)).toEqual([
      { statement: "select text from numbers where n = any ($1::integer[])", genericPlans: 7, customPlans: 0 },
    ]);
    await db.close();
  });

  it("go by the index although the table was empty when they were planned", async () => {
    const db = openPreparedDatabase({ url: database.url, logger });
    const find = (n: number) => db.query(sql`select text from numbers where n = ${n}`);
    expect(await find(4_999)).toEqual([]);
    await database.db.query(sql`insert into numbers select n, 'number ' || n from generate_series(1, 5000) n`);
    expect(await find(4_999)).toEqual([{ text: "number 4999" }]);
    const read = sql`select seq_scan::integer as scans from pg_stat_xact_user_tables where relname = 'numbers'`;
    const scans = await db.transaction(async (tx) => {
      await tx.query(sql`select text from numbers where n = ${4_998}`);
      return tx.query(read);
    });
    expect(scans).toEqual([{ scans: 0 }]);
    await db.close();
  });

  it("beyond the hundredth run all the same, unnamed", async () => {
    const db = openPreparedDatabase({ url: database.url, logger });
    for (let n = 1; n <= 120; n++) {
      const text = `select ${n} as n`;
      expect(await db.query(new Sql([text], []))).toEqual([{ n }]);
    }
    expect((await readKept(db)).length).toBeLessThanOrEqual(100);
    await db.close();
  });

  it("survive an error in the middle of a transaction", async () => {
    const db = openPreparedDatabase({ url: database.url, logger });
    const divide = (by: number) => sql`select 1 / ${by}::integer as share`;
    await expect(db.transaction((tx) => tx.query(divide(0)))).rejects.toMatchObject({ code: "22012" });
    expect(await db.transaction((tx) => tx.query(divide(1)))).toEqual([{ share: 1 }]);
    await expect(db.query(sql`select missing from numbers`)).rejects.toMatchObject({ code: "42703" });
    expect(await db.query(divide(1))).toEqual([{ share: 1 }]);
    await db.close();
  });

  it.skipIf(pgBouncerProgram === undefined)("have no names behind a pooler", async () => {
    const pooler = await startPgBouncer({ url: database.url, poolSize: 2 });
    const db = openPreparedDatabase({ url: pooler.url, logger });
    const ask = (n: number) => db.query<{ n: number }>(sql`select ${n}::integer as n`);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)));
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(await readKept(db)).toEqual([]);
    await db.close();
    await pooler.stop();
  });
});
