/** A job as a person watches it: what the server said of it at first, brought up to date by each event. */
import type { WatchedEvent } from "../client/index.ts";
import type { JobSummary } from "../contract/jobs.ts";
import { isEnded } from "../contract/states.ts";

/** What is told of it, wherever it came from. */
type Told = Pick<WatchedEvent<unknown>, "type" | "data">;

export type JobView = Pick<
  JobSummary,
  "id" | "kind" | "status" | "stage" | "totalItems" | "completedItems" | "failedItems" | "message"
> & {
  /** What it is shown as, instead of its kind and id. */
  label?: string;
};

/** The view after an event. Numbers are absolute, so seeing one twice would change nothing. */
export function applyEvent(view: JobView, { type, data }: Told): JobView {
  switch (type) {
    // The server no longer has what came in between, and says how things stand instead.
    case "state_sync":
      return { ...view, ...(data as Partial<JobView>) };
    case "job_started":
      return { ...view, status: "running" };
    case "stage_completed":
      return { ...view, stage: null, totalItems: null, completedItems: 0, failedItems: 0, message: null };
    case "job_progress":
      return {
        ...view,
        stage: text(data.stage) ?? view.stage,
        totalItems: number(data.total) ?? view.totalItems,
        completedItems: number(data.completed) ?? view.completedItems,
        failedItems: number(data.failed) ?? view.failedItems,
        message: data.message === undefined ? view.message : text(data.message),
      };
    case "job_retrying":
    case "job_released":
    case "job_lost":
    case "job_retried":
      return { ...view, status: "pending" };
    case "job_completed":
      return { ...view, status: "completed" };
    case "job_failed":
      return { ...view, status: "failed" };
    case "job_cancelled":
      return { ...view, status: "cancelled" };
    default:
      return view;
  }
}

/** What an event says, in a line; undefined for progress, which is shown from the view. */
export function describeEvent({ type, data }: Told): string | undefined {
  switch (type) {
    case "job_progress":
    case "state_sync":
      return undefined;
    case "job_started":
      return "started";
    case "stage_completed":
      return `stage ${data.stage} done`;
    case "job_retrying":
      return `attempt ${data.attempt} failed (${data.errorCode}): ${data.errorMessage}; next one in ${seconds(data.delayMs)}`;
    case "job_released":
      return "handed back, goes on elsewhere from its last checkpoint";
    case "job_lost":
      return "its worker is gone; goes on elsewhere from its last checkpoint";
    case "job_completed":
      return "completed";
    case "job_failed":
      return `failed (${data.errorCode}): ${data.errorMessage}`;
    case "job_cancelled":
      return "cancelled";
    case "job_retried":
      return "started again by a person";
    default:
      return `${type} ${JSON.stringify(data)}`;
  }
}

/** Where a job is: its stage, its items, what it says itself; its state between stages and at the end. */
export function describeProgress(view: JobView): string {
  if (isEnded(view.status)) return view.status;
  const items = view.totalItems === null ? "" : `${view.completedItems} of ${view.totalItems} items`;
  const failed = view.failedItems > 0 ? `${view.failedItems} failed` : "";
  const parts = [items, failed, view.message ?? ""].filter(Boolean).join(", ");
  return [view.stage ?? "", parts].filter(Boolean).join(": ") || view.status;
}

export function seconds(ms: unknown): string {
  return `${(Number(ms) / 1_000).toFixed(1)} s`;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
