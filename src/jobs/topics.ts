/** The topics of hints: what a process may want to look at when it changes. */
import { wholeClass } from "../db/hints.ts";
import { streamTopic } from "../events/topics.ts";

/** Jobs of this kind may have become claimable. */
export const kindTopic = (kind: string) => `k:${kind}`;
/** Jobs of this kind that belong to batches may have become claimable. */
export const batchKindTopic = (kind: string) => `b:${kind}`;
/** This job was taken from its worker. */
const jobTopic = (jobId: string) => `j:${jobId}`;
export const anyJob = wholeClass(jobTopic(""));

const streamPrefix = streamTopic("");
const jobPrefix = jobTopic("");
const kindPrefixes = [kindTopic(""), batchKindTopic("")];

/** The job or batch whose stream has grown, if that is what the topic says. */
export function streamOf(topic: string): string | undefined {
  return topic.startsWith(streamPrefix) ? topic.slice(streamPrefix.length) : undefined;
}

/** The job that was taken from its worker, if that is what the topic says. */
export function jobOf(topic: string): string | undefined {
  return topic.startsWith(jobPrefix) ? topic.slice(jobPrefix.length) : undefined;
}

/** Whether the topic says that there may be jobs that were not there. */
export function mayBringJobs(topic: string): boolean {
  return kindPrefixes.some((prefix) => topic.startsWith(prefix));
}

/** All that may want to look when these jobs were changed by someone other than their worker. */
export function topicsOf(jobs: readonly { id: string; kind: string; batchId: string | null }[]): string[] {
  const topics = jobs.flatMap(({ id, kind, batchId }) => [
    jobTopic(id),
    streamTopic(id),
    ...(batchId === null ? [kindTopic(kind)] : [batchKindTopic(kind), streamTopic(batchId)]),
  ]);
  return [...new Set(topics)];
}
