/** Follows the events of a job until it has ended, whatever happens to the connection meanwhile. */
import { type FollowedEvent, type FollowOptions, followStream } from "./follow-stream.ts";
import type { ServerClient } from "./server-client.ts";

export type JobEvent = FollowedEvent;

export interface FollowJobOptions extends FollowOptions {
  server: ServerClient;
  jobId: string;
}

export function followJob({ server, jobId, ...options }: FollowJobOptions): AsyncGenerator<JobEvent, void, void> {
  return followStream((after, signal) => server.openStream(jobId, after, signal), options);
}
