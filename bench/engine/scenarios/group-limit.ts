/** A hundred groups of a hundred jobs, at most three of a group at once, two processes racing: exact, or it fails. */
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { ratioBars } from "../bars.ts";
import { type BenchJob, groupLimit } from "../contender.ts";
import { drain } from "../drain.ts";
import { profileDrain } from "../profile.ts";
import type { JobTime } from "../worker-process.ts";

const settings = { workload: "groups of three", concurrency: 100, batching: true } as const;
const processes = 2;
const groups = 100;
/** Short enough not to be what is measured. */
const stepMs = 1;
/** Long enough for too many to be seen side by side, if the limit leaks. */
const probeStepMs = 30;
/** Few groups with many jobs each: both processes want the same ones. */
const probeGroups = 20;
const probeJobs = 1_000;
const peers = ["graphile-worker", "pg-boss", "@dbos-inc/dbos-sdk", "bullmq"];

export const groupLimits: Scenario = {
  name: "group-limit",
  title: `at most ${groupLimit} jobs of a group at once, ${groups} groups, ${processes} processes`,
  async run(bench) {
    const contenders = ["docmill", "floor", ...peers.filter((peer) => bench.peers.has(peer))];
    const entries = contenders.map((contender): Entry => {
      const jobs = makeJobs(bench, contender);
      let exact: Promise<void> | undefined;
      return {
        case: `${processes} processes`,
        contender,
        unit: "jobs/s",
        note: contender === "floor" ? "counter rows" : undefined,
        async measure() {
          exact ??= checkLimit(bench, contender);
          await exact;
          const { ms } = await drain(bench, { contender, settings, processes, jobs, stepMs });
          return (jobs.length / ms) * 1_000;
        },
      };
    });
    const { measured, skipped } = await takeTurns(bench, entries);
    return { scenario: this.name, measured, skipped, bars: ratioBars(bench, measured, { bestPeer: 4, floor: 0.7 }) };
  },
  profile: (bench) => profileDrain(bench, { settings, processes, jobs: makeJobs(bench, "docmill"), stepMs }),
};

/** A peer gets fewer jobs a group, so that a run ends; its rate does not depend on that. */
function makeJobs({ options }: Bench, contender: string): BenchJob[] {
  const full = contender === "docmill" || contender === "floor" ? 100 : 20;
  const perGroup = options.quick ? full / 2 : full;
  return Array.from({ length: groups * perGroup }, (_, n) => ({ n, group: n % groups }));
}

/** Who lets a fourth job of a group run is no contender: a limit that leaks is cheap to keep. */
async function checkLimit(bench: Bench, contender: string): Promise<void> {
  const jobs = Array.from({ length: probeJobs }, (_, n) => ({ n, group: n % probeGroups }));
  const { times } = await drain(bench, { contender, settings, processes, jobs, stepMs: probeStepMs });
  const most = mostAtOnce(times);
  if (most > groupLimit) throw new Error(`not exact: ${most} jobs of a group ran at once`);
}

/** The most jobs of one group that ran at the same time, over all processes. */
function mostAtOnce(times: readonly JobTime[]): number {
  let most = 0;
  for (const group of Map.groupBy(times, ({ group }) => group).values()) {
    const changes = group.flatMap(({ startedAt, endedAt }) => [
      { at: startedAt, by: 1 },
      { at: endedAt, by: -1 },
    ]);
    let running = 0;
    for (const { by } of changes.sort((one, other) => one.at - other.at)) {
      running += by;
      most = Math.max(most, running);
    }
  }
  return most;
}
