/** Fills a server with its own samples and waits until all of them are done, so that every page of the web UI has something to show. */
import type { StartedSamples } from "../../src/contract/system.ts";
import { openBookClient } from "./book-client.ts";
import { openHeatClient } from "./heat-client.ts";
import { until } from "./until.ts";

interface FilledPlace extends StartedSamples {
  /** A job that has ended. */
  jobId: string;
  /** Under which the first sheet's result is shared. */
  resultCode: string;
}

export async function fillWithSamples(url: string): Promise<FilledPlace> {
  const { ask, post, generate, ended } = openBookClient(url);
  const { status, body: samples } = await post("/api/samples");
  if (status !== 200) throw new Error(`the samples were answered ${status}: ${JSON.stringify(samples)}`);
  // Not by the counts of /api/stats, which may be a moment old.
  const isNone = async (state: string) => (await ask(`/api/jobs?state=${state}&limit=1`)).body.items.length === 0;
  await until(async () => (await isNone("pending")) && (await isNone("running")));
  const { job_id } = await generate(samples.bookId);
  await ended(samples.bookId, job_id as string);
  const { jobs: sheets } = await openHeatClient(url).show(samples.batchId);
  const { body: jobs } = await ask("/api/jobs?kind=document&limit=1");
  return { ...samples, jobId: jobs.items[0].id, resultCode: sheets[0]?.resultCode as string };
}
