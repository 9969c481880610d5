/** Texts that many passages are copies of, broken into words once: a table of the bench's own beside the product's. */
import type { Database } from "../../src/db/database.ts";
import { type Sql, sql } from "../../src/db/sql.ts";
import { describeLibrary } from "../documents/made-up-passages.ts";

export interface TextStore {
  /** How many there are, numbered from 0. */
  texts: number;
  table: Sql;
  topicOf(text: number): number;
}

const texts = 20_000;
/** A short passage: what grows with their number grows all the same, and a million of them fit a disk. */
const wordsPerText = 100;
const rowsAtOnce = 1_000;

export async function storeTexts(db: Database): Promise<TextStore> {
  const { text, random, topics } = describeLibrary();
  const table = sql`bench_texts`;
  const topicOf = (number: number) => number % topics;
  await db.query(sql`
    create table ${table} (number integer primary key, content text not null, hash text not null, search tsvector not null)`);
  for (let from = 0; from < texts; from += rowsAtOnce) {
    const numbers = Array.from({ length: rowsAtOnce }, (_, place) => from + place);
    const contents = numbers.map((number) => text.write(random, topicOf(number), wordsPerText));
    await db.query(sql`
      insert into ${table}
      select r.number, r.content, md5(r.content), to_tsvector('english', r.content)
      from unnest(${numbers}::integer[], ${contents}::text[]) as r (number, content)`);
  }
  await db.query(sql`analyze ${table}`);
  return { texts, table, topicOf };
}
