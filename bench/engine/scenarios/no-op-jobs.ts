/** Jobs that do nothing, as many as go through: what the engine itself costs, over one, two and four processes. */
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { ratioBars } from "../bars.ts";
import type { BenchJob } from "../contender.ts";
import { drain } from "../drain.ts";
import { profileDrain } from "../profile.ts";

const processCounts = [1, 2, 4];
/** For all who fetch many at a time: with 500, graphile-worker, pg-boss and the floor reach 70 to 85 % of what they do so. */
const fetchSize = 2_000;
const settings = { workload: "one step", concurrency: 10, batching: true, fetchSize } as const;
const peers = ["graphile-worker", "pg-boss"];

export const noOpJobs: Scenario = {
  name: "no-op-jobs",
  title: "no-op jobs, all waiting, 1, 2 and 4 processes",
  async run(bench) {
    const jobs = makeJobs(bench);
    const contenders = ["docmill", "floor", ...peers.filter((peer) => bench.peers.has(peer))];
    const entries = processCounts.flatMap((processes) =>
      contenders.map(
        (contender): Entry => ({
          case: processes === 1 ? "1 process" : `${processes} processes`,
          contender,
          unit: "jobs/s",
          async measure() {
            const { ms } = await drain(bench, { contender, settings, processes, jobs });
            return (jobs.length / ms) * 1_000;
          },
        }),
      ),
    );
    const { measured, skipped } = await takeTurns(bench, entries);
    return { scenario: this.name, measured, skipped, bars: ratioBars(bench, measured, { bestPeer: 1.2, floor: 0.6 }) };
  },
  profile: (bench) => profileDrain(bench, { settings, processes: 1, jobs: makeJobs(bench) }),
};

function makeJobs({ options }: Bench): BenchJob[] {
  return Array.from({ length: options.quick ? 10_000 : 20_000 }, (_, n) => ({ n, group: 0 }));
}
