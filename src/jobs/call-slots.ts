/**
 * How many paid calls are under way at once, over all processes: each holds a row while it lasts. A row whose holder is no
 * living worker is free, so a process that dies in the middle of a call takes nothing with it.
 */
import type { Clock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { untilAnswered } from "./until-answered.ts";

export interface CallSlots {
  /** Makes the call when a slot is free. Who waits here waits in order. */
  during<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>;
}

export interface CallSlotsOptions {
  db: Database;
  clock: Clock;
  workerId: () => string;
  /** The same in every process that shares the limit. */
  max: number;
}

const firstWaitMs = 20;
const longestWaitMs = 500;

export function openCallSlots({ db, clock, workerId, max }: CallSlotsOptions): CallSlots {
  /** One of this process asks at a time: the others would only find what it does not. */
  let turn: Promise<unknown> = Promise.resolve();
  let made: Promise<unknown> | undefined;

  return {
    async during(call, signal) {
      const held = await inTurn(() => take(signal));
      try {
        return await call();
      } finally {
        await untilAnswered(clock, () =>
          db.query(sql`
            update call_slots set holder = null, taken_at = null where slot = ${held.slot} and holder = ${held.holder}`),
        );
      }
    },
  };

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function take(signal: AbortSignal): Promise<{ slot: number; holder: string }> {
    made ??= untilAnswered(clock, () =>
      db.query(sql`insert into call_slots (slot) select generate_series(1, ${max}::integer) on conflict do nothing`),
    );
    await made;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      signal.throwIfAborted();
      const holder = workerId();
      const [taken] = await untilAnswered(clock, () => takeFree(holder));
      if (taken) return { slot: taken.slot, holder };
      await clock.wait(waitMs, signal);
    }
  }

  function takeFree(holder: string): Promise<{ slot: number }[]> {
    return db.query<{ slot: number }>(sql`
      update call_slots set holder = ${holder}, taken_at = ${clock.now()}
      where slot = (
        select s.slot from call_slots s
        where s.slot <= ${max} and (s.holder is null or not exists (
          select from workers w where w.id = s.holder and w.lost_at is null and w.lease_expires_at > ${clock.now()}))
        order by s.slot limit 1 for update skip locked)
      returning slot`);
  }
}
