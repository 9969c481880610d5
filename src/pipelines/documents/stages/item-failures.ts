/** What failed items mean for the whole: when a loop had better stop, and when the job has failed. */
import { DocmillError, RetryableError, TerminalError } from "../../../errors.ts";
import type { ItemResults } from "../../../jobs/index.ts";

/** So many passing failures in a row mean that the other side is down: asking for every page would only take longer. */
const patience = 3;
/**
 * Parts that had to be stopped have each kept a thread for as long as a part may, while others waited. A document that
 * is full of them may take so many, and no more.
 */
const mostStopped = 10;
const stopCodes = new Set(["TIME_LIMIT", "MEMORY_LIMIT", "PARSER_CRASHED"]);

export interface FailureWatch {
  /**
   * Wraps the work on an item: after repeated passing failures, and after too many that had to be stopped, the items that
   * are left fail with the same, unasked.
   */
  guard<Item, Context, Output>(
    work: (item: Item, context: Context) => Promise<Output>,
  ): (item: Item, context: Context) => Promise<Output>;
  /**
   * Throws if the job cannot go on: something failed that may succeed later (a further attempt fills the holes, after as
   * long as the other side asked for), or nothing succeeded at all.
   */
  refuse(results: ItemResults<unknown>): void;
}

export function watchFailures(): FailureWatch {
  let inRow = 0;
  let last: DocmillError | undefined;
  let retryAfterMs: number | undefined;
  let stopped = 0;
  let hopeless: DocmillError | undefined;

  return {
    guard: (work) => async (item, context) => {
      if (hopeless) throw hopeless;
      if (last !== undefined && inRow >= patience) throw last;
      try {
        const output = await work(item, context);
        inRow = 0;
        return output;
      } catch (error) {
        const passing = error instanceof DocmillError && error.retryable;
        inRow = passing ? inRow + 1 : 0;
        if (passing) {
          last = error;
          retryAfterMs = Math.max(retryAfterMs ?? 0, error.retryAfterMs ?? 0);
        } else if (error instanceof DocmillError && stopCodes.has(error.code) && ++stopped >= mostStopped)
          hopeless = error;
        throw error;
      }
    },

    refuse({ outputs, failures }) {
      const errors = [...failures.values()];
      const passing = errors.find(({ error_type }) => error_type === "retryable");
      if (passing) {
        const all = outputs.size + failures.size;
        const message = all === 1 ? passing.error : `${failures.size} of ${all} parts failed: ${passing.error}`;
        throw new RetryableError(passing.code, message, { retryAfterMs });
      }
      const [first] = errors;
      if (first && outputs.size === 0) throw new TerminalError(first.code, first.error);
    },
  };
}
