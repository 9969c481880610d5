/** COPY as streams: tables larger than any buffer, readers that are slow or give up, sources that fail. */
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyIn, copyOut } from "../../src/db/copy.ts";
import { sql } from "../../src/db/sql.ts";
import { withClient } from "../../src/db/with-client.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.query(sql`create table lines (n integer, line text)`);
  // Nothing that compresses in the driver or the server: eight megabytes on the wire.
  await database.db.query(sql`insert into lines select n, repeat(md5(n::text), 8) from generate_series(1, 32000) n`);
});
afterAll(() => database.drop());

const on = <T>(work: Parameters<typeof withClient<T>>[2]) => withClient(database.url, "copy test", work);

async function readAll(source: AsyncIterable<Buffer>, rest: () => Promise<unknown>): Promise<string[]> {
  const parts: Buffer[] = [];
  for await (const part of source) {
    parts.push(part);
    await rest();
  }
  return Buffer.concat(parts).toString().trimEnd().split("\n");
}

it("a table comes whole to a slow reader, and the connection is free afterwards, whatever its size", async () => {
  await on(async (client) => {
    for (const rows of [0, 1, 200, 250, 300, 1_000, 1_024, 32_000]) {
      const statement = `copy (select n from lines where n <= ${rows} order by n) to stdout`;
      expect(await readAll(copyOut(client, statement), setImmediate)).toHaveLength(Math.max(rows, 1));
      const wide = `copy (select * from lines where n <= ${rows} order by n) to stdout`;
      const lines = await readAll(copyOut(client, wide), setImmediate);
      if (rows > 0)
        expect(lines.map((line) => Number(line.split("\t")[0]))).toEqual(lines.map((_, index) => index + 1));
      expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    }
  });
});

it("a reader that gives up ends the connection, and nothing hangs", async () => {
  await on(async (client) => {
    for await (const _part of copyOut(client, "copy lines to stdout")) break;
    await expect(client.query("select 1")).rejects.toThrow();
  });
});

it("a statement that fails, and a source that does, are told as what they were", async () => {
  await on(async (client) => {
    await expect(readAll(copyOut(client, "copy nothing to stdout"), setImmediate)).rejects.toMatchObject({
      code: "42P01",
    });
    async function* broken() {
      yield Buffer.from("1\tone\n");
      throw new Error("the disk is gone");
    }
    await client.query("create temporary table into_here (n integer, line text)");
    await expect(copyIn(client, "copy into_here from stdin", broken())).rejects.toThrow("the disk is gone");
    async function* wrong() {
      for (let n = 0; n < 20_000; n++) yield Buffer.from(`not a number\t${"x".repeat(200)}\n`);
    }
    await expect(copyIn(client, "copy into_here from stdin", wrong())).rejects.toMatchObject({ code: "22P02" });
    async function* right() {
      for (let n = 0; n < 20_000; n++) yield Buffer.from(`${n}\t${"x".repeat(200)}\n`);
    }
    await copyIn(client, "copy into_here from stdin", right());
    expect((await client.query("select count(*)::integer as rows from into_here")).rows).toEqual([{ rows: 20_000 }]);
  });
});
