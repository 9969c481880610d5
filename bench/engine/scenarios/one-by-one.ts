/** One process, ten jobs at a time, nothing set for batching: claims and completions of concurrent jobs share commits. */
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { peerBar } from "../bars.ts";
import type { BenchJob } from "../contender.ts";
import { drain } from "../drain.ts";
import { profileDrain } from "../profile.ts";

const settings = { workload: "one step", concurrency: 10, batching: false } as const;
const peers = ["graphile-worker", "bullmq", "@dbos-inc/dbos-sdk"];
const rival = "graphile-worker";

export const oneByOne: Scenario = {
  name: "one-by-one",
  title: "one process, jobs of one stage at concurrency 10, without batch settings",
  async run(bench) {
    const contenders = ["docmill", "floor", ...peers.filter((peer) => bench.peers.has(peer))];
    const entries = contenders.map((contender): Entry => {
      const jobs = makeJobs(bench, contender);
      return {
        case: "concurrency 10",
        contender,
        unit: "jobs/s",
        note: contender === "floor" ? "ten jobs a claim, shared commits" : undefined,
        async measure() {
          const { ms } = await drain(bench, { contender, settings, processes: 1, jobs });
          return (jobs.length / ms) * 1_000;
        },
      };
    });
    const { measured, skipped } = await takeTurns(bench, entries);
    return { scenario: this.name, measured, skipped, bars: peerBar(bench, measured, rival, 5) };
  },
  profile: (bench) => profileDrain(bench, { settings, processes: 1, jobs: makeJobs(bench, "docmill") }),
};

/** Rates do not depend on how many there are; slow contenders get fewer, so that a run ends. */
function makeJobs({ options }: Bench, contender: string): BenchJob[] {
  const full = contender === "docmill" || contender === "floor" ? 10_000 : 2_000;
  return Array.from({ length: options.quick ? full / 2 : full }, (_, n) => ({ n, group: 0 }));
}
