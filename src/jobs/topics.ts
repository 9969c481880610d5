/** The topics of hints: what a process may want to look at when it changes. */

/** Jobs of this kind may have become claimable. */
export const kindTopic = (kind: string) => `k:${kind}`;
/** This job was taken from its worker. */
export const jobTopic = (jobId: string) => `j:${jobId}`;
