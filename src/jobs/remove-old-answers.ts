/**
 * Retention of the ledger: removes answers that were paid for long ago and that no job refers to any more. As long as a
 * job is kept its spending can be told, and what it paid for is not paid for again.
 */
import { inPortions } from "../db/in-portions.ts";
import { sql } from "../db/sql.ts";
import { type RetentionOptions, type RetentionSource, readTimeAgo } from "./remove-old-jobs.ts";

const defaultPortion = 500;

interface OldAnswer {
  key: string;
  /** Microseconds since 1970: a Date would cut them off, and the next portion would begin with the same rows. */
  madeAt: number;
  isDue: boolean;
}

/** Answers how many were removed. */
export async function removeOldAnswers(
  { db, clock }: Omit<RetentionSource, "registry">,
  { keepMs, signal, dryRun = false, portion = defaultPortion }: RetentionOptions,
): Promise<number> {
  const madeBefore = await readTimeAgo({ db, clock }, keepMs);
  let after = { madeAt: 0, key: "" };
  return inPortions({ clock, signal }, async () => {
    const answers = await db.query<OldAnswer>(sql`
      select l.key, (extract(epoch from l.created_at) * 1000000)::bigint as made_at,
        coalesce(l.answered_at, l.created_at) < ${madeBefore}
          and not exists (select from ledger_uses u where u.key = l.key)
          -- One without an answer is a call under way, if whoever makes it is alive.
          and (l.answered_at is not null or not exists (
            select from workers w where w.id = l.caller and w.lost_at is null and w.lease_expires_at > ${clock.now()}
          )) as is_due
      from ledger l
      where (l.created_at, l.key) > (timestamptz 'epoch' + ${after.madeAt} * interval '1 microsecond', ${after.key})
        and l.created_at < ${madeBefore}
      order by l.created_at, l.key limit ${portion}`);
    after = answers.at(-1) ?? after;
    const due = answers.filter(({ isDue }) => isDue).map(({ key }) => key);
    const done = dryRun ? due.length : await remove(due);
    return { done, more: answers.length === portion };
  });

  /** Locked first, then looked at again: a job that found the answer a moment ago has put its use there by then. */
  async function remove(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    return db.transaction(async (tx) => {
      const locked = await tx.query<{ key: string }>(
        sql`select key from ledger where key = any (${keys}::text[]) order by key for update skip locked`,
      );
      const gone = await tx.query(sql`
        delete from ledger l where l.key = any (${locked.map(({ key }) => key)}::text[])
          and not exists (select from ledger_uses u where u.key = l.key) returning 1 as gone`);
      return gone.length;
    });
  }
}
