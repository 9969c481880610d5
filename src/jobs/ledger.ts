/**
 * The spend ledger: a paid call is made once, for anyone, ever. Its answer is stored before it is used; a retry, a
 * resume or another document with the same page finds it there. Two who want the same answer at the same time make one
 * call between them, also across processes.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../db/clock.ts";
import type { Database } from "../db/database.ts";
import { nothing, sql, toJson } from "../db/sql.ts";
import { requireStorable } from "../db/storable.ts";
import type { CallSlots } from "./call-slots.ts";
import { toDocmillError } from "./errors.ts";
import type { EngineObserver } from "./happenings.ts";
import { untilAnswered } from "./until-answered.ts";

/** What the other side answered and what it cost. */
export interface PaidAnswer<Answer> {
  /** JSON: it is stored and given back as it was. */
  answer: Answer;
  tokensIn?: number;
  tokensOut?: number;
  /** In millionths of the currency the provider bills in. */
  costMicros?: number;
}

export interface PaidCall<Answer> {
  provider: string;
  model: string;
  /** All that decides the answer besides the input: prompt version, temperature, schema. */
  parameters?: unknown;
  /** JSON, or bytes (which count by their hash). */
  input: unknown;
  call: (signal: AbortSignal) => Promise<PaidAnswer<Answer>>;
}

export interface Ledger {
  /** `jobId`: whose spending it is; none where a person asks for themselves. */
  remember<Answer>(jobId: string | null, call: PaidCall<Answer>, signal: AbortSignal): Promise<Answer>;
}

export interface LedgerOptions {
  db: Database;
  clock: Clock;
  /** The worker that makes the calls: others may take a call over once its lease is gone. */
  workerId: () => string;
  /** Calls wait here for their turn; left out, they do not. */
  slots?: CallSlots;
  observe?: EngineObserver;
}

const firstWaitMs = 50;
const longestWaitMs = 1_000;

