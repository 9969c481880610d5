/** Prints what a batch of heat sheets has given, writes its calendar, and says by the exit code whether that is all of it. */
import { writeFile } from "node:fs/promises";
import { Option } from "commander";
import { DocmillError } from "../errors.ts";
import { isBatchEnded } from "./batch-view.ts";
import { describeResults, describeUnfinished } from "./describe-batch.ts";
import { exitCodes } from "./exit-codes.ts";
import type { ServerClient } from "./server-client.ts";

export interface ResultFlags {
  json?: boolean;
  calendar?: string;
  alarm: "5" | "10" | "15";
}

export function alarmOption(): Option {
  return new Option("--alarm <minutes>", "how long before a heat the calendar reminds")
    .choices(["5", "10", "15"])
    .default("10");
}

export async function showResults(
  server: ServerClient,
  batchId: string,
  { json, calendar, alarm }: ResultFlags,
): Promise<number> {
  // The batch first: if it has ended by then, the results are all there are.
  const detail = await server.readBatch({ id: batchId });
  const results = await server.readBatchResults({ id: batchId });
  const { status } = detail.batch;
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else process.stdout.write(describeResults(results, detail));
  const asides = json ? process.stderr : process.stdout;
  if (json && !isBatchEnded(status)) asides.write(`docmill: ${describeUnfinished(detail.batch)}\n`);
  if (calendar !== undefined && results.events.length > 0) {
    await writeCalendarFile(calendar, await server.readBatchCalendar({ id: batchId, alarm }));
    asides.write(`Calendar: ${calendar}\n`);
  }
  if (!isBatchEnded(status)) return exitCodes.done;
  return status === "completed" && results.totalEvents > 0 ? exitCodes.done : exitCodes.failed;
}

async function writeCalendarFile(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new DocmillError("WRONG_INPUT", `The calendar cannot be written to ${path} (${error.code}).`, {
      cause: error,
    });
  });
}
