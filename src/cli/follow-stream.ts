/**
 * Follows a stream of numbered events over any number of lost connections and restarts of the server, each event once and
 * in order. Gives up when the server has not answered for a while.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DocmillError } from "../errors.ts";
import { readEventStream } from "./read-event-stream.ts";

export interface FollowedEvent {
  number: number;
  type: string;
  data: Record<string, unknown>;
}

export interface FollowOptions {
  /** The number of the last event that is known already. */
  after: number;
  signal: AbortSignal;
  /** Told when the server stops answering, once each time. */
  onSilence: () => void;
}

/** Asks for the events after a number; undefined if the stream is over and none came after. */
export type OpenStream = (after: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | undefined>;

const passing = new Set(["SERVER_UNREACHABLE", "DATABASE_UNAVAILABLE"]);
const reconnectMs = 500;
const patienceMs = 60_000;

export async function* followStream(
  open: OpenStream,
  { after, signal, onSilence }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, void> {
  let position = after;
  let silentSince: number | undefined;
  while (!signal.aborted) {
    try {
      const body = await open(position, signal);
      silentSince = undefined;
      if (!body) return;
      for await (const { id, type, data } of readEventStream(body)) {
        position = Number(id);
        yield { number: position, type, data: JSON.parse(data) };
      }
    } catch (error) {
      if (signal.aborted) return;
      // An error the server explains (no such job) is final; anything else is a connection that broke, ours or its own.
      if (error instanceof DocmillError && !passing.has(error.code)) throw error;
      if (silentSince === undefined) {
        silentSince = performance.now();
        onSilence();
      } else if (performance.now() - silentSince > patienceMs) throw error;
    }
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
  }
}
