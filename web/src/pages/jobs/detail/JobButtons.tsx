/** What one can do to a job: cancel it while it is not over, retry it if it came to nothing. */
import { Tooltip } from "@mantine/core";
import { IconBan, IconRefresh } from "@tabler/icons-react";
import type { JobDetail } from "../../../../../src/contract/jobs.ts";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { WriteButton } from "../../../parts/WriteButton.tsx";
import { retryHint, useJobActions } from "../use-job-actions.ts";

export function JobButtons({ job: { id, status } }: { job: JobDetail }) {
  const { cancel, retry } = useJobActions();
  switch (status) {
    case "pending":
    case "running":
      return (
        <ConfirmButton
          question="Cancel this job? What is done stays done, and a retry goes on from there."
          confirm="Cancel the job"
          onConfirm={() => cancel.mutate(id)}
          loading={cancel.isPending}
          leftSection={<IconBan size={16} aria-hidden />}
        >
          Cancel
        </ConfirmButton>
      );
    case "failed":
    case "cancelled":
      return (
        <Tooltip label={retryHint}>
          <WriteButton
            onClick={() => retry.mutate(id)}
            loading={retry.isPending}
            leftSection={<IconRefresh size={16} aria-hidden />}
          >
            Retry from the last checkpoint
          </WriteButton>
        </Tooltip>
      );
    case "completed":
      return null;
  }
}
