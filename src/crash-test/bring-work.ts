/** Brings the planned work in, and remembers what the engine has accepted: of that nothing may be lost. */
import { isConnectionError } from "../db/database.ts";
import { DocmillError } from "../errors.ts";
import type { Engine } from "../jobs/engine.ts";
import type { NewJob } from "../jobs/pipeline.ts";
import type { LoadEntry, PersonAction, PlannedJob } from "./plan.ts";
import { untilReached } from "./until-reached.ts";

export interface Accepted {
  jobIds: string[];
  batchId: string | undefined;
}

export interface WorkBringer {
  bring(entry: LoadEntry): Promise<void>;
  /** By the entry's number. */
  readonly accepted: ReadonlyMap<number, Accepted>;
  /** Jobs that were refused because another holds their lock key. */
  readonly refused: number;
  readonly violations: readonly string[];
}

export function createWorkBringer(engine: Engine): WorkBringer {
  const accepted = new Map<number, Accepted>();
  const violations: string[] = [];
  let refused = 0;
  return {
    accepted,
    violations,
    get refused() {
      return refused;
    },
    async bring(entry) {
      try {
        accepted.set(entry.number, await bringEntry(entry));
      } catch (error) {
        if (error instanceof DocmillError && error.code === "LOCK_HELD") refused++;
        else violations.push(`entry ${entry.number} (${entry.type}) was not taken: ${(error as Error).stack}`);
      }
    },
  };

  async function bringEntry(entry: LoadEntry): Promise<Accepted> {
    switch (entry.type) {
      case "job": {
        // Nobody knows whether a job is in when the answer was lost: it is brought again and may then be there twice.
        const { id } = await untilReached(() => engine.enqueue(toNewJob(entry.job)));
        return { jobIds: [id], batchId: undefined };
      }
      case "keyed": {
        const options = { idempotencyKey: entry.key };
        const answers = await Promise.all(
          Array.from({ length: entry.callers }, () => untilReached(() => engine.enqueue(toNewJob(entry.job), options))),
        );
        const ids = [...new Set(answers.map(({ id }) => id))];
        if (ids.length > 1)
          violations.push(`idempotency key "${entry.key}" led to ${ids.length} jobs: ${ids.join(", ")}`);
        const made = answers.filter(({ created }) => created).length;
        if (made > 1) violations.push(`idempotency key "${entry.key}" was answered as created ${made} times`);
        return { jobIds: ids, batchId: undefined };
      }
      case "batch": {
        const batch = {
          pipeline: engine.registry.get("crash.sheet"),
          jobs: entry.jobs.map(toNewJob),
          data: { entry: entry.number },
          priority: entry.priority,
        };
        const options = entry.key === null ? {} : { idempotencyKey: entry.key };
        const { id, jobIds } = await untilReached(() => engine.createBatch(batch, options));
        return { jobIds, batchId: id };
      }
    }
  }

  function toNewJob({ kind, input, priority }: PlannedJob): NewJob {
    return engine.registry.get(kind).job(input, { priority });
  }
}

/** Does to the work what people do: cancel it, start it again. Answers whether the state of the work allowed any of it. */
export async function actOnWork(
  engine: Engine,
  { jobIds, batchId }: Accepted,
  action: PersonAction,
  choice: number,
): Promise<boolean> {
  const jobId = jobIds[choice % jobIds.length] as string;
  const wholeBatch = choice % 3 > 0 ? batchId : undefined;
  const cancel = () => (wholeBatch ? engine.cancelBatch(wholeBatch) : engine.cancelJob(jobId));
  const retry = () => (wholeBatch ? engine.retryBatch(wholeBatch) : engine.retryJob(jobId));
  switch (action) {
    case "cancel":
      return allowed(cancel());
    case "retry":
      return allowed(retry());
    case "cancel-retry":
      return (await allowed(cancel())) && (await allowed(retry()));
    case "race": {
      const done = await Promise.all(
        [cancel(), engine.retryJob(jobId), retry(), engine.cancelJob(jobId), cancel()].map(allowed),
      );
      return done.includes(true);
    }
  }
}

async function allowed(acting: Promise<unknown>): Promise<boolean> {
  try {
    await acting;
    return true;
  } catch (error) {
    const expected = error instanceof DocmillError && ["INVALID_TRANSITION", "LOCK_HELD"].includes(error.code);
    if (expected || isConnectionError(error)) return false;
    throw error;
  }
}
