/** `docmill serve`: the HTTP server, with workers in the same process, on its own database or on DATABASE_URL. */
import { Command } from "commander";
import type { DatabaseFacts, DocumentFacts } from "../runtime.ts";
import { type Launch, prepareLaunch } from "./launch.ts";
import { providerHints } from "./provider-hints.ts";
import { type Running, runUntilStopped } from "./until-stopped.ts";

export interface RunningServer extends Running {
  url: string;
  /** Whether a key is asked for. */
  keysRequired: boolean;
  database: DatabaseFacts;
  documents: DocumentFacts;
  /** Kinds of waiting jobs that no running process can do. */
  unservedKinds: readonly string[];
}

export type StartServer = (launch: Launch, signal: AbortSignal) => Promise<RunningServer>;

/** What closing may take beyond the grace of the jobs: handing them back, and the checkpoint of the database. */
export const closingMs = 10_000;

export function serveCommand(startServer: StartServer): Command {
  return new Command("serve")
    .description("Run the server: HTTP API, web page and workers. Without DATABASE_URL it brings its own PostgreSQL.")
    .option("--port <number>", "port of the HTTP server; 0 takes any free one (default: 3001)")
    .option("--host <address>", "address to bind to (default: 127.0.0.1)")
    .option("--data-dir <folder>", "folder for all data (default: ./data)")
    .option("--no-workers", "serve only; leave the jobs to docmill worker")
    .option("--concurrency <number>", "jobs to run at the same time (default: the number of cores)")
    .option("--config <file>", "file with your pipelines (default: ./docmill.config.ts, if there is one)")
    .addHelpText(
      "after",
      `
Examples:
  $ docmill serve
  $ docmill serve --port 4000 --data-dir /srv/docmill
  $ docmill serve --config examples/docmill.config.ts
  $ DATABASE_URL=postgres://docmill:secret@db/docmill docmill serve --no-workers

Ctrl-C lets running jobs reach their next checkpoint; a second one stops at once. Either way nothing is lost.
docmill doctor --config lists all settings.`,
    )
    .action(async ({ workers, ...flags }: Record<string, unknown>) => {
      // Without --no-workers commander says `true`, which must not win over the environment.
      const launch = await prepareLaunch({ ...flags, ...(workers === false && { workers }) });
      const { settings, logger } = launch;
      await runUntilStopped({
        start: async (signal) => {
          const server = await startServer(launch, signal);
          process.stdout.write(describeServer(server, launch));
          return server;
        },
        closeMs: settings.shutdownGraceMs + closingMs,
        logger,
      });
    });
}

function describeServer(
  { url, keysRequired, database, documents, unservedKinds }: RunningServer,
  launch: Launch,
): string {
  const { settings, pipelines, configFile } = launch;
  const missing = unservedKinds.map(
    (kind) => `missing    jobs of kind "${kind}" are waiting and nobody here can run them.\n`,
  );
  const workers = settings.workers ? `${settings.concurrency} jobs at a time` : "none here; run docmill worker";
  return `Docmill is ready at ${url}
access     ${keysRequired ? "API keys (docmill keys)" : "open to everyone on this machine"}
database   ${describeDatabase(database)}
${describeDocuments(documents)}workers    ${workers}
pipelines  ${describePipelines(pipelines)}${configFile ? ` (${configFile})` : ""}
${missing.join("")}`;
}

export function describeDatabase({ kind, version, place, adopted }: DatabaseFacts): string {
  if (kind === "server") return `PostgreSQL ${version}, ${place}`;
  return `PostgreSQL ${version}, embedded, in ${place}${adopted ? " (was still running and was taken over)" : ""}`;
}

/** Who keeps files, reads pages without text and makes vectors. */
export function describeDocuments({ files, ocr, extraction, embeddings, search, model }: DocumentFacts): string {
  return `files      ${files}
reading    ${extraction}; pages without text: ${ocr}
search     ${embeddings}, ${search}
model      ${model ?? `none; ${providerHints.model}`}
`;
}

/** Docmill's own are always there; they are named after the user's own. */
export function describePipelines(own: readonly { kind: string }[]): string {
  return [...own.map(({ kind }) => kind), "documents", "heat sheets", "books"].join(", ");
}
