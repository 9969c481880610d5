/** Holds Docmill's median against the floor's and the best peer's in the same run, case by case. */
import type { Bench } from "../harness/bench.ts";
import { type Bar, type Measured, median } from "../harness/result.ts";

const ours = "docmill";
const floorName = "floor";

/** The least ratio wanted against each; rates, so more is better. */
export function ratioBars(
  bench: Bench,
  measured: readonly Measured[],
  wanted: { bestPeer?: number; floor?: number },
): Bar[] {
  return [...Map.groupBy(measured, (entry) => entry.case)].flatMap(([name, entries]) => {
    const own = medianOf(entries, ({ contender }) => contender === ours);
    const floor = medianOf(entries, ({ contender }) => contender === floorName);
    const bars: Bar[] = [];
    if (wanted.bestPeer !== undefined && !bench.options.withoutPeers) {
      const peer = best(entries.filter(({ contender }) => contender !== ours && contender !== floorName));
      const what = `${name}: docmill ÷ ${peer?.contender ?? "best peer"}`;
      bars.push({ what, value: peer && own && own / median(peer.values), sense: "at least", bar: wanted.bestPeer });
    }
    if (wanted.floor !== undefined) {
      bars.push({
        what: `${name}: docmill ÷ floor`,
        value: own && floor && own / floor,
        sense: "at least",
        bar: wanted.floor,
      });
    }
    return bars;
  });
}

/** The least ratio wanted against one peer by name, each in the case that suits it best. */
export function peerBar(bench: Bench, measured: readonly Measured[], peer: string, wanted: number): Bar[] {
  if (bench.options.withoutPeers) return [];
  const own = best(measured.filter(({ contender }) => contender === ours));
  const other = best(measured.filter(({ contender }) => contender === peer));
  const value = own && other && median(own.values) / median(other.values);
  return [{ what: `docmill ÷ ${peer}`, value, sense: "at least", bar: wanted }];
}

function medianOf(entries: readonly Measured[], which: (entry: Measured) => boolean): number | undefined {
  const entry = entries.find(which);
  return entry && median(entry.values);
}

function best(entries: readonly Measured[]): Measured | undefined {
  return [...entries].sort((one, other) => median(other.values) - median(one.values))[0];
}
