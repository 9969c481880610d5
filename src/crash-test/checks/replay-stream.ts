/**
 * Reads a job's stream as a story: who holds the job, and what happened under which lease. Whatever a holder writes
 * after its lease has ended does not fit the story.
 */
import type { StreamEvent } from "../../events/read-events.ts";

export interface Story {
  /** The changes of state that the stream tells, in order, as `became` of the job's history has them. */
  states: string[];
  violations: string[];
}

/** What each event makes of the job; the others change no state. */
const becomes: Record<string, string> = {
  job_started: "running",
  job_completed: "completed",
  job_failed: "failed",
  job_cancelled: "cancelled",
  job_retrying: "pending",
  job_released: "pending",
  job_lost: "pending",
  job_retried: "pending",
};

export function replayStream(events: readonly Pick<StreamEvent, "number" | "type" | "data">[]): Story {
  const states: string[] = ["pending"];
  const violations: string[] = [];
  let holder = 0;
  let lastHolder = 0;
  let lost = 0;
  for (const { number, type, data } of events) {
    const lease = typeof data.lease === "number" ? data.lease : undefined;
    if (type === "job_started") {
      if (holder !== 0) violations.push(`event ${number} starts lease ${lease} while lease ${holder} holds the job`);
      if (lease !== lastHolder + 1) violations.push(`event ${number} starts lease ${lease} after lease ${lastHolder}`);
      holder = lastHolder = lease ?? 0;
    } else if (type === "job_failed" && lease === lost) {
      // Lost and failed in one: the pipeline says `fail`, or the attempts are used up.
      states.pop();
    } else if (lease !== undefined && lease !== holder) {
      violations.push(
        `event ${number} (${type}) is of lease ${lease}, while ${holder === 0 ? "nobody" : `lease ${holder}`} holds the job`,
      );
    } else if (type === "job_retried") {
      if (holder !== 0) violations.push(`event ${number} retries the job while lease ${holder} holds it`);
      // A lease that nobody gets: whoever held the job before has none any more.
      lastHolder++;
    }
    const became = becomes[type];
    lost = type === "job_lost" ? (lease ?? 0) : 0;
    if (became === undefined) continue;
    states.push(became);
    if (became !== "running") holder = 0;
  }
  return { states, violations };
}
