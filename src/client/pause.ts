/** Waits, unless the signal aborts: then it rejects with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

const longestBackOffMs = 8_000;

/** Longer each time, and never the same for all who wait. */
export function backOffMs(firstMs: number, failures: number): number {
  return Math.min(firstMs * 2 ** failures, longestBackOffMs) * (0.75 + Math.random() / 4);
}
