/**
 * Follows streams for any number of readers in this process. A hint makes it look at once, a poll makes it look anyway;
 * either way one statement serves all readers that are waiting, and the database is the only memory.
 *
 * A reader pulls: it gets a page, and nothing more is read for it until it asks again. A slow reader costs one page.
 */
import type { Database } from "../db/database.ts";
import type { Hints } from "../db/hints.ts";
import type { Logger } from "../logger.ts";
import { readEvents, type StreamEvent } from "./read-events.ts";
import { anyStream, streamTopic } from "./topics.ts";

export interface EventHub {
  /** Pages of events after `after`, for ever, until the signal aborts. */
  follow(streamId: string, after: number, signal: AbortSignal): AsyncGenerator<StreamEvent[], void, void>;
  /** How many readers are waiting for events. */
  readonly waiting: number;
  close(): void;
}

export interface EventHubOptions {
  db: Database;
  hints: Hints;
  logger: Logger;
  pollMs: number;
  pageSize?: number;
}

interface Reader {
  after: number;
  deliver: (events: StreamEvent[]) => void;
}

export function createEventHub({ db, hints, logger, pollMs, pageSize = 200 }: EventHubOptions): EventHub {
  /** Readers that have seen all they asked for so far, by stream. */
  const readers = new Map<string, Set<Reader>>();
  /** Streams that may have grown since they were last read. */
  const grown = new Set<string>();
  let scheduled: NodeJS.Immediate | undefined;
  let reading = false;
  let waiting = 0;
  let closed = false;

  const unsubscribe = hints.subscribe((topics) => {
    const all = topics === null || topics.has(anyStream);
    for (const streamId of readers.keys()) if (all || topics.has(streamTopic(streamId))) grown.add(streamId);
    schedule();
  });
  const poll = setInterval(() => {
    for (const streamId of readers.keys()) grown.add(streamId);
    schedule();
  }, pollMs);

  return {
    async *follow(streamId, after, signal) {
      for (let position = after; !signal.aborted; ) {
        const events = await next(streamId, position, signal);
        const last = events.at(-1);
        if (last === undefined) return;
        position = last.number;
        yield events;
      }
    },
    get waiting() {
      return waiting;
    },
    close() {
      closed = true;
      unsubscribe();
      clearInterval(poll);
      clearImmediate(scheduled);
      for (const set of readers.values()) for (const reader of set) reader.deliver([]);
    },
  };

  /** The next page, as soon as there is one; empty once the signal aborts. */
  function next(streamId: string, after: number, signal: AbortSignal): Promise<StreamEvent[]> {
    return new Promise((resolve) => {
      const set = readers.get(streamId) ?? new Set();
      readers.set(streamId, set);
      const finish = (events: StreamEvent[]) => {
        if (!set.delete(reader)) return;
        waiting--;
        if (set.size === 0 && readers.get(streamId) === set) readers.delete(streamId);
        signal.removeEventListener("abort", abort);
        resolve(events);
      };
      const abort = () => finish([]);
      const reader: Reader = { after, deliver: finish };
      set.add(reader);
      waiting++;
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted || closed) return abort();
      grown.add(streamId);
      schedule();
    });
  }

  function schedule(): void {
    if (reading || grown.size === 0) return;
    scheduled ??= setImmediate(() => {
      scheduled = undefined;
      void readGrown();
    });
  }

  async function readGrown(): Promise<void> {
    reading = true;
    const streams = [...grown].filter((streamId) => readers.has(streamId));
    grown.clear();
    try {
      if (streams.length > 0) await readStreams(streams);
    } catch (error) {
      // The next poll looks again.
      logger.warn({ err: error }, "reading events failed");
    } finally {
      reading = false;
      schedule();
    }
  }

  async function readStreams(streams: readonly string[]): Promise<void> {
    const positions = streams.map((streamId) => ({ streamId, after: earliest(readers.get(streamId)) }));
    const events = await readEvents(db, positions, pageSize);
    const byStream = Map.groupBy(events, ({ streamId }) => streamId);
    for (const { streamId, after } of positions) {
      const page = byStream.get(streamId) ?? [];
      const set = readers.get(streamId);
      if (!set || page.length === 0) continue;
      const lastNumber = page.at(-1)?.number ?? after;
      // A reader that joined meanwhile, from an earlier place than this page starts at, needs a read of its own; and so
      // does one that is further on than a full page reaches.
      for (const reader of [...set]) {
        if (reader.after < after || (reader.after >= lastNumber && page.length === pageSize)) grown.add(streamId);
        else if (reader.after < lastNumber) reader.deliver(page.filter(({ number }) => number > reader.after));
      }
    }
  }
}

function earliest(readers: ReadonlySet<Reader> | undefined): number {
  let lowest = Number.MAX_SAFE_INTEGER;
  for (const { after } of readers ?? []) lowest = Math.min(lowest, after);
  return readers?.size ? lowest : 0;
}
