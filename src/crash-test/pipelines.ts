/**
 * The pipelines of the crash test: between them they use everything the engine offers. What a stage writes in its
 * commit goes into crash.effects, a table that would keep a double or a late write visible for ever.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Queryable, Transaction } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { RetryableError } from "../errors.ts";
import { type AnyPipeline, type Pipeline, pipeline } from "../jobs/pipeline.ts";
import type { JobFacts } from "../jobs/stage-context.ts";
import { failAsPlanned, plannedCodes, WorkInput } from "./work-input.ts";

const fiveAtOnce = { name: "crash.five", max: 5 };
const retry = { attempts: 8, baseMs: 50, factor: 2, capMs: 1_000 };
const pageRetry = { attempts: 3, baseMs: 20, factor: 2 };

/** The stages whose commit writes an effect; in `pages` it is the items whose key begins with "c". */
export const committingStages: Record<string, readonly string[]> = {
  "crash.steps": ["write", "store"],
  "crash.pages": ["bind"],
  "crash.parent": ["split"],
  "crash.child": ["store"],
  "crash.sheet": ["store"],
  "crash.photo": ["store"],
  "crash.limited": ["store"],
  "crash.locked": ["write", "store"],
  "crash.paid": ["store"],
  "crash.fragile": ["store"],
  "crash.stubborn": ["first", "second"],
};

