/**
 * How deep the queue is, for whoever asks again and again. One count serves all who ask; its answer is kept for some
 * seconds, and for fifty times as long as it took: a million waiting jobs cost a fiftieth of a connection, not more.
 */

import { countQueue, type QueuedKind } from "./queries/count-queue.ts";
import type { JobSource } from "./rescue-before-reading.ts";

const keptMs = 5_000;
const keptFor = 50;

export function createQueueDepthReader({ db, clock, registry }: Pick<JobSource, "db" | "clock" | "registry">) {
  let latest: Promise<QueuedKind[]> | undefined;
  return (): Promise<QueuedKind[]> => {
    latest ??= read();
    return latest;
  };

  async function read(): Promise<QueuedKind[]> {
    const startedAt = performance.now();
    const forget = () => {
      latest = undefined;
    };
    try {
      const counted = await countQueue(db, clock);
      setTimeout(forget, Math.max(keptMs, keptFor * (performance.now() - startedAt))).unref();
      const known = new Set(counted.map(({ kind }) => kind));
      // A kind of which nothing waits is shown with nothing, so that a graph of it does not end.
      const idle = registry.pipelines.filter(({ kind }) => !known.has(kind));
      return [...counted, ...idle.map(({ kind }) => ({ kind, pending: 0, running: 0, oldestWaitMs: 0 }))];
    } catch (error) {
      forget();
      throw error;
    }
  }
}
