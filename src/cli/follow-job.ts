/**
 * Follows the events of a job over any number of lost connections and restarts of the server, each event once and in
 * order. Gives up when the server has not answered for a while.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DocmillError } from "../errors.ts";
import { readEventStream } from "./read-event-stream.ts";
import type { ServerClient } from "./server-client.ts";

export interface JobEvent {
  number: number;
  type: string;
  data: Record<string, unknown>;
}

export interface FollowOptions {
  server: ServerClient;
  jobId: string;
  /** The number of the last event that is known already. */
  after: number;
  signal: AbortSignal;
  /** Told when the server stops answering, once each time. */
  onSilence: () => void;
}

const passing = new Set(["SERVER_UNREACHABLE", "DATABASE_UNAVAILABLE"]);
const reconnectMs = 500;
const patienceMs = 60_000;

export async function* followJob(options: FollowOptions): AsyncGenerator<JobEvent, void, void> {
  const { server, jobId, signal, onSilence } = options;
  let position = options.after;
  let silentSince: number | undefined;
  while (!signal.aborted) {
    try {
      const body = await server.openStream(jobId, position, signal);
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