export function openLedger({ db, clock, workerId, slots, observe }: LedgerOptions): Ledger {
  const underWay = new Map<string, { answer: Promise<unknown>; signal: AbortSignal }>();

  return {
    async remember<Answer>(jobId: string | null, call: PaidCall<Answer>, signal: AbortSignal) {
      const key = ledgerKey(call);
      for (let mine = underWay.get(key); mine !== undefined; mine = underWay.get(key)) {
        try {
          const answer = await mine.answer;
          await countHit(jobId, key, call);
          return answer as Answer;
        } catch (error) {
          // The one who made the call was cancelled; that is nothing to us. Its own failure is ours too.
          if (!mine.signal.aborted) throw error;
          signal.throwIfAborted();
        }
      }
      const answer = obtain(jobId, key, call, signal).finally(() => underWay.delete(key));
      underWay.set(key, { answer, signal });
      return answer;
    },
  };

  async function obtain<Answer>(
    jobId: string | null,
    key: string,
    call: PaidCall<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      signal.throwIfAborted();
      // Also if the job is cancelled meanwhile: only an answer tells whether there is a right to give back.
      const [mine] = await untilAnswered(clock, () => reserve(jobId, key, call));
      if (mine) return pay(jobId, key, call, signal, mine.paid + 1);
      const [found] = await untilAnswered(clock, () => useAnswer<Answer>(jobId, key));
      if (found) {
        observe?.({ type: "remembered", jobId, provider: call.provider, model: call.model });
        return found.answer;
      }
      await clock.wait(waitMs, signal);
    }
  }

  /** Takes the right to make the call, also from a caller that is gone; with it, how often this job has paid before. */
  function reserve(
    jobId: string | null,
    key: string,
    { provider, model }: PaidCall<unknown>,
  ): Promise<{ paid: number }[]> {
    const me = workerId();
    return db.query<{ paid: number }>(sql`
      insert into ledger as l (key, provider, model, caller) values (${key}, ${provider}, ${model}, ${me}::uuid)
      on conflict (key) do update set caller = excluded.caller
      where l.answered_at is null and (l.caller = excluded.caller or not exists (
        select from workers w where w.id = l.caller and w.lost_at is null and w.lease_expires_at > ${clock.now()}))
      returning coalesce((select u.paid from ledger_uses u where u.job_id = ${jobId}::uuid and u.key = ${key}), 0) as paid`);
  }

  async function pay<Answer>(
    jobId: string | null,
    key: string,
    call: PaidCall<Answer>,
    signal: AbortSignal,
    timesPaid: number,
  ): Promise<Answer> {
    let paid: PaidAnswer<Answer>;
    const { provider, model } = call;
    let startedAt: number | undefined;
    const callMs = () => performance.now() - (startedAt ?? performance.now());
    const begin = () => {
      startedAt = performance.now();
      return call.call(signal);
    };
    try {
      signal.throwIfAborted();
      paid = await (slots ? slots.during(workerId, begin, signal) : begin());
      requireStorable(paid.answer, `The answer of ${provider}`);
      const { tokensIn, tokensOut, costMicros } = paid;
      observe?.({ type: "paid", jobId, provider, model, callMs: callMs(), tokensIn, tokensOut, costMicros });
    } catch (error) {
      if (startedAt !== undefined) {
        observe?.({ type: "unpaid", jobId, provider, model, callMs: callMs(), code: toDocmillError(error).code });
      }
      // A right that nobody uses would keep everyone else waiting for as long as this worker lives.
      await untilAnswered(clock, () =>
        db.query(sql`delete from ledger where key = ${key} and answered_at is null and caller = ${workerId()}::uuid`),
      );
      throw error;
    }
    // Paid is paid: the answer is stored even if the job has been cancelled or lost meanwhile, and however long the
    // database takes to come back.
    await untilAnswered(clock, () => store(jobId, key, call, paid, timesPaid));
    return paid.answer;
  }

  /**
   * The answer and its cost, together. The count is absolute, because the statement may land more than once; and a call
   * that someone else has taken over and answered meanwhile was paid too.
   */
  async function store(
    jobId: string | null,
    key: string,
    { provider, model }: PaidCall<unknown>,
    paid: PaidAnswer<unknown>,
    timesPaid: number,
  ): Promise<void> {
    await db.query(sql`
      with stored as (
        insert into ledger as l (key, provider, model, caller, answer, tokens_in, tokens_out, cost_micros, answered_at)
        values (${key}, ${provider}, ${model}, ${workerId()}::uuid, ${toJson(paid.answer) ?? "null"}::jsonb,
          ${paid.tokensIn}, ${paid.tokensOut}, ${paid.costMicros}, now())
        on conflict (key) do update set answer = excluded.answer, tokens_in = excluded.tokens_in,
          tokens_out = excluded.tokens_out, cost_micros = excluded.cost_micros, answered_at = excluded.answered_at
        where l.answered_at is null)
      insert into ledger_uses as u (job_id, key, paid)
      select ${jobId}::uuid, ${key}, ${timesPaid} where ${jobId !== null}
      on conflict (job_id, key) do update set paid = greatest(u.paid, excluded.paid)`);
  }

  /** The answer, and that the job uses it, together: from then on it is kept for as long as the job is. */
  function useAnswer<Answer>(jobId: string | null, key: string): Promise<{ answer: Answer }[]> {
    const lock = jobId === null ? nothing : sql`for key share`;
    return db.query<{ answer: Answer }>(sql`
      with found as materialized (
        select key, answer from ledger where key = ${key} and answered_at is not null ${lock}),
      used as (
        insert into ledger_uses as u (job_id, key, hits)
        select ${jobId}::uuid, key, 1 from found where ${jobId !== null}
        on conflict (job_id, key) do update set hits = u.hits + 1)
      select answer from found`);
  }

  /** Of an answer that this process has at hand. */
  async function countHit(jobId: string | null, key: string, { provider, model }: PaidCall<unknown>): Promise<void> {
    observe?.({ type: "remembered", jobId, provider, model });
    if (jobId === null) return;
    await untilAnswered(clock, () =>
      db.query(sql`
        with found as materialized (select key from ledger where key = ${key} for key share)
        insert into ledger_uses as u (job_id, key, hits) select ${jobId}::uuid, key, 1 from found
        on conflict (job_id, key) do update set hits = u.hits + 1`),
    );
  }
}

/** The same call gives the same key, whatever the order of its fields. */
export function ledgerKey({ provider, model, parameters, input }: Omit<PaidCall<unknown>, "call">): string {
  return createHash("sha256")
    .update(canonicalJson([provider, model, parameters ?? null, input]))
    .digest("hex");
}

function canonicalJson(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes:${createHash("sha256").update(value).digest("hex")}`;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
