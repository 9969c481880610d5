/** The hint that a stream has grown. */
export const streamTopic = (streamId: string) => `s:${streamId}`;
