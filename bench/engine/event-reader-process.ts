/** A process full of readers: each follows one job's stream to its end and notes what came, and how late. */
import { openDatabase } from "../../src/db/database.ts";
import { openHints } from "../../src/db/hints.ts";
import { createEventHub } from "../../src/events/event-hub.ts";
import { silentLogger as logger } from "../../test/support/silent-logger.ts";
import { offer } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import { quantile } from "../harness/result.ts";
import { lastEvent, tick } from "./ticker.ts";

export interface Reading {
  url: string;
  streams: readonly string[];
  readersPerStream: number;
  /** How many ticks each stream will have. */
  ticks: number;
  /** After this, what has not come counts as missed. */
  patienceMs: number;
}

export interface Delivered {
  p50Ms: number;
  p99Ms: number;
  /** Ticks that did not come, or came twice or out of order, over all readers. */
  missed: number;
}

/** Ms from emit to delivery, of every tick at every reader. */
const delays: number[] = [];
let reading: Promise<Delivered> | undefined;

const api = {
  async startReaders(options: Reading): Promise<void> {
    reading = read(options);
  },
  async finish(): Promise<Delivered> {
    if (!reading) throw new Error("no readers were started");
    return reading;
  },
};

async function read({ url, streams, readersPerStream, ticks, patienceMs }: Reading): Promise<Delivered> {
  const db = openDatabase({ url, logger });
  const hints = openHints({ db, listenUrl: url, logger });
  const hub = createEventHub({ db, hints, logger, pollMs: 2_000 });
  const signal = AbortSignal.timeout(patienceMs);

  /** Answers how many ticks came in order, once each. */
  async function follow(streamId: string): Promise<number> {
    let last = 0;
    let seen = 0;
    for await (const events of hub.follow(streamId, 0, signal)) {
      const at = now();
      for (const { number, type, data } of events) {
        if (number !== last + 1) return seen;
        last = number;
        if (type === lastEvent) return seen;
        if (type !== tick) continue;
        seen++;
        delays.push(at - (data.sentAt as number));
      }
    }
    return seen;
  }

  const readers = streams.flatMap((streamId) => Array.from({ length: readersPerStream }, () => follow(streamId)));
  const seen = await Promise.all(readers);
  hub.close();
  await hints.close();
  await db.close();
  const missed = seen.reduce((sum, count) => sum + ticks - count, 0);
  return { p50Ms: quantile(delays, 0.5), p99Ms: quantile(delays, 0.99), missed };
}

export type EventReaderApi = typeof api;

offer(api);
