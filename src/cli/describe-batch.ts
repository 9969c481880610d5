/** A batch of heat sheets in words: how it stands with each sheet, and the schedule that came out of all of them. */
import type { BatchDetail, BatchResults, MergedSwimEvent } from "../contract/batches.ts";
import { describeSwim } from "../pipelines/heats/write-batch-mail.ts";
import { count, describeSheet, isBatchEnded, nameSheet } from "./batch-view.ts";
import { harmless } from "./harmless.ts";

export function describeBatch({ batch, jobs }: BatchDetail): string {
  const { id, status, swimmerName, totalJobs, completedJobs, failedJobs } = batch;
  const started = batch.startedAt ? `, started ${batch.startedAt}` : "";
  const ended = batch.completedAt ? `, ended ${batch.completedAt}` : "";
  const lines = [
    `batch ${id}: ${status}`,
    `swimmer    ${swimmerName}`,
    `created    ${batch.createdAt}${started}${ended}`,
    `kept       until ${batch.expiresAt}`,
    `sheets     ${completedJobs} of ${totalJobs} read${failedJobs > 0 ? `, ${failedJobs} failed` : ""}`,
    ...jobs.map(
      (job) => `sheet ${job.sequence}    ${nameSheet(job)} ${describeSheet({ ...job, message: job.progressMessage })}`,
    ),
  ];
  if (failedJobs > 0) lines.push(howToRetry(id));
  lines.push(`Schedule: docmill results ${id}`);
  return toText(lines);
}

/** The schedule, what is to be noted, and what could not be read. */
export function describeResults(results: BatchResults, { batch, jobs }: BatchDetail): string {
  const { swimmerName, events, warnings, failedSources } = results;
  const sections = [
    isBatchEnded(batch.status) ? [] : [describeUnfinished(batch)],
    events.length === 0
      ? [`No swims of ${swimmerName} were found.`]
      : [`${swimmerName}: ${count(events.length, "swim")}`],
    ...listSessions(results),
    list("Please note:", warnings),
    list(
      "Not read:",
      [
        ...failedSources.map((source) => {
          const name = nameSheet({ sourceUrl: null, ...source });
          return `${name}: ${source.errorMessage} (${source.errorCode})`;
        }),
        ...jobs.filter(({ status }) => status === "cancelled").map((job) => `${nameSheet(job)}: cancelled`),
      ],
      howToRetry(batch.id),
    ),
  ];
  const shown = sections.filter((lines) => lines.length > 0);
  return toText(shown.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines])));
}

export function describeUnfinished({ id, totalJobs, completedJobs, failedJobs }: BatchDetail["batch"]): string {
  const ended = completedJobs + failedJobs;
  return `Not finished: ${ended} of ${count(totalJobs, "sheet")} done so far. Look again: docmill results ${id}`;
}

function howToRetry(batchId: string): string {
  return `Try again: docmill heats --retry ${batchId}`;
}

/** Days and sessions one after the other, a line a swim; the meet stands beside them, as there may be several. */
function listSessions({ events, sources }: BatchResults): string[][] {
  const meets = new Map(sources.map(({ sequence, meetName }) => [sequence, meetName]));
  const sessions = new Map<string, MergedSwimEvent[]>();
  for (const event of events) {
    const parts = [event.sessionDate ?? "Day not known", event.sessionName, meets.get(event.source.sequence)];
    const heading = parts.filter(Boolean).join(", ");
    const session = sessions.get(heading) ?? [];
    sessions.set(heading, session);
    session.push(event);
  }
  return [...sessions].map(([heading, swims]) => list(heading, swims.map(describeSwim)));
}

function list(heading: string, lines: readonly string[], next?: string): string[] {
  if (lines.length === 0) return [];
  return [heading, ...lines.map((line) => `  ${line}`), ...(next === undefined ? [] : [next])];
}

function toText(lines: readonly string[]): string {
  return `${lines.map(harmless).join("\n")}\n`;
}
