/** Where a line on the first page leads. */
import type { LinkProps } from "@tanstack/react-router";

export type PlaceLink = Pick<LinkProps, "to" | "params" | "search">;

export const toDocument = (documentId: string): PlaceLink => ({ to: "/documents/$documentId", params: { documentId } });
export const toBatch = (batchId: string): PlaceLink => ({ to: "/batches/$batchId", params: { batchId } });
export const toBook = (bookId: string): PlaceLink => ({ to: "/books/$bookId", params: { bookId } });
export const toJob = (jobId: string): PlaceLink => ({ to: "/jobs/$jobId", params: { jobId } });
export const toJobs = (search: { kind?: string; state?: string }): PlaceLink => ({ to: "/jobs", search });

/** What a job holds while it runs, like "book:0199…": documents and books are told from it. */
export function heldBy({ lockKey }: { lockKey: string | null }, what: "document" | "book"): string | undefined {
  return lockKey?.startsWith(`${what}:`) ? lockKey.slice(what.length + 1) : undefined;
}
