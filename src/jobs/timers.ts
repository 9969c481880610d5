/** Work that comes round again and again until it is stopped. */

export interface Timers {
  /** Calls `work` again and again, each time so long after the last one ended. */
  every(ms: number, work: () => Promise<void>): void;
  stop(): void;
}

export function createTimers(): Timers {
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;
  return {
    every(ms, work) {
      const schedule = () => {
        if (stopped) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          void work().finally(schedule);
        }, ms);
        timers.add(timer);
      };
      schedule();
    },
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
