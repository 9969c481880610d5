/** All the periodic work of Docmill: what is swept, removed and refreshed, and how often. */
import { removeEndedSessions, removeOldAuditEntries } from "./access/remove-old-access.ts";
import type { Settings } from "./config.ts";
import { readEarlierTime } from "./db/clock.ts";
import type { Database } from "./db/database.ts";
import { sql } from "./db/sql.ts";
import { isUuid } from "./jobs/cursor.ts";
import type { Engine } from "./jobs/engine.ts";
import { removeOldAnswers } from "./jobs/remove-old-answers.ts";
import { removeOldJobs } from "./jobs/remove-old-jobs.ts";
import { rescueLostJobs } from "./jobs/rescue-lost-jobs.ts";
import { countForgettable, forgetLostWorkers } from "./jobs/worker-lease.ts";
import type { PeriodicTask, TurnContext } from "./periodic/periodic-task.ts";
import { refreshStatistics } from "./periodic/refresh-statistics.ts";
import { sweepBooks } from "./pipelines/books/sweep-books.ts";
import { sweepFiles } from "./pipelines/documents/sweep-files.ts";
import type { HeatServices } from "./pipelines/heats/heat-services.ts";
import { countExpiredBatches, sweepBatches, sweepBatchFiles } from "./pipelines/heats/sweep-batches.ts";
import type { BlobStore } from "./storage/blob-store.ts";
import { jobFilesPrefix, jobOfFile } from "./storage/job-files.ts";
import { sweepOrphans } from "./storage/sweep-orphans.ts";

export interface PeriodicParts {
  settings: Pick<Settings, "keepJobsDays" | "keepLedgerDays" | "keepAuditDays">;
  engine: Engine;
  /** Its database and files are everyone's. */
  services: Pick<HeatServices, "db" | "blobs" | "limits">;
}

const anHourMs = 3_600_000;
const aDayMs = 24 * anHourMs;
const everyHour = anHourMs;
const everyTenMinutes = anHourMs / 6;
const everyMinute = anHourMs / 60;

export const periodicTaskNames = [
  "jobs",
  "ledger",
  "batches",
  "document-files",
  "book-files",
  "job-files",
  "sessions",
  "audit-log",
  "workers",
  "statistics",
] as const;

type TaskName = (typeof periodicTaskNames)[number];

export function listPeriodicTasks({ settings, engine, services }: PeriodicParts): PeriodicTask[] {
  const { db, clock } = engine;
  const { blobs } = services;
  const untouched = { list: (prefix: string) => blobs.list(prefix), delete: async () => undefined };
  const filesFor = ({ dryRun }: TurnContext) => ({ db, blobs: dryRun ? untouched : blobs });
  // A file that came a moment ago must not be taken for old because of a clock that is wrong by a day.
  const now = () => readEarlierTime(db);
  const tasks: Record<TaskName, Omit<PeriodicTask, "name">> = {
    jobs: { everyMs: everyHour, run: keeping(settings.keepJobsDays, (terms) => removeOldJobs(engine, terms)) },
    ledger: { everyMs: everyHour, run: keeping(settings.keepLedgerDays, (terms) => removeOldAnswers(engine, terms)) },
    batches: {
      everyMs: everyHour,
      run: async (turn) =>
        turn.dryRun
          ? (await countExpiredBatches(db)) + (await sweepBatchFiles(filesFor(turn), turn.signal, await now()))
          : sweepBatches(engine, services, turn.signal, await now()),
    },
    "document-files": { everyMs: everyHour, run: async (turn) => sweepFiles(filesFor(turn), turn.signal, await now()) },
    "book-files": { everyMs: everyHour, run: async (turn) => sweepBooks(filesFor(turn), turn.signal, await now()) },
    "job-files": { everyMs: everyHour, run: async (turn) => sweepJobFiles(filesFor(turn), turn.signal, await now()) },
    sessions: { everyMs: everyHour, run: (turn) => removeEndedSessions(db, turn) },
    "audit-log": {
      everyMs: everyHour,
      run: keeping(settings.keepAuditDays, (terms) => removeOldAuditEntries(db, terms)),
    },
    workers: {
      // Where no worker is left, nobody else looks for jobs of one that is gone on another host.
      everyMs: everyMinute,
      run: async ({ dryRun }) => {
        if (dryRun) return countForgettable(db, clock);
        await rescueLostJobs(engine);
        return forgetLostWorkers(db, clock);
      },
    },
    statistics: { everyMs: everyTenMinutes, run: (turn) => refreshStatistics(db, turn) },
  };
  return periodicTaskNames.map((name) => ({ name, ...tasks[name] }));
}

/** 0 days are for ever. */
function keeping(days: number, remove: (terms: TurnContext & { keepMs: number }) => Promise<number>) {
  return async (turn: TurnContext) => (days === 0 ? 0 : remove({ ...turn, keepMs: days * aDayMs }));
}

/** Removes files of jobs that are no longer kept; answers how many. */
export function sweepJobFiles(
  { db, blobs }: { db: Database; blobs: Pick<BlobStore, "list" | "delete"> },
  signal: AbortSignal,
  now?: number,
): Promise<number> {
  const findOrphans = async (keys: readonly string[]) => {
    const ids = [...new Set(keys.map(jobOfFile).filter(isUuid))];
    const kept = await db.query<{ id: string }>(sql`select id from jobs where id = any (${ids}::uuid[])`);
    const known = new Set(kept.map(({ id }) => id));
    return keys.filter((key) => !known.has(jobOfFile(key)));
  };
  return sweepOrphans({ blobs, prefix: jobFilesPrefix, findOrphans, signal, now });
}
