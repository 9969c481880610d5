/**
 * A blob's bytes on their way to the reader: ended with the signal's reason when it aborts, with a typed error when the
 * store fails, and with STORAGE_UNAVAILABLE when the store stops sending while the reader waits.
 */
import { Readable } from "node:stream";
import { RetryableError } from "../errors.ts";

export interface GuardReadOptions {
  signal: AbortSignal | undefined;
  translate: (error: unknown) => Error;
  /** How long the reader waits for the next bytes; a reader that takes its time is not counted. */
  idleMs?: number;
}

export function guardRead(source: Readable, { signal, translate, idleMs = 60_000 }: GuardReadOptions): Readable {
  let timer: NodeJS.Timeout | undefined;
  const stalled = () =>
    guarded.destroy(new RetryableError("STORAGE_UNAVAILABLE", "The storage stopped sending in the middle of a blob."));
  const abort = () => guarded.destroy(toError(signal?.reason));
  const guarded = new Readable({
    read() {
      timer ??= setTimeout(stalled, idleMs);
      source.resume();
    },
    destroy(error, done) {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      source.destroy();
      done(error);
    },
  });
  source.pause();
  source.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    timer = undefined;
    if (guarded.push(chunk)) timer = setTimeout(stalled, idleMs);
    else source.pause();
  });
  source.on("end", () => {
    clearTimeout(timer);
    guarded.push(null);
  });
  source.on("error", (error) => guarded.destroy(translate(error)));
  source.on("close", () => {
    // A source that closes without an end or an error was cut off.
    if (!source.readableEnded && !guarded.destroyed) {
      guarded.destroy(translate(source.errored ?? new Error("the blob ended too early")));
    }
  });
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return guarded;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The read was aborted.", { cause: reason });
}
