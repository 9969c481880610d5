/**
 * Counts what each key or address does, in this process: as much as a minute allows may come at once, then it drips. Whoever
 * has been quiet for a minute is forgotten, and so is the oldest when there are too many to remember.
 */
export interface RateLimiter {
  /** Takes one; answers 0, or how many seconds to wait for the next. */
  take(who: string): number;
  /** How many were taken that have not dripped away yet. */
  used(who: string): number;
}

const mostRemembered = 50_000;
const minuteMs = 60_000;

export function createRateLimiter(perMinute: number, now: () => number = () => performance.now()): RateLimiter {
  /** When everything that was taken will have dripped away; in the order of use. */
  const emptyAt = new Map<string, number>();
  const oneMs = minuteMs / perMinute;

  return {
    used: (who) => Math.ceil(Math.max(0, (emptyAt.get(who) ?? 0) - now()) / oneMs),
    take(who) {
      const overMs = (emptyAt.get(who) ?? 0) - now() + oneMs - minuteMs;
      if (overMs > 0) return Math.ceil(overMs / 1_000);
      const until = Math.max(emptyAt.get(who) ?? 0, now()) + oneMs;
      emptyAt.delete(who);
      emptyAt.set(who, until);
      forgetQuiet();
      return 0;
    },
  };

  function forgetQuiet(): void {
    for (const [who, until] of emptyAt) {
      if (until > now() && emptyAt.size <= mostRemembered) return;
      emptyAt.delete(who);
    }
  }
}
