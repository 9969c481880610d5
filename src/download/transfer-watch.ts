/**
 * The clock of one download: a limit for the whole of it, and one for every wait on the other side. When either runs out,
 * or the caller's signal aborts, `signal` aborts with the error to throw.
 */
import { RetryableError } from "../errors.ts";

export interface TransferWatch {
  signal: AbortSignal;
  /** Waits for something the other side owes us, no longer than allowed. */
  wait<Result>(promise: Promise<Result>): Promise<Result>;
  end(): void;
}

export function startTransferWatch(options: {
  signal: AbortSignal | undefined;
  timeoutMs: number;
  idleMs: number;
}): TransferWatch {
  const { timeoutMs, idleMs } = options;
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(options.signal?.reason);
  const total = setTimeout(() => {
    controller.abort(new RetryableError("TIMEOUT", `The download took longer than ${timeoutMs / 1000} seconds.`));
  }, timeoutMs);
  const end = () => {
    clearTimeout(total);
    options.signal?.removeEventListener("abort", stop);
  };
  signal.addEventListener("abort", end, { once: true });
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener("abort", stop, { once: true });

  return {
    signal,
    wait(promise) {
      return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) {
          promise.catch(() => undefined);
          return abort();
        }
        const idle = setTimeout(() => {
          controller.abort(new RetryableError("TIMEOUT", `The server was silent for ${idleMs / 1000} seconds.`));
        }, idleMs);
        signal.addEventListener("abort", abort, { once: true });
        promise.then(resolve, reject).finally(() => {
          clearTimeout(idle);
          signal.removeEventListener("abort", abort);
        });
      });
    },
    end,
  };
}
