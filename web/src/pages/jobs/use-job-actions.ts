/** Cancels and retries jobs. What the server answers is the job afterwards. */
import { useQueryClient } from "@tanstack/react-query";
import type { JobDetail } from "../../../../src/contract/jobs.ts";
import { cancelJob, jobKeys, retryJob } from "../../api/jobs.ts";
import { useAction } from "../../parts/use-action.ts";

export const retryHint = "It goes on from the last checkpoint: what is done stays done.";

export function useJobActions(onDone?: (job: JobDetail) => void) {
  const queryClient = useQueryClient();
  const take = (job: JobDetail) => {
    queryClient.setQueryData(jobKeys.one(job.id), job);
    onDone?.(job);
  };
  const cancel = useAction<string, JobDetail>({ run: cancelJob, done: "The job is cancelled.", onDone: take });
  const retry = useAction<string, JobDetail>({
    run: retryJob,
    done: "The job is queued again. It goes on from its last checkpoint.",
    onDone: take,
  });
  return { cancel, retry };
}
