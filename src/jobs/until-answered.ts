/** For what the engine itself asks the database while a job runs: an outage, or a full disk, costs the job time, never an attempt. */
import type { Clock } from "../db/clock.ts";
import { isConnectionError, isDiskFull } from "../db/database.ts";

const againMs = 200;

/** Asks until the database answers. Tries that were cut off may have landed, and may still land: only for what may. */
export async function untilAnswered<T>(clock: Clock, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isConnectionError(error) && !isDiskFull(error)) throw error;
      await clock.wait(againMs);
    }
  }
}
