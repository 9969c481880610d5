/** Lets so many run at the same time and the others wait their turn, in the order they came. */
export interface Slots {
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing runs any more. */
  empty(): Promise<void>;
}

export function openSlots(size: number): Slots {
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let free = size;

  return {
    async run(signal, work) {
      await enter(signal);
      const result = work();
      const settled = result.then(
        () => undefined,
        () => undefined,
      );
      running.add(settled);
      try {
        return await result;
      } finally {
        running.delete(settled);
        leave();
      }
    },
    async empty() {
      while (running.size > 0) await Promise.all(running);
    },
  };

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      const place = waiting.indexOf(resolve);
      // Its turn may have come in the same moment; then there is nothing to give up.
      if (place < 0) return;
      waiting.splice(place, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    waiting.push(resolve);
    await promise;
    signal.removeEventListener("abort", giveUp);
  }

  /** The place goes to whoever waits longest. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}
