/**
 * How figures grow with the size of something: taken at each size, shown in one table, and held against what the
 * algorithm behind them promises. What is held is always the cost at the largest size, in times of that at the smallest.
 */
import type { Bench, Entry } from "../harness/bench.ts";
import { type Bar, type Measured, median, type ScenarioResult } from "../harness/result.ts";

export interface Figure {
  name: string;
  unit: string;
  /** More is better: what it costs is one over it. */
  isRate?: boolean;
  /** The most its cost may grow where the largest size is so many times the smallest; left out, it is only shown. */
  mayGrow?: (times: number) => number;
}

/** By a factor that does not depend on the size: a deeper index, a fuller cache, noise. */
export const flat = (most: number) => () => most;
/** As the size does; what does not grow makes it less. */
export const linear = (times: number) => times;

export interface Growth<Name extends string> {
  /** Adds a value that was taken at a size. */
  add(size: number, figure: Name, value: number): void;
  /** To take turns with: adds what it measures. */
  entryAt(size: number, figure: Name, measure: () => Promise<number>): Entry;
  /** Undefined where nothing was taken. */
  median(size: number, figure: Name): number | undefined;
  describe(facts: { scenario: string; skipped: readonly string[]; bars?: readonly Bar[] }): ScenarioResult;
}

/** `things` are what there is more of, such as "jobs waiting". */
export function recordGrowth<Name extends string>(
  things: string,
  sizes: readonly number[],
  figures: Record<Name, Figure>,
): Growth<Name> {
  const names = Object.keys(figures) as Name[];
  const taken = new Map<string, number[]>();
  const keyOf = (size: number, figure: Name) => `${size} ${figure}`;
  const valuesOf = (size: number, figure: Name) => taken.get(keyOf(size, figure)) ?? [];
  const medianOf = (size: number, figure: Name) => {
    const values = valuesOf(size, figure);
    return values.length === 0 ? undefined : median(values);
  };
  const [smallest, largest] = [sizes[0] as number, sizes.at(-1) as number];

  function growthBar(name: Name): Bar[] {
    const { name: what, isRate, mayGrow } = figures[name];
    if (!mayGrow) return [];
    const [before, after] = [medianOf(smallest, name), medianOf(largest, name)];
    const growth = before === undefined || after === undefined ? undefined : isRate ? before / after : after / before;
    return [
      {
        what: `${what}: cost at ${showSize(largest)} ÷ at ${showSize(smallest)} ${things}`,
        value: growth,
        sense: "at most",
        bar: mayGrow(largest / smallest),
      },
    ];
  }

  const add = (size: number, figure: Name, value: number) => {
    taken.set(keyOf(size, figure), [...valuesOf(size, figure), value]);
  };
  const describeAt = (size: number, figure: Name) => {
    const { name: contender, unit } = figures[figure];
    return { case: `${showSize(size)} ${things}`, contender, unit };
  };

  return {
    add,
    entryAt: (size, figure, measure) => ({
      ...describeAt(size, figure),
      async measure() {
        const value = await measure();
        add(size, figure, value);
        return value;
      },
    }),
    median: medianOf,
    describe({ scenario, skipped, bars = [] }) {
      const measured = sizes.flatMap((size) =>
        names.map((name): Measured => ({ ...describeAt(size, name), values: valuesOf(size, name) })),
      );
      const table = {
        title: `By ${things}`,
        columns: [things, ...names.map((name) => `${figures[name].name}, ${figures[name].unit}`)],
        rows: sizes.map((size) => [showSize(size), ...names.map((name) => medianOf(size, name) ?? Number.NaN)]),
      };
      return {
        scenario,
        measured: measured.filter(({ values }) => values.length > 0),
        bars: [...names.flatMap(growthBar), ...bars],
        skipped,
        tables: [table],
      };
    },
  };
}

/** Without the largest, in a quick run. */
export function chooseSizes({ options }: Bench, sizes: readonly number[]): number[] {
  return sizes.slice(0, options.quick ? -1 : undefined);
}

export function showSize(size: number): string {
  return size.toLocaleString("en");
}
