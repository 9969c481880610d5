/**
 * A clock that a test holds in its hand. The time is a row in the test's database, so that every connection of every
 * engine on it agrees; waiting takes no time, moves the clock and is written down.
 */
import type { Clock } from "../../src/db/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";

export interface TestClock extends Clock {
  /** The milliseconds of every wait so far. */
  readonly waits: number[];
  read(): Promise<Date>;
  advance(ms: number): Promise<void>;
}

export async function createTestClock(db: Database, start = new Date("2040-01-01T00:00:00Z")): Promise<TestClock> {
  await db.query(sql`create table test_clock (at timestamptz not null)`);
  await db.query(sql`insert into test_clock (at) values (${start})`);
  const waits: number[] = [];
  const advance = async (ms: number) => {
    await db.query(sql`update test_clock set at = at + ${ms} * interval '1 ms'`);
  };
  return {
    now: () => sql`(select at from test_clock)`,
    async wait(ms) {
      waits.push(ms);
      await advance(ms);
    },
    waits,
    async read() {
      const [row] = await db.query<{ at: Date }>(sql`select at from test_clock`);
      return (row as { at: Date }).at;
    },
    advance,
  };
}
