/** Slots for paid calls: how many there are at once, and whose are free again without having been given back. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { databaseClock } from "../../src/db/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { openCallSlots } from "../../src/jobs/call-slots.ts";
import { newId } from "../../src/jobs/new-id.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

/** As another process would have them. */
const openSlots = (max: number) => openCallSlots({ db: database.db, clock: databaseClock, max });
const { signal } = new AbortController();

/** A call that has begun and ends when it is told to. */
async function beginCall(slots = openSlots(1), holder = newId()) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const call = async () => {
    begun.resolve();
    await end.promise;
  };
  const done = slots.during(() => holder, call, signal);
  await begun.promise;
  return { holder, done, end: end.resolve };
}

const holders = async () =>
  (await database.db.query<{ holder: string | null }>(sql`select holder from call_slots order by slot`)).map(
    ({ holder }) => holder,
  );

it("are as many as there may be, over all processes, and are given back", async () => {
  const first = await beginCall(openSlots(2));
  const second = await beginCall(openSlots(2));
  let third = false;
  const waiting = openSlots(2).during(
    newId,
    async () => {
      third = true;
    },
    signal,
  );
  await until(async () => (await holders()).every((holder) => holder !== null));
  expect(third).toBe(false);
  first.end();
  await waiting;
  expect(third).toBe(true);
  second.end();
  await Promise.all([first.done, second.done]);
  expect(await holders()).toEqual([null, null]);
});

it("are given back by a call that failed, and not waited for by one that is no longer wanted", async () => {
  const failing = openSlots(1).during(newId, () => Promise.reject(new Error("refused")), signal);
  await expect(failing).rejects.toThrow("refused");
  const { end, done } = await beginCall();
  const unwanted = new AbortController();
  const waiting = openSlots(1).during(newId, async () => undefined, unwanted.signal);
  unwanted.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  end();
  await done;
});

it("of a worker that is lost are free at once", async () => {
  const { holder } = await beginCall();
  await database.db.query(sql`
    insert into workers (id, host, boot_id, pid_namespace, pid, process_started, version, kinds, slots, lease_expires_at, lost_at)
    values (${holder}, 'elsewhere', 'b', 'n', 1, 's', 'v', '{}', 1, now(), now())`);
  const { holder: heir, end, done } = await beginCall();
  expect(await holders()).toEqual([heir]);
  end();
  await done;
});

it("of a process without workers are its own until no call can have taken so long", async () => {
  const { holder } = await beginCall();
  const next = beginCall();
  expect(await holders()).toEqual([holder]);
  await database.db.query(sql`update call_slots set taken_at = now() - interval '61 minutes'`);
  const { holder: heir, end, done } = await next;
  expect(await holders()).toEqual([heir]);
  end();
  await done;
});
