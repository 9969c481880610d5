/**
 * How many paid calls are under way at once, over all processes: each holds a row while it lasts. What a process held that
 * dies in the middle of a call is free again: a worker's as soon as the worker is known to be lost, that of a process
 * without workers after the longest time a call may take.
 */
import type { Clock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { untilAnswered } from "./until-answered.ts";

export interface CallSlots {
  /** Makes the call when a slot is free, in the name of a worker or of any other id. Who waits here waits in order. */
  during<Answer>(holder: () => string, call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer>;
}

export interface CallSlotsOptions {
  db: Database;
  clock: Clock;
  /** The same in every process that shares the limit. */
  max: number;
}

const firstWaitMs = 20;
const longestWaitMs = 500;
const longestCall = "1 hour";

export function openCallSlots({ db, clock, max }: CallSlotsOptions): CallSlots {
  /** One of this process asks at a time: the others would only find what it does not. */
  let turn: Promise<unknown> = Promise.resolve();
  let made: Promise<unknown> | undefined;

  return {
    async during(holderNow, call, signal) {
      const { slot, holder } = await inTurn(() => take(holderNow, signal));
      try {
        return await call();
      } finally {
        await untilAnswered(clock, () =>
          db.query(
            sql`update call_slots set holder = null, taken_at = null where slot = ${slot} and holder = ${holder}`,
          ),
        );
      }
    },
  };

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function take(holderNow: () => string, signal: AbortSignal): Promise<{ slot: number; holder: string }> {
    made ??= untilAnswered(clock, () =>
      db.query(sql`insert into call_slots (slot) select generate_series(1, ${max}::integer) on conflict do nothing`),
    );
    await made;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      signal.throwIfAborted();
      const holder = holderNow();
      const [taken] = await untilAnswered(clock, () => takeFree(holder));
      if (taken) return { slot: taken.slot, holder };
      await clock.wait(waitMs, signal);
    }
  }

  function takeFree(holder: string): Promise<{ slot: number }[]> {
    return db.query<{ slot: number }>(sql`
      update call_slots set holder = ${holder}, taken_at = ${clock.now()}
      where slot = (
        select s.slot from call_slots s left join workers w on w.id = s.holder
        where s.slot <= ${max} and (s.holder is null
          or w.lost_at is not null or w.lease_expires_at <= ${clock.now()}
          or (w.id is null and s.taken_at < ${clock.now()} - ${longestCall}::interval))
        order by s.slot limit 1 for update of s skip locked)
      returning slot`);
  }
}
