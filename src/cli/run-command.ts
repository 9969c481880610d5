/** `docmill run`: creates a job on a server. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { DocmillError } from "../errors.ts";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { watchJob } from "./watch-jobs.ts";

interface RunFlags extends ServerFlag {
  input: string;
  priority?: string;
  delayMs?: string;
  idempotencyKey?: string;
  watch?: boolean;
  json?: boolean;
}

export function runCommand(): Command {
  return new Command("run")
    .description("Create a job of one of the server's pipelines.")
    .argument("<kind>", "which pipeline")
    .option("--input <json>", "the job's input: JSON, @file, or @- for standard input", "{}")
    .option("--priority <number>", "-100 to 100; higher goes first")
    .option("--delay-ms <number>", "do not start before so many milliseconds from now")
    .option("--idempotency-key <key>", "the same key never creates a second job")
    .option("--watch", "watch it to its end")
    .option("--json", "print the answer as JSON")
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill run word-count --input '{"folder": "texts"}' --watch
  $ docmill run word-count --input @input.json --idempotency-key 2026-11-16
  $ id=$(docmill run word-count --input @- --json <input.json | jq -r .id)`,
    )
    .action(async (kind: string, flags: RunFlags) => {
      const { priority, delayMs, idempotencyKey } = flags;
      const input = await readInput(flags.input);
      const server = await findServer(flags);
      const job = {
        kind,
        input,
        ...(priority !== undefined && { priority: readNumber("--priority", priority) }),
        ...(delayMs !== undefined && { delayMs: readNumber("--delay-ms", delayMs) }),
      };
      const { id, created } = await server.createJob(job, { idempotencyKey });
      if (flags.json) process.stdout.write(`${JSON.stringify({ id, created })}\n`);
      else
        process.stdout.write(
          `Job ${id} ${created ? "created" : "was there already under this key"}.${flags.watch ? "" : ` Watch it: docmill watch ${id}`}\n`,
        );
      if (flags.watch) process.exitCode = await watchJob(server, id);
    });
}

async function readInput(given: string): Promise<unknown> {
  const json = given.startsWith("@") ? await readInputFile(given.slice(1)) : given;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new DocmillError(
      "WRONG_INPUT",
      `--input is not JSON (${(error as Error).message}). Quote it for the shell, or name a file: --input @input.json`,
      { cause: error },
    );
  }
}

async function readInputFile(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new DocmillError(
      "WRONG_INPUT",
      `--input names ${path}, which cannot be read (${error.code}). Correct the path.`,
      { cause: error },
    );
  });
}

function readNumber(flag: string, given: string): number {
  if (/^-?\d+$/.test(given)) return Number(given);
  throw new DocmillError("WRONG_INPUT", `${flag} is "${given}" and must be a whole number.`);
}
