/** What the jobs of the crash test are told to do: how long, over how many pages, and where to fail. */
import { z } from "zod";
import { RetryableError, TerminalError } from "../errors.ts";

export const WorkInput = z.object({
  /** Which entry of the load the job came from. */
  entry: z.int(),
  /** How long one step takes. */
  paceMs: z.int(),
  pages: z.int(),
  failures: z.array(
    z.object({
      /** The stage, or the page. */
      at: z.string(),
      /** In which attempts, or tries of a page, it fails: 1 up to this one. */
      upTo: z.int(),
      how: z.enum(["retryable", "terminal"]),
    }),
  ),
  /** The lock key, or the paid call that several jobs share. */
  key: z.string(),
});
export type WorkInput = z.infer<typeof WorkInput>;

/** The codes of planned failures; a job that fails with any other has been failed by the engine. */
export const plannedCodes = ["CRASH_TEST_RETRYABLE", "CRASH_TEST_TERMINAL"] as const;

/** Fails if the load says that this place fails in this attempt. */
export function failAsPlanned({ failures }: WorkInput, at: string, attempt: number): void {
  const planned = failures.find((failure) => failure.at === at && attempt <= failure.upTo);
  if (!planned) return;
  const message = `Planned to fail at ${at} up to attempt ${planned.upTo}.`;
  if (planned.how === "retryable") throw new RetryableError(plannedCodes[0], message);
  throw new TerminalError(plannedCodes[1], message);
}
