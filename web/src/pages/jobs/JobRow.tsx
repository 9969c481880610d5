/** A job as a row of the table. All of it leads to the job; the button at its end cancels or retries it. */
import { IconBan, IconRefresh } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import type { JobSummary } from "../../../../src/contract/jobs.ts";
import { formatAgo, formatCount, formatDateTime, formatName } from "../../parts/format.ts";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { WriteIcon } from "../../parts/WriteButton.tsx";
import { describeJob } from "./describe-job.ts";
import classes from "./JobTable.module.css";
import { JobTook } from "./JobTook.tsx";
import type { ShownJob } from "./merge-job-changes.ts";
import { tableRoles } from "./table-roles.ts";

export interface JobRowProps extends ShownJob {
  /** Its place among all rows, from 0. */
  index: number;
  top: number;
  height: number;
  now: number;
  onCancel(id: string): void;
  onRetry(id: string): void;
}

/** Made of plain elements where it can be: a row is drawn anew for every few pixels scrolled. */
export const JobRow = memo(function JobRow({ job, leaving, index, top, height, now, onCancel, onRetry }: JobRowProps) {
  const name = formatName(job.kind);
  const what = describeJob(job, now);
  return (
    <div
      {...tableRoles.row(index + 2)}
      className={classes.row}
      data-leaving={leaving || undefined}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <Cell name="state">
        <StateBadge state={job.status} />
      </Cell>
      <Cell name="kind">
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} preload={false} className={classes.link}>
          {name}
        </Link>
      </Cell>
      <Cell name="what" title={what}>
        {what}
      </Cell>
      <Cell name="progress">
        <RowProgress {...job} />
      </Cell>
      <Cell name="attempts">
        {job.attempts}/{job.maxAttempts}
      </Cell>
      <Cell name="created">
        <time dateTime={job.createdAt} title={formatDateTime(job.createdAt)}>
          {formatAgo(job.createdAt, now)}
        </time>
      </Cell>
      <Cell name="took">
        <JobTook job={job} />
      </Cell>
      <Cell name="actions">
        {(job.status === "pending" || job.status === "running") && (
          <WriteIcon
            color="gray"
            aria-label={`Cancel ${name}`}
            title="Cancel"
            className={classes.action}
            onClick={() => onCancel(job.id)}
          >
            <IconBan size={16} aria-hidden />
          </WriteIcon>
        )}
        {(job.status === "failed" || job.status === "cancelled") && (
          <WriteIcon
            aria-label={`Retry ${name}`}
            title="Retry: goes on from the last checkpoint"
            className={classes.action}
            onClick={() => onRetry(job.id)}
          >
            <IconRefresh size={16} aria-hidden />
          </WriteIcon>
        )}
      </Cell>
    </div>
  );
});

function Cell({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div {...tableRoles.cell()} className={classes.cell} data-column={name} title={title}>
      {children}
    </div>
  );
}

function RowProgress({ status, completedItems, failedItems, totalItems }: JobSummary) {
  if (totalItems === null || totalItems === 0) return null;
  const share = (items: number) => `${(items / totalItems) * 100}%`;
  return (
    <>
      {status !== "completed" && (
        <span className={classes.bar} aria-hidden>
          <span style={{ width: share(completedItems) }} />
          <span data-failed style={{ width: share(failedItems) }} />
        </span>
      )}
      <span>
        {formatCount(completedItems)}/{formatCount(totalItems)}
        {failedItems > 0 && <span className={classes.failed}> {formatCount(failedItems)} failed</span>}
      </span>
    </>
  );
}
