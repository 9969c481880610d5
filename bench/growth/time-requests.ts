/** How long some requests take, one after the other. */
import { now } from "../harness/clock.ts";

/** Milliseconds of each. */
export async function timeRequests(count: number, request: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = [];
  for (let asked = 0; asked < count; asked++) {
    const startedAt = now();
    await request();
    waits.push(now() - startedAt);
  }
  return waits;
}
