/** `docmill cleanup`: does all periodic work now, on the database itself, and says what was removed. */
import { hostname } from "node:os";
import { Command } from "commander";
import { recordAction } from "../access/audit-log.ts";
import { readSchemaState } from "../db/migrate.ts";
import { DocmillError } from "../errors.ts";
import { runAllNow, type TaskResult } from "../periodic/run-all-now.ts";
import { openRuntime } from "../runtime.ts";
import { exitCodes } from "./exit-codes.ts";
import { harmless } from "./harmless.ts";
import { type Launch, prepareLaunch } from "./launch.ts";
import { requireDatabase, withDatabase } from "./with-database.ts";

interface CleanupFlags {
  dryRun?: boolean;
  json?: boolean;
  dataDir?: string;
  config?: string;
}

export function cleanupCommand(): Command {
  return new Command("cleanup")
    .description(
      "Remove what has had its time: old jobs, answers, batches, sessions, files. serve and worker do it too.",
    )
    .option("--dry-run", "change nothing, and say what would be removed")
    .option("--json", "print JSON")
    .option("--data-dir <folder>", "folder of the embedded database and of files (default: ./data)")
    .option("--config <file>", "file with your pipelines (default: ./docmill.config.ts, if there is one)")
    .addHelpText(
      "after",
      `
Jobs are kept for DOCMILL_KEEP_JOBS_DAYS after their end, paid answers for DOCMILL_KEEP_LEDGER_DAYS, the audit log for
DOCMILL_KEEP_AUDIT_DAYS, batches of heat sheets for DOCMILL_BATCH_DAYS. What a document or a book still needs stays, and
so do jobs of pipelines that are not in the config file: their rules are not known here.

Examples:
  $ docmill cleanup --dry-run
  $ docmill cleanup
  $ DOCMILL_KEEP_JOBS_DAYS=7 docmill cleanup --json
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill cleanup

Exit code: 0 when nothing failed, 1 otherwise.`,
    )
    .action(async ({ dryRun = false, json = false, ...flags }: CleanupFlags) => {
      const launch = await prepareLaunch(flags);
      await requireDatabase(launch.settings);
      const results = await withDatabase(launch.settings, launch.logger, (url) => cleanUp(launch, url, dryRun));
      if (json) process.stdout.write(`${JSON.stringify({ dryRun, tasks: results })}\n`);
      else for (const result of results) process.stdout.write(`${describe(result, dryRun)}\n`);
      if (results.some(({ result }) => result === "failed" || result === "stopped")) {
        process.exitCode = exitCodes.failed;
      }
    });
}

async function cleanUp(launch: Launch, url: string, dryRun: boolean): Promise<TaskResult[]> {
  await requireCurrentSchema(url);
  const { settings, pipelines, providers, afterDocument, logger } = launch;
  const here = { ...settings, databaseUrl: url, directUrl: url };
  const runtime = await openRuntime({ settings: here, pipelines, providers, afterDocument, logger });
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const { db, periodicTasks: tasks } = runtime;
    const holder = `docmill cleanup on ${hostname()} (pid ${process.pid})`;
    const results = await runAllNow({ db, tasks, holder, logger, stop: stopping.signal, dryRun });
    if (!dryRun) {
      const removed = results.flatMap((one) => (one.result === "done" ? [[one.task, one.removed] as const] : []));
      const details = { by: "command line", removed: Object.fromEntries(removed) };
      await recordAction(db, { action: "cleanup.run", details });
    }
    return results;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await runtime.close();
  }
}

/** A dry run must not change the schema either, so neither does. Throws SCHEMA_TOO_NEW as well. */
async function requireCurrentSchema(url: string): Promise<void> {
  const { pending } = await readSchemaState(url);
  if (pending.length === 0) return;
  const names = pending.map(({ name }) => name).join(", ");
  throw new DocmillError(
    "MIGRATIONS_PENDING",
    `The schema is not current: ${names} missing. Run docmill migrate first.`,
  );
}

const columnWidth = 16;

function describe(result: TaskResult, dryRun: boolean): string {
  return `${result.task.padEnd(columnWidth)}${harmless(outcomeOf(result, dryRun))}`;
}

function outcomeOf(result: TaskResult, dryRun: boolean): string {
  switch (result.result) {
    case "done":
      return `${result.removed} ${dryRun ? "would be " : ""}${result.task === "statistics" ? "refreshed" : "removed"}`;
    case "failed":
      return `failed: ${result.error}`;
    case "busy":
      return `another process is at it${result.holder === null ? "" : `: ${result.holder}`}`;
    case "stopped":
      return "stopped before it was done; run it again";
  }
}
