/** Whether none of the samples exist any more: they were deleted, or the server has another database now. */
import { useQueries, useQuery } from "@tanstack/react-query";
import type { StartedSamples } from "../../../../../src/contract/system.ts";
import { sampleBatch, sampleBook, sampleDocument } from "./sample-queries.ts";

export function useAreGone({ documentIds, batchId, bookId }: StartedSamples): boolean {
  const documents = useQueries({ queries: documentIds.map(sampleDocument) });
  const batch = useQuery(sampleBatch(batchId));
  const book = useQuery(sampleBook(bookId));
  return [...documents, batch, book].every(({ error }) => error?.status === 404);
}
