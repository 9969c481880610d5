/**
 * Keeps one document true while it is shown: its own stream while it is being read, and the server's for whatever else
 * starts a job of it. However much happens, it is asked for again once a second at most.
 */
import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { DocumentDetail } from "../../../../../src/contract/documents.ts";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import { isEnded } from "../../../../../src/contract/states.ts";
import { documentConnections, documentKeys, oneDocument } from "../../../api/documents.ts";
import { jobKeys, oneJob } from "../../../api/jobs.ts";
import { useJobChanges } from "../../../live/ActivityProvider.tsx";
import { useEventStream } from "../../../live/use-event-stream.ts";

const leastMs = 1_000;

export function useDocumentStream(id: string, document: DocumentDetail | undefined): void {
  const queryClient = useQueryClient();
  const jobId = document?.jobId;

  const refresh = useThrottledCallback(() => {
    void queryClient.invalidateQueries({ queryKey: oneDocument(id).queryKey, exact: true });
    if (jobId !== undefined) void queryClient.invalidateQueries({ queryKey: jobKeys.one(jobId), exact: true });
  }, leastMs);

  // A stream ends with its job. The next job has one of its own under the same address.
  const followed = document?.status === "Processing" ? `/api/documents/${id}/stream` : null;
  useEventStream(followed, ({ type, data }) => {
    if (type === "state_sync") {
      const job = data as JobDetail;
      queryClient.setQueryData(oneJob(job.id).queryKey, job);
    }
    refresh();
  });

  useJobChanges((jobs, complete) => {
    const own = jobs.filter(({ lockKey, parentId }) => lockKey === `document:${id}` || parentId === jobId);
    if (own.length > 0 || !complete) refresh();
    if (own.some(({ kind, status }) => kind === "detect_connections" && isEnded(status)) || !complete) {
      void queryClient.invalidateQueries({ queryKey: documentConnections(id).queryKey });
    }
  });

  const generation = document?.generation;
  const known = useRef(generation);
  useEffect(() => {
    if (known.current !== undefined && known.current !== generation) {
      const { length } = documentKeys.one(id);
      void queryClient.invalidateQueries({
        queryKey: documentKeys.one(id),
        predicate: ({ queryKey }) => queryKey.length > length,
      });
    }
    known.current = generation;
  }, [generation, id, queryClient]);
}
