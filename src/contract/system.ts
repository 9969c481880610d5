/** Workers, counts and health on the wire. */
import { z } from "zod";
import { jobStates } from "./states.ts";

const timestamp = z.iso.datetime();

const WorkerInfo = z.object({
  id: z.uuid(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  kinds: z.array(z.string()),
  slots: z.int(),
  running: z.int(),
  state: z.enum(["alive", "stopping", "lost"]),
  startedAt: timestamp,
  heartbeatAt: timestamp,
  leaseExpiresAt: timestamp,
});

export const WorkerList = z.object({ items: z.array(WorkerInfo) });
export type WorkerList = z.infer<typeof WorkerList>;

const Counts = z.object(
  Object.fromEntries(jobStates.map((state) => [state, z.int()])) as Record<(typeof jobStates)[number], z.ZodInt>,
);

export const Stats = z.object({
  jobs: Counts,
  byKind: z.record(z.string(), Counts.extend({ meanRunMs: z.number().nullable(), served: z.boolean() })),
  batches: z.object({ active: z.int(), ended: z.int() }),
  workers: z.object({ alive: z.int(), slots: z.int() }),
  /** Jobs ended in each of the last 60 minutes, oldest first. */
  endedPerMinute: z.array(z.int()),
});
export type Stats = z.infer<typeof Stats>;

export const Readiness = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), message: z.string().optional() })),
});
export type Readiness = z.infer<typeof Readiness>;
