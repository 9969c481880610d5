/** Random choices that a seed repeats exactly. */

export interface Random {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** Whether something that happens in one of so many cases happens. */
  oneIn(cases: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  shuffle<Value>(values: readonly Value[]): Value[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    // A Weyl sequence, its bits mixed by two multiplications.
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) % limit;
  };
  return {
    below,
    oneIn: (cases) => below(cases) === 0,
    pick: (values) => {
      if (values.length === 0) throw new RangeError("there is nothing to pick from");
      return values[below(values.length)] as (typeof values)[number];
    },
    shuffle: (values) => {
      const rest = [...values];
      return values.map(() => rest.splice(below(rest.length), 1)[0] as (typeof values)[number]);
    },
  };
}
