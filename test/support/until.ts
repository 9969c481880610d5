/** Waits for something to become true by looking again and again; the test's own time limit is the only clock. */
import { setTimeout as delay } from "node:timers/promises";

/** The first result of `look` that is neither undefined, null nor false. */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, undefined | null | false>> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen as Exclude<T, undefined | null | false>;
    await delay(10);
  }
}
