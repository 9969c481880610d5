/**
 * Shows one job, or all that are active, until they have ended. Watching changes nothing: whoever stops watching leaves
 * the work running.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JobDetail, JobSummary } from "../contract/jobs.ts";
import { isEnded } from "../contract/states.ts";
import { exitCodes } from "./exit-codes.ts";
import { type JobDisplay, openDisplay } from "./job-display.ts";
import { applyEvent, describeEvent, type JobView } from "./job-view.ts";
import type { ServerClient } from "./server-client.ts";

/** Follows a job to its end; answers the exit code that says how it ended. */
export async function watchJob(server: ServerClient, jobId: string): Promise<number> {
  const job = await server.readJob({ id: jobId });
  if (!isEnded(job.status)) {
    const display = openDisplay(process.stdout);
    const stopped = await untilInterrupted((signal) => followToEnd(server, job, display, signal)).finally(() =>
      display.end(),
    );
    if (stopped) return leave(`The job goes on. Look again: docmill watch ${jobId}`);
  }
  const ended = isEnded(job.status) ? job : await server.readJob({ id: jobId });
  process.stdout.write(describeEnd(ended));
  return ended.status === "completed" ? exitCodes.done : exitCodes.failed;
}

/** Shows a job from how it stands to its end. */
export async function followToEnd(
  server: ServerClient,
  job: JobDetail & Pick<JobView, "label">,
  display: JobDisplay,
  signal: AbortSignal,
): Promise<void> {
  let view: JobView = job;
  const onSilence = () => display.note(view, `${server.url} does not answer; trying again`);
  display.note(view, job.waiting ? `waiting: ${job.waiting.explanation}` : job.status);
  display.update(view);
  if (isEnded(view.status)) return;
  for await (const event of server.watchJob({ id: job.id }, { after: job.lastEventId, signal, onSilence })) {
    view = applyEvent(view, event);
    const text = describeEvent(event);
    if (text !== undefined) display.note(view, text);
    display.update(view);
    if (isEnded(view.status)) return;
  }
}

/** How a job ended, and what came out of it. */
export function describeEnd(job: JobDetail): string {
  switch (job.status) {
    case "completed": {
      const failed = job.failedItems > 0 ? `, ${job.failedItems} of ${job.totalItems} items failed` : "";
      return `completed${failed}\n${job.result === null ? "" : `${JSON.stringify(job.result, null, 2)}\n`}`;
    }
    case "failed":
      return `failed (${job.errorCode}): ${job.errorMessage}\nTry again: docmill retry ${job.id}\n`;
    case "cancelled":
      return `cancelled\nStart it again: docmill retry ${job.id}\n`;
    case "pending":
    case "running":
      return `${job.status} again\n`;
  }
}

const lookEveryMs = 1_000;
const mostShown = 20;

/** Shows the active jobs until none is left; answers 1 if any of those seen failed or was cancelled. */
export async function watchAll(server: ServerClient): Promise<number> {
  const seen = new Map<string, JobSummary>();
  let failed = false;
  const stopped = await untilInterrupted(async (signal) => {
    const display = openDisplay(process.stdout);
    try {
      for (;;) {
        const { jobs } = await server.readStats();
        const { items } = await server.listJobs({ state: "running", limit: mostShown });
        for (const job of items) showActive(display, seen, job);
        const running = new Set(items.map(({ id }) => id));
        for (const id of [...seen.keys()].filter((one) => !running.has(one))) {
          const job = await server.readJob({ id });
          if (!isEnded(job.status)) continue;
          seen.delete(id);
          failed ||= job.status !== "completed";
          display.note(job, job.errorCode === null ? job.status : `failed (${job.errorCode}): ${job.errorMessage}`);
          display.update(job);
        }
        if (jobs.pending + jobs.running === 0 && seen.size === 0) return;
        await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
    } finally {
      display.end();
    }
  });
  if (stopped) return leave("The work goes on. Look again: docmill watch");
  process.stdout.write("No job is waiting or running.\n");
  return failed ? exitCodes.failed : exitCodes.done;
}

function showActive(display: JobDisplay, seen: Map<string, JobSummary>, job: JobSummary): void {
  if (!seen.has(job.id)) display.note(job, "running");
  seen.set(job.id, job);
  display.update(job);
}

/** Runs `watch` until it ends, a person presses Ctrl-C or nobody reads on; answers whether it was stopped. */
export async function untilInterrupted(watch: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt);
  process.stdout.once("close", interrupt);
  try {
    await watch(interrupted.signal);
    return interrupted.signal.aborted;
  } finally {
    process.off("SIGINT", interrupt);
    process.stdout.off("close", interrupt);
  }
}

const interruptedCode = 130;

export function leave(message: string, output: NodeJS.WritableStream = process.stdout): number {
  output.write(`\n${message}\n`);
  return interruptedCode;
}
