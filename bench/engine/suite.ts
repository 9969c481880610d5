/** The engine's benches: what performance.md asks of jobs, limits, checkpoints and events. */
import type { Suite } from "../harness/bench.ts";
import { crash } from "./scenarios/crash.ts";
import { enqueue } from "./scenarios/enqueue.ts";
import { events } from "./scenarios/events.ts";
import { fullTable } from "./scenarios/full-table.ts";
import { groupLimits } from "./scenarios/group-limit.ts";
import { idle } from "./scenarios/idle.ts";
import { noOpJobs } from "./scenarios/no-op-jobs.ts";
import { oneByOne } from "./scenarios/one-by-one.ts";
import { pickup } from "./scenarios/pickup.ts";
import { tenStages } from "./scenarios/ten-stages.ts";

export const suite: Suite = {
  scenarios: [noOpJobs, oneByOne, tenStages, groupLimits, enqueue, pickup, fullTable, crash, events, idle],
  peers: ["graphile-worker", "pg-boss", "@dbos-inc/dbos-sdk", "bullmq"],
};
