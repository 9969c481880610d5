/** For the crash test's own connections, which its attacks hit as well. */
import { setTimeout as delay } from "node:timers/promises";
import { isConnectionError } from "../db/database.ts";

const againMs = 100;

/** Does it again until the database has answered. Only for what may be done twice. */
export async function untilReached<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      await delay(againMs);
    }
  }
}