/** All of them. `outside` is a connection that no fence guards: what is written there has happened. */
export function crashPipelines(outside: Queryable): AnyPipeline[] {
  const steps = pipeline("crash.steps", { input: WorkInput, retry })
    .stage("read", async ({ input, job, signal }) => {
      await delay(input.paceMs, undefined, { signal });
      failAsPlanned(input, "read", job.attempt);
      return { read: job.lease };
    })
    .stage("write", async ({ input, job, signal, commit }) => {
      await delay(input.paceMs, undefined, { signal });
      return commit((tx) => writeEffect(tx, job, "write"));
    })
    .stage("tell", async ({ input, job, signal, progress, emit }) => {
      for (let step = 1; step <= 5; step++) {
        await progress({ total: 5, completed: step, message: `step ${step}` });
        await delay(input.paceMs / 5, undefined, { signal });
      }
      await emit("crash_told", { lease: job.lease });
      failAsPlanned(input, "tell", job.attempt);
    })
    .stage("store", async ({ input, job, commit }) => {
      failAsPlanned(input, "store", job.attempt);
      return commit((tx) => writeEffect(tx, job, "store"));
    });

  const pages = pipeline("crash.pages", { input: WorkInput, retry })
    .stage("pages", async ({ input, job, items }) => {
      const tries = new Map<string, number>();
      const keys = Array.from({ length: input.pages }, (_, index) => `${index % 2 ? "p" : "c"}${index + 1}`);
      const options = { key: (key: string) => key, concurrency: 3, retry: pageRetry };
      const { outputs, failures } = await items(keys, options, async (key, { signal, commit }) => {
        const attempt = (tries.get(key) ?? 0) + 1;
        tries.set(key, attempt);
        await delay(input.paceMs, undefined, { signal });
        failAsPlanned(input, key, attempt);
        return key.startsWith("c") ? commit((tx) => writeEffect(tx, job, "pages", key)) : { lease: job.lease };
      });
      return { done: outputs.size, failed: failures.size };
    })
    .stage("bind", async ({ input, job, commit }) => {
      failAsPlanned(input, "bind", job.attempt);
      return commit((tx) => writeEffect(tx, job, "bind"));
    });

  const child = pipeline("crash.child", { input: WorkInput, retry }).stage("store", async ({ input, job, commit }) => {
    await delay(input.paceMs);
    return commit((tx) => writeEffect(tx, job, "store"));
  });

  const parent = pipeline("crash.parent", { input: WorkInput, retry })
    .stage("split", async ({ input, job, commit, enqueue }) => {
      await delay(input.paceMs);
      for (let part = 1; part <= input.pages; part++) enqueue(child.job({ ...input, key: `part ${part}` }));
      return commit((tx) => writeEffect(tx, job, "split"));
    })
    .stage("wait", async ({ input }) => {
      await delay(input.paceMs);
    })
    .after(({ input }) => [child.job({ ...input, key: "after" })]);

  const summary = pipeline("crash.summary", { input: WorkInput, retry }).stage("sum", async ({ input }) => {
    await delay(input.paceMs);
  });

  const sheet = pipeline("crash.sheet", { input: WorkInput, retry, perBatch: 3 })
    .stage("read", async ({ input, job, signal, progress }) => {
      await progress({ message: `reading ${job.sequence}` });
      await delay(input.paceMs, undefined, { signal });
      failAsPlanned(input, "read", job.attempt);
    })
    .stage("store", async ({ job, commit }) => commit((tx) => writeEffect(tx, job, "store")))
    .afterBatch(({ id }) => [summary.job({ entry: 0, paceMs: 1, pages: 0, failures: [], key: id })]);

  const photo = pipeline("crash.photo", { input: WorkInput, retry, perBatch: 2, limit: fiveAtOnce, whenLost: "fail" })
    .stage("read", async ({ input, job, signal }) => {
      await delay(input.paceMs, undefined, { signal });
      failAsPlanned(input, "read", job.attempt);
      return { lease: job.lease };
    })
    .stage("store", async ({ job, commit }) => commit((tx) => writeEffect(tx, job, "store")));

  const limited = pipeline("crash.limited", { input: WorkInput, retry, limit: fiveAtOnce }).stage(
    "store",
    async ({ input, job, signal, commit }) => {
      await delay(input.paceMs, undefined, { signal });
      failAsPlanned(input, "store", job.attempt);
      return commit((tx) => writeEffect(tx, job, "store"));
    },
  );

  const locked = pipeline("crash.locked", { input: WorkInput, retry, lockKey: ({ key }) => key })
    .stage("write", async ({ input, job, commit }) => {
      await delay(input.paceMs);
      return commit((tx) => writeEffect(tx, job, "write"));
    })
    .stage("store", async ({ input, job, commit }) => {
      await delay(input.paceMs);
      return commit((tx) => writeEffect(tx, job, "store"));
    });

  const paid = pipeline("crash.paid", { input: WorkInput, retry })
    .stage("ask", async ({ input, remember }) =>
      remember({
        provider: "crash-test",
        model: "count",
        input: input.key,
        call: async (signal) => ({ answer: { number: await countedCall(outside, input, signal) }, tokensIn: 1 }),
      }),
    )
    .stage("store", async ({ job, commit }) => commit((tx) => writeEffect(tx, job, "store")));

  const fragile = pipeline("crash.fragile", { input: WorkInput, retry, whenLost: "fail" })
    .stage("read", async ({ input, signal }) => {
      await delay(4 * input.paceMs, undefined, { signal });
    })
    .stage("store", async ({ job, commit }) => commit((tx) => writeEffect(tx, job, "store")));

  // Minds no signal: what keeps it from writing after its lease is lost is the fence alone.
  const stubborn = pipeline("crash.stubborn", { input: WorkInput, retry })
    .stage("first", async ({ input, job, progress, commit }) => {
      await report(input, progress);
      return commit((tx) => writeEffect(tx, job, "first"));
    })
    .stage("second", async ({ input, job, progress, commit }) => {
      await report(input, progress);
      return commit((tx) => writeEffect(tx, job, "second"));
    });

  return [steps, pages, parent, child, sheet, photo, summary, limited, locked, paid, fragile, stubborn].map(
    (one) => one as unknown as Pipeline<unknown, object>,
  );
}

async function report(
  { paceMs, pages }: WorkInput,
  progress: (change: { total: number; completed: number }) => Promise<void>,
): Promise<void> {
  for (let page = 1; page <= pages; page++) {
    await delay(paceMs);
    await progress({ total: 2 * pages, completed: page });
  }
}

async function writeEffect(
  tx: Transaction,
  { id, lease }: JobFacts,
  stage: string,
  item = "",
): Promise<{ lease: number }> {
  await tx.query(sql`
    insert into crash.effects (job_id, lease, stage, item, pid) values (${id}, ${lease}, ${stage}, ${item}, ${process.pid})`);
  return { lease };
}

/** A call that someone would have to pay for: it is counted when it begins, whatever becomes of it. */
async function countedCall(outside: Queryable, { key, paceMs }: WorkInput, signal: AbortSignal): Promise<number> {
  const [call] = await outside
    .query<{ number: number }>(sql`insert into crash.calls (key, pid) values (${key}, ${process.pid}) returning number`)
    .catch((cause: Error) => {
      // Its line is cut like all others; that is a failure of the one who is paid, not of the engine.
      throw new RetryableError(plannedCodes[0], `The paid call got no answer: ${cause.message}`, { cause });
    });
  await delay(4 * paceMs, undefined, { signal });
  return call?.number ?? 0;
}
