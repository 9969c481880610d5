/**
 * The source of a put, seen from the store: counted, ended at once when the signal aborts (even while the source hangs),
 * and remembering whether it was the source that failed, so that its error reaches the caller as it was thrown.
 */
export interface Intake {
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** How many bytes have come so far. */
  size(): number;
  /** The error to throw, if it was not the store that failed. */
  failure(): { error: unknown } | undefined;
}

export function openIntake(source: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Intake {
  let size = 0;
  let failure: { error: unknown } | undefined;

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    const iterator = source[Symbol.asyncIterator]();
    let ended = false;
    try {
      for (;;) {
        const next = await untilAborted(iterator.next(), signal);
        if (next.done) {
          ended = true;
          return;
        }
        size += next.value.byteLength;
        if (next.value.byteLength > 0) yield next.value;
      }
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      // Not awaited: a source that hangs would hold the caller. What it says while it ends is of no use to anyone.
      if (!ended) iterator.return?.().catch(() => undefined);
    }
  }

  return { chunks: read(), size: () => size, failure: () => failure };
}

/** What the promise gives, or the signal's reason as soon as it aborts. */
function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => {
      promise.catch(() => undefined);
      reject(signal.reason);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
