/** The hint that a stream has grown. */
import { wholeClass } from "../db/hints.ts";

export const streamTopic = (streamId: string) => `s:${streamId}`;
export const anyStream = wholeClass(streamTopic(""));
