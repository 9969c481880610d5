/**
 * `docmill heats`: finds a swimmer in many heat sheets, a bar a sheet, and prints one schedule. Whoever stops watching
 * leaves the work running.
 */
import { randomUUID } from "node:crypto";
import { Command } from "commander";
import type { BatchDetail } from "../contract/batches.ts";
import { DocmillError } from "../errors.ts";
import { count } from "./batch-view.ts";
import { exitCodes } from "./exit-codes.ts";
import { findSheets } from "./find-sheets.ts";
import { silentDisplay } from "./progress-display.ts";
import { openFile, type ServerClient } from "./server-client.ts";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { openSheetDisplay, type SheetDisplay } from "./sheet-display.ts";
import { alarmOption, type ResultFlags, showResults } from "./show-results.ts";
import { watchBatch } from "./watch-batch.ts";
import { leave, untilInterrupted } from "./watch-jobs.ts";

const triesAgain = 5;

interface HeatsFlags extends ServerFlag, ResultFlags {
  swimmer?: string;
  email?: string;
  ai?: boolean;
  retry?: string;
  watch: boolean;
}

export function heatsCommand(): Command {
  return new Command("heats")
    .description("Find a swimmer's events in heat sheets and print one schedule.")
    .argument("[sheets...]", "PDF files, folders with some, patterns in quotes, or urls")
    .option("--swimmer <name>", 'whom to look for: "First Last" or "Last, First"; "(team)" or "(age)" may follow')
    .option("--email <address>", "send a message there when all sheets are read")
    .option("--ai", "have a language model read the sheets, where the server has one")
    .option("--retry <batch>", "try the sheets of a batch again that were not read, instead of new ones")
    .option("--no-watch", "upload only")
    .option("--json", "print the results as JSON, for scripts; without watching, what the server answers")
    .option("--calendar <file>", "write the schedule as iCalendar too")
    .addOption(alarmOption())
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill heats --swimmer "Runa Elmford" program.pdf
  $ docmill heats --swimmer "Runa Elmford" sheets/ "psych/*.pdf" https://example.com/sunday.pdf
  $ docmill heats --swimmer "Runa Elmford (12)" sheets/ --calendar meet.ics --alarm 15
  $ docmill heats --swimmer "Runa Elmford" sheets/ --json | jq '.events[].lane'
  $ docmill heats --retry 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e

Start times with ~ are estimated. Ctrl-C stops watching, not the work: docmill results shows what there is.
Exit code: 0 all sheets read, 1 a sheet was not read or nothing was found, 3 no server, 130 stopped watching.`,
    )
    .action(async (given: string[], flags: HeatsFlags) => {
      const request = await readRequest(given, flags);
      const server = await findServer(flags);
      process.exitCode = await runHeats(server, request, flags);
    });
}

/** Heat sheets, and whom to look for in them. */
interface NewBatch {
  swimmer: string;
  files: readonly string[];
  urls: readonly string[];
  email?: string;
  /** Whether a language model is to read them. */
  ai: boolean;
}

type HeatsRequest = { retry: string } | { batch: NewBatch };

async function readRequest(given: readonly string[], flags: HeatsFlags): Promise<HeatsRequest> {
  const { swimmer, email, ai, retry, watch, calendar } = flags;
  if (!watch && calendar !== undefined) {
    throw wrongInput("--calendar needs the schedule: leave out --no-watch, or use docmill results --calendar later.");
  }
  if (retry !== undefined) {
    if (given.length > 0 || swimmer !== undefined || email !== undefined || ai) {
      throw wrongInput("--retry is for a batch as it is: name no sheets, swimmer, email or --ai with it.");
    }
    return { retry };
  }
  if (!swimmer?.trim()) throw wrongInput('Whom to look for? Say --swimmer "First Last".');
  if (given.length === 0) throw wrongInput("Where to look? Name PDF files, folders, patterns in quotes, or urls.");
  return { batch: { swimmer, email, ai: ai === true, ...(await findSheets(given)) } };
}

function wrongInput(message: string): DocmillError {
  return new DocmillError("WRONG_INPUT", message);
}

interface Started {
  batchId: string;
  /** How it stood before it was started again. */
  before?: BatchDetail;
  answer: object;
}

async function runHeats(server: ServerClient, request: HeatsRequest, flags: HeatsFlags): Promise<number> {
  const display = flags.json ? silentDisplay : openSheetDisplay(process.stdout);
  const asides = flags.json ? process.stderr : process.stdout;
  let started: Started | undefined;
  const stopped = await untilInterrupted(async (signal) => {
    started = await start(server, request, display, signal);
    if (started && flags.watch) await watchBatch({ server, ...started, display, signal });
  })
    .catch((error: unknown) => {
      throw started ? withBatch(error, started.batchId) : error;
    })
    .finally(() => display.end());

  if (!started) return leave("Stopped before the server had answered. See whether it began: docmill status", asides);
  const { batchId, answer } = started;
  if (stopped) return leave(`The work goes on. Look again: docmill results ${batchId}`, asides);
  if (flags.watch) {
    if (!flags.json) process.stdout.write("\n");
    return showResults(server, batchId, flags);
  }
  process.stdout.write(
    flags.json ? `${JSON.stringify(answer, null, 2)}\n` : `See what there is: docmill results ${batchId}\n`,
  );
  return exitCodes.done;
}

/** Undefined if a person stopped it before there was an answer. */
async function start(
  server: ServerClient,
  request: HeatsRequest,
  display: SheetDisplay,
  signal: AbortSignal,
): Promise<Started | undefined> {
  if ("retry" in request) {
    const before = await server.readBatch({ id: request.retry });
    const answer = await server.retryBatch({ id: request.retry });
    const { retriedJobs } = answer;
    display.say(
      retriedJobs === 0
        ? "No sheet has failed or was cancelled: there is nothing to try again."
        : `Batch ${request.retry}: ${count(retriedJobs, "sheet")} to be tried again`,
    );
    return { batchId: request.retry, before, answer };
  }
  try {
    const answer = await sendBatch(server, request.batch, signal);
    const { batchId, totalJobs, estimatedTime } = answer;
    display.say(`Batch ${batchId}: ${count(totalJobs, "sheet")}, about ${estimatedTime}`);
    return { batchId, answer };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Under a key it can be sent again when the server is busy, and is there once all the same. */
async function sendBatch(server: ServerClient, batch: NewBatch, signal: AbortSignal) {
  const { swimmer, files, urls, email: notifyEmail, ai } = batch;
  const pdfs = await Promise.all(files.map(openFile));
  const form = { swimmer, pdfs, ...(urls.length > 0 && { urls: [...urls] }), notifyEmail };
  const once = { idempotencyKey: randomUUID(), retries: triesAgain };
  return server.createBatch({ ...form, ...(ai && { extractor: "ai" as const }) }, { signal, ...once });
}

/** Whoever loses the server must still learn where the work is to be found again. */
function withBatch(error: unknown, batchId: string): unknown {
  if (!(error instanceof DocmillError)) return error;
  const message = `${error.message} The sheets are there: docmill results ${batchId}`;
  return new DocmillError(error.code, message, { cause: error });
}
