/** `docmill worker`: only workers, on the database of DATABASE_URL; as many as you like, on as many machines. */
import { Command } from "commander";
import { DocmillError } from "../errors.ts";
import type { DatabaseFacts, DocumentFacts } from "../runtime.ts";
import { type Launch, prepareLaunch } from "./launch.ts";
import { closingMs, describeDatabase, describeDocuments, describePipelines } from "./serve-command.ts";
import { type Running, runUntilStopped } from "./until-stopped.ts";

export interface RunningWorker extends Running {
  id: string;
  /** Where its metrics are, if they are shown. */
  metricsUrl: string | undefined;
  database: DatabaseFacts;
  documents: DocumentFacts;
}

export type StartWorker = (launch: Launch, signal: AbortSignal) => Promise<RunningWorker>;

export function workerCommand(startWorker: StartWorker): Command {
  return new Command("worker")
    .description("Run jobs, nothing else, against DATABASE_URL. Start as many as you like, on as many machines.")
    .option("--concurrency <number>", "jobs to run at the same time (default: the number of cores)")
    .option("--config <file>", "file with your pipelines (default: ./docmill.config.ts, if there is one)")
    .addHelpText(
      "after",
      `
Examples:
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill worker --config docmill.config.ts
  $ DATABASE_URL=postgres://docmill:secret@pooler:6432/docmill DOCMILL_DIRECT_URL=postgres://docmill:secret@db/docmill docmill worker`,
    )
    .action(async (flags: Record<string, unknown>) => {
      const launch = await prepareLaunch(flags);
      const { settings, pipelines, logger } = launch;
      if (settings.databaseUrl === undefined) {
        throw new DocmillError(
          "DATABASE_URL_NEEDED",
          "A worker needs DATABASE_URL. The embedded database belongs to docmill serve, which runs workers of its own.",
        );
      }
      await runUntilStopped({
        start: async (signal) => {
          const worker = await startWorker(launch, signal);
          process.stdout.write(
            `Worker ${worker.id} is ready\ndatabase   ${describeDatabase(worker.database)}\n${describeDocuments(worker.documents)}workers    ${settings.concurrency} jobs at a time\npipelines  ${describePipelines(pipelines)}\n${worker.metricsUrl ? `metrics    ${worker.metricsUrl}\n` : ""}`,
          );
          return worker;
        },
        closeMs: settings.shutdownGraceMs + closingMs,
        logger,
      });
    });
}
