/** A batch of heat sheets as a person watches it: what the server said of it at first, brought up to date by each event. */
import type { WatchedEvent } from "../client/index.ts";
import { type BatchDetail, type SheetJob, type SheetStage, sheetStages } from "../contract/batches.ts";
import { type BatchState, isEnded } from "../contract/states.ts";

/** What is told of it, wherever it came from. */
type Told = Pick<WatchedEvent<unknown>, "type" | "data">;

export interface SheetView
  extends Pick<SheetJob, "id" | "sequence" | "status" | "stage" | "eventCount" | "cached" | "error" | "errorCode"> {
  name: string;
  message: string | null;
  /** How many steps it has come; one that fails stays where it was. */
  reached: number;
}

export interface BatchView {
  status: BatchState;
  sheets: readonly SheetView[];
}

/** The way of every sheet. One that needs no download and no model passes those by. */
const steps: readonly SheetStage[] = sheetStages.slice(0, sheetStages.indexOf("done") + 1);
export const lastStep = steps.length - 1;

export function viewBatch({ batch, jobs }: Pick<BatchDetail, "batch" | "jobs">): BatchView {
  return { status: batch.status, sheets: jobs.map(viewSheet) };
}

/** The batch as it was before anything happened to it. */
export function viewNewBatch(detail: Pick<BatchDetail, "jobs">): BatchView {
  const sheets = detail.jobs.map((job) =>
    viewSheet({ ...job, status: "pending", stage: "queued", progressMessage: null, error: null, errorCode: null }),
  );
  return { status: "pending", sheets };
}

function viewSheet(job: SheetJob): SheetView {
  const { id, sequence, status, stage, eventCount, cached, error, errorCode, progressMessage: message } = job;
  const reached = Math.max(0, steps.indexOf(stage));
  return { id, sequence, name: nameSheet(job), status, stage, eventCount, cached, error, errorCode, message, reached };
}

export function nameSheet({ filename, sourceUrl, sequence }: Pick<SheetJob, "filename" | "sourceUrl" | "sequence">) {
  return filename ?? sourceUrl ?? `sheet ${sequence}`;
}

export function isBatchEnded(status: BatchState): boolean {
  return status !== "pending" && status !== "running";
}

/** The view after an event. Everything in it is absolute, so seeing one twice would change nothing. */
export function applyBatchEvent(view: BatchView, { type, data }: Told): BatchView {
  const change = (changed: Partial<SheetView>): BatchView => ({
    ...view,
    sheets: view.sheets.map((sheet) => (sheet.id === data.jobId ? { ...sheet, ...changed } : sheet)),
  });
  switch (type) {
    // The server no longer has what came in between, and says how things stand instead.
    case "state_sync":
      return viewBatch(data as unknown as BatchDetail);
    case "job_progress": {
      const stage = sheetStages.find((name) => name === data.stage) ?? "queued";
      const status = stage === "queued" ? "pending" : "running";
      return change({ status, stage, message: text(data.message), reached: Math.max(0, steps.indexOf(stage)) });
    }
    case "job_completed": {
      const eventCount = typeof data.eventCount === "number" ? data.eventCount : null;
      return change({
        status: "completed",
        stage: "done",
        reached: lastStep,
        eventCount,
        cached: data.cached === true,
      });
    }
    case "job_failed":
      return change({
        status: "failed",
        stage: "failed",
        errorCode: text(data.errorCode),
        error: text(data.errorMessage),
      });
    case "batch_completed":
      return { ...view, status: data.status as BatchState };
    case "batch_cancelled":
      return {
        status: "cancelled",
        sheets: view.sheets.map((sheet) =>
          isEnded(sheet.status) ? sheet : { ...sheet, status: "cancelled", stage: "cancelled" },
        ),
      };
    case "batch_retried":
      return { ...view, status: "running" };
    default:
      return view;
  }
}

/** What is worth a line of its own: ends and retries. Undefined for progress, which is shown from the view. */
export function describeSheetEvent({ type, data }: Told, sheet: SheetView): string | undefined {
  if (type === "job_completed" || type === "job_failed") return describeSheet(sheet);
  if (type === "job_progress" && data.stage === "queued") return sheet.message ?? undefined;
  return undefined;
}

/** Where a sheet is, or what became of it. */
export function describeSheet(sheet: Omit<SheetView, "reached" | "name" | "id" | "sequence">): string {
  switch (sheet.status) {
    case "completed":
      return `done: ${count(sheet.eventCount ?? 0, "swim")}${sheet.cached ? ", known from before" : ""}`;
    case "failed":
      return `failed (${sheet.errorCode}): ${sheet.error}`;
    case "cancelled":
      return "cancelled";
    case "pending":
    case "running":
      return [sheet.stage.replaceAll("_", " "), sheet.message ?? ""].filter(Boolean).join(": ");
  }
}

export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
