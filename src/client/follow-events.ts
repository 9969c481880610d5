/**
 * Follows a stream of events over any number of lost connections and restarts of the server: each event once, in order, with
 * none left out. It ends when the server says that it is over, and gives up when the server has not answered for a while.
 */
import { DocmillApiError } from "./api-error.ts";
import { backOffMs, pause } from "./pause.ts";
import { readEventStream, type ServerEvent } from "./read-event-stream.ts";

export interface FollowOptions {
  signal?: AbortSignal;
  after?: string | number;
  onSilence?: () => void;
  patienceMs?: number;
}

/** Asks for the events after an id; undefined if the stream is over and none came after. */
export type OpenStream = (after: string | undefined) => Promise<ReadableStream<Uint8Array> | undefined>;

const firstPauseMs = 250;
const defaultPatienceMs = 60_000;
/** The server gives a sign of life every 15 seconds. */
const silenceMs = 60_000;
/** What a server answers that is about to close, busy or behind a proxy that does not reach it. */
const passing = new Set([0, 408, 429, 502, 503, 504]);

export async function* followEvents(
  open: OpenStream,
  { signal, after, onSilence, patienceMs = defaultPatienceMs }: FollowOptions,
): AsyncGenerator<ServerEvent, void, void> {
  let position = after === undefined ? undefined : String(after);
  let silentSince: number | undefined;
  let vain = 0;
  for (;;) {
    signal?.throwIfAborted();
    let retryAfterMs = 0;
    try {
      const body = await open(position);
      silentSince = undefined;
      if (!body) return;
      for await (const event of readEventStream(body, { silenceMs })) {
        vain = 0;
        if (event.id !== "") position = event.id;
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // What the server explains (no such job) is final; anything else is a connection that broke, ours or its own.
      if (error instanceof DocmillApiError) {
        if (!passing.has(error.status)) throw error;
        retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000;
      }
      if (silentSince === undefined) {
        silentSince = performance.now();
        onSilence?.();
      } else if (performance.now() - silentSince > patienceMs) throw error;
    }
    await pause(Math.max(retryAfterMs, backOffMs(firstPauseMs, vain)), signal);
    vain++;
  }
}
