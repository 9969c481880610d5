/** Nothing is paid for twice: no call is made whose answer has been stored, and none without having been reserved. */
import { sql } from "../../db/sql.ts";
import { ledgerKey } from "../../jobs/ledger.ts";
import { type Check, find } from "./evidence.ts";

export const checkPayments: Check = async ({ db }) => {
  const calls = await db.query<{ key: string; count: number }>(
    sql`select key, count(*) as count from crash.calls group by key`,
  );
  const known = calls.map(({ key, count }) => ({
    input: key,
    count,
    key: ledgerKey({ provider: "crash-test", model: "count", input: key }),
  }));
  const called = sql`(select * from unnest(${known.map(({ key }) => key)}::text[], ${known.map(({ input }) => input)}::text[],
    ${known.map(({ count }) => count)}::integer[]) as c (key, input, calls)) c`;
  return [
    {
      promise: "no call is paid for again once its answer is stored",
      violations: await find(
        db,
        sql`select format('call %s: %s at %s, after its answer had been stored', h.key, h.change, h.at) as what
          from crash.ledger_history h
          where exists (select from crash.ledger_history a where a.key = h.key and a.change = 'answered' and a.number < h.number)
          union all
          select format('"%s" was called %s times and reserved %s times', c.input, c.calls, r.reserved)
          from ${called} join lateral (
            select count(*) as reserved from crash.ledger_history h where h.key = c.key and h.change = 'reserved') r on true
          where c.calls > r.reserved`,
      ),
    },
    {
      promise: "payments are counted where they were made",
      violations: await find(
        db,
        sql`select format('"%s": %s payments are counted, %s calls were made', c.input, u.paid, c.calls) as what
          from ${called} join (select key, sum(paid) as paid from ledger_uses group by key) u using (key)
          where u.paid > c.calls`,
      ),
    },
  ];
};
