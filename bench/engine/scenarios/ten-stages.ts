/** Ten checkpointed stages a job: every one is durable before the next begins, and side by side they share commits. */
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { peerBar, ratioBars } from "../bars.ts";
import { type BenchJob, stepsOf } from "../contender.ts";
import { drain } from "../drain.ts";
import { profileDrain } from "../profile.ts";

const settings = { workload: "ten steps", batching: false } as const;
/** Few, and many: what goes on side by side shares commits. DBOS gains nothing from 50 on; we and the floor still do at 500. */
const concurrencies = [10, 500];
const rival = "@dbos-inc/dbos-sdk";

export const tenStages: Scenario = {
  name: "ten-stages",
  title: "10 checkpointed stages a job, one process",
  async run(bench) {
    const contenders = ["docmill", "floor", ...[rival].filter((peer) => bench.peers.has(peer))];
    const entries = concurrencies.flatMap((concurrency) =>
      contenders.map((contender): Entry => {
        const jobs = makeJobs(bench, contender);
        return {
          case: `concurrency ${concurrency}`,
          contender,
          unit: "steps/s",
          note: contender === "floor" ? "a row a step, commits shared" : undefined,
          async measure() {
            const { ms } = await drain(bench, {
              contender,
              settings: { ...settings, concurrency },
              processes: 1,
              jobs,
            });
            return ((jobs.length * stepsOf[settings.workload]) / ms) * 1_000;
          },
        };
      }),
    );
    const { measured, skipped } = await takeTurns(bench, entries);
    const bars = [...peerBar(bench, measured, rival, 30), ...ratioBars(bench, measured, { floor: 0.6 })];
    return { scenario: this.name, measured, skipped, bars };
  },
  async profile(bench) {
    const jobs = makeJobs(bench, "docmill");
    for (const concurrency of concurrencies) {
      await profileDrain(bench, { settings: { ...settings, concurrency }, processes: 1, jobs });
    }
  },
};

function makeJobs({ options }: Bench, contender: string): BenchJob[] {
  const full = contender === rival ? 100 : 1_000;
  return Array.from({ length: options.quick ? full / 2 : full }, (_, n) => ({ n, group: 0 }));
}
