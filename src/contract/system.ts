/** Workers, counts, health, settings and the stream of all activity on the wire. */
import { z } from "zod";
import { JobSummary } from "./jobs.ts";
import { jobStates } from "./states.ts";

const timestamp = z.iso.datetime();

const WorkerInfo = z
  .object({
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
  })
  .meta({ id: "WorkerInfo" });

export const WorkerList = z.object({ items: z.array(WorkerInfo) }).meta({ id: "WorkerList" });
export type WorkerList = z.infer<typeof WorkerList>;

const Counts = z.object(
  Object.fromEntries(jobStates.map((state) => [state, z.int()])) as Record<(typeof jobStates)[number], z.ZodInt>,
);

export const Stats = z
  .object({
    jobs: Counts,
    byKind: z.record(z.string(), Counts.extend({ meanRunMs: z.number().nullable(), served: z.boolean() })),
    batches: z.object({ active: z.int(), ended: z.int() }),
    workers: z.object({ alive: z.int(), slots: z.int() }),
    /** Jobs ended in each of the last 60 minutes, oldest first. */
    endedPerMinute: z.array(z.int()),
    /** Jobs that came in each of the same minutes. */
    createdPerMinute: z.array(z.int()),
    /** Jobs that had not ended at the end of each of the same minutes: the depth of the queue. */
    unfinishedPerMinute: z.array(z.int()),
    /** The last 24 full hours and the present one, oldest first. */
    hours: z.array(
      z.object({ startsAt: timestamp, created: z.int(), completed: z.int(), failed: z.int(), cancelled: z.int() }),
    ),
  })
  .meta({ id: "Stats" });
export type Stats = z.infer<typeof Stats>;

/** What `/api/stream` tells as `activity`: at once, and then whenever something has changed. */
export const Activity = z
  .object({
    stats: Stats,
    /** Jobs that changed since the event before, newest first. */
    jobs: z.array(JobSummary),
    /** False at the start, and where more changed than is listed: what is shown has to be asked for again. */
    complete: z.boolean(),
  })
  .meta({ id: "Activity" });
export type Activity = z.infer<typeof Activity>;

export const Health = z.object({ ok: z.literal(true) }).meta({ id: "Health" });

export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z.record(z.string(), z.object({ ok: z.boolean(), message: z.string().optional() })),
  })
  .meta({ id: "Readiness" });
export type Readiness = z.infer<typeof Readiness>;

/** Who does a part of the work, and what another would add. */
const Provider = z
  .object({
    use: z.enum(["database", "storage", "search", "ocr", "extraction", "embeddings", "model", "mail", "webhook"]),
    /** Who does it; null where nobody does. */
    name: z.string().nullable(),
    /** What setting one up would add and how that is done; null where there is nothing to gain. */
    hint: z.string().nullable(),
  })
  .meta({ id: "Provider" });

const ShownSetting = z
  .object({
    env: z.string(),
    meaning: z.string(),
    /** As people write it; secrets are masked; null where it is not set. */
    value: z.string().nullable(),
    /** Where the value comes from. */
    origin: z.string(),
  })
  .meta({ id: "ShownSetting" });

export const SystemInfo = z
  .object({
    version: z.string(),
    startedAt: timestamp,
    providers: z.array(Provider),
    settings: z.array(ShownSetting),
  })
  .meta({ id: "SystemInfo" });
export type SystemInfo = z.infer<typeof SystemInfo>;

/** The samples that were started: what the product does, shown on its own documents. */
export const StartedSamples = z
  .object({
    documentIds: z.array(z.uuid()),
    bookId: z.uuid(),
    batchId: z.uuid(),
  })
  .meta({ id: "StartedSamples" });
export type StartedSamples = z.infer<typeof StartedSamples>;
