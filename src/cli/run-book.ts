/** Takes a book whose pages are being read through the steps that people otherwise take by hand, to its final guidelines. */
import type { JobDetail } from "../contract/jobs.ts";
import type { JobDisplay } from "./job-display.ts";
import type { ServerClient } from "./server-client.ts";
import { followToEnd } from "./watch-jobs.ts";

export interface RunBookOptions {
  server: ServerClient;
  bookId: string;
  display: JobDisplay;
  signal: AbortSignal;
}

/** Answers whether every step went well. Once the signal has aborted, no further step is begun. */
export async function runBook({ server, bookId, display, signal }: RunBookOptions): Promise<boolean> {
  const { title, latest_jobs } = await server.readBook({ id: bookId });
  const steps: [string, () => Promise<string | null>][] = [
    ["pages", async () => latest_jobs.ocr_batch?.job_id ?? null],
    [
      "guidelines",
      async () => {
        await server.approveBookPages({ id: bookId });
        return (await server.generateGuidelines({ id: bookId })).job_id;
      },
    ],
    ["final names", async () => (await server.finalizeBook({ id: bookId })).job_id],
  ];
  let complete = true;
  for (const [step, start] of steps) {
    if (signal.aborted) return false;
    const jobId = await start();
    if (jobId === null) continue;
    const job = await server.readJob({ id: jobId });
    await followToEnd(server, { ...job, label: `${title}: ${step}` }, display, signal);
    if (signal.aborted) return false;
    const ended: JobDetail = await server.readJob({ id: jobId });
    if (ended.status !== "completed") return false;
    complete &&= ended.failedItems === 0;
  }
  return complete;
}
