/** The hint that a stream has grown. */
import { wholeClass } from "../db/hints.ts";

export const streamTopic = (streamId: string) => `s:${streamId}`;
export const anyStream = wholeClass(streamTopic(""));

/** More than this do not fit into what a hint may hold, and all readers look then anyway. */
const mostNamed = 500;

/** The hint for all streams that a change of these jobs has made longer. */
export function grownStreams(jobs: readonly { id: string; batchId: string | null }[]): string[] {
  if (jobs.length > mostNamed) return [anyStream];
  const topics = new Set<string>();
  for (const { id, batchId } of jobs) {
    topics.add(streamTopic(id));
    if (batchId !== null) topics.add(streamTopic(batchId));
  }
  return [...topics];
}
