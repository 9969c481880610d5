/**
 * The `docmill` command: its subcommands, and how every one of them ends. Whatever goes wrong is one line on standard
 * error that says the next step, and one of four exit codes; DOCMILL_LOG_LEVEL=debug adds where it happened.
 */
import { Command, CommanderError } from "commander";
import { wantsStackTraces } from "../config.ts";
import { crashTestCommand } from "../crash-test/command.ts";
import { DocmillError } from "../errors.ts";
import { version } from "../version.ts";
import { addCommand } from "./add-command.ts";
import { backupCommand, restoreCommand } from "./backup-command.ts";
import { cancelCommand, retryCommand } from "./change-commands.ts";
import { cleanupCommand } from "./cleanup-command.ts";
import { demoCommand } from "./demo-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { exitCodeFor, exitCodes } from "./exit-codes.ts";
import { heatsCommand } from "./heats-command.ts";
import { keysCommand } from "./keys-command.ts";
import { migrateCommand } from "./migrate-command.ts";
import { resultsCommand } from "./results-command.ts";
import { runCommand } from "./run-command.ts";
import { searchCommand } from "./search-command.ts";
import { type StartServer, serveCommand } from "./serve-command.ts";
import { statusCommand } from "./status-command.ts";
import { watchCommand } from "./watch-command.ts";
import { type StartWorker, workerCommand } from "./worker-command.ts";

export interface ProgramParts {
  startServer: StartServer;
  startWorker: StartWorker;
}

/** Runs the command line to its end; sets the exit code. */
export async function runProgram(args: readonly string[], parts: ProgramParts): Promise<void> {
  // `docmill status | head -1` closes the pipe early: no reason to fail, and none to stop a server.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  try {
    await createProgram(parts).parseAsync(args, { from: "user" });
  } catch (error) {
    // Help and --version arrive as errors too; commander has printed what there was to say.
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    else {
      process.stderr.write(`docmill: ${describeError(error)}\n`);
      process.exitCode = exitCodeFor(error);
    }
  }
}

const crashTestExample = `
Examples:
  $ docmill crash-test
  $ docmill crash-test --minutes 10 --seed 7`;

function createProgram({ startServer, startWorker }: ProgramParts): Command {
  const program = new Command("docmill")
    .description("Turns documents into structured results and never loses work.")
    .version(version)
    .addCommand(serveCommand(startServer))
    .addCommand(workerCommand(startWorker))
    .addCommand(demoCommand())
    .addCommand(addCommand())
    .addCommand(searchCommand())
    .addCommand(heatsCommand())
    .addCommand(resultsCommand())
    .addCommand(runCommand())
    .addCommand(statusCommand())
    .addCommand(watchCommand())
    .addCommand(cancelCommand())
    .addCommand(retryCommand())
    .addCommand(keysCommand())
    .addCommand(migrateCommand())
    .addCommand(cleanupCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(doctorCommand())
    .addCommand(crashTestCommand().addHelpText("after", crashTestExample))
    .addHelpText(
      "after",
      `
Examples:
  $ docmill serve                      the server at http://127.0.0.1:3001, data in ./data
  $ docmill demo                       shows what it does, on samples
  $ docmill add report.pdf             uploads it and watches it being read
  $ docmill search "payment terms"
  $ docmill heats --swimmer "Runa Elmford" sheets/
  $ docmill status

docmill <command> --help says more. Exit codes: 0 done, 1 failed work, 2 wrong usage, 3 cannot reach the server.`,
    );
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    endProperly(command);
  }
  return program;
}

/** Commander would end the process itself, and print its errors over several lines without a next step. */
function endProperly(command: Command): void {
  const name = fullName(command);
  command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const message = text
        .replace(/^error: /, "")
        .trim()
        .replaceAll("\n", " ")
        .replace(/([^.?)])$/, "$1.");
      write(`docmill: ${message} See ${name} --help\n`);
    },
  });
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = error instanceof DocmillError;
  if (wantsStackTraces())
    return `${known ? `${error.code}: ` : ""}${error.stack}${error.cause ? `\ncaused by ${String((error.cause as Error).stack ?? error.cause)}` : ""}`;
  if (known) return `${error.message} (${error.code})`;
  return `${error.message.split("\n", 1)[0]} (unexpected; DOCMILL_LOG_LEVEL=debug shows where)`;
}
