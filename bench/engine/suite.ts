/** The engine's benches: what performance.md asks of jobs, limits, checkpoints and events. */
import type { Suite } from "../harness/bench.ts";
import { enqueue } from "./scenarios/enqueue.ts";
import { groupLimits } from "./scenarios/group-limit.ts";
import { noOpJobs } from "./scenarios/no-op-jobs.ts";
import { oneByOne } from "./scenarios/one-by-one.ts";
import { tenStages } from "./scenarios/ten-stages.ts";

export const suite: Suite = {
  scenarios: [noOpJobs, oneByOne, tenStages, groupLimits, enqueue],
  peers: ["graphile-worker", "pg-boss", "@dbos-inc/dbos-sdk", "bullmq"],
};
