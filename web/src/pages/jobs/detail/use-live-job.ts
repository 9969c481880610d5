/**
 * A job as it is now. While it is not over its own stream says when to look again, at most once a second; after that only
 * the server's stream can tell that somebody has retried it.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import { isEnded } from "../../../../../src/contract/states.ts";
import { jobKeys, oneJob } from "../../../api/jobs.ts";
import { useJobChanges } from "../../../live/ActivityProvider.tsx";
import { useEventStream } from "../../../live/use-event-stream.ts";
import { useThrottled } from "./use-throttled.ts";

const atMostEveryMs = 1_000;

export function useLiveJob(id: string) {
  const queryClient = useQueryClient();
  const query = useQuery(oneJob(id));
  const job = query.data;
  const lookAgain = useThrottled(
    useCallback(
      () => void queryClient.invalidateQueries({ queryKey: jobKeys.one(id), exact: true }),
      [queryClient, id],
    ),
    atMostEveryMs,
  );

  const goesOn = job !== undefined && !isEnded(job.status);
  useEventStream(goesOn ? `/api/jobs/${id}/stream` : null, ({ type, data }) => {
    if (type !== "state_sync") return lookAgain();
    const { type: _type, eventId: _eventId, ...synced } = data as JobDetail & { type: string; eventId: number };
    queryClient.setQueryData(jobKeys.one(id), synced);
  });

  useJobChanges((changed, complete) => {
    if (job === undefined) return;
    // What a waiting job waits for are the others of its kind.
    const concerns = changed.some((other) =>
      other.id === id ? other.lastEventId > job.lastEventId : job.status === "pending" && other.kind === job.kind,
    );
    if (concerns || !complete) lookAgain();
  });

  return query;
}
