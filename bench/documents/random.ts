/** Numbers that look random and are the same in every run, so that every run measures the same. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** Of a standard normal distribution. */
  normal(): number;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: fast, and good enough for loads.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}
