/** What a job says beside its numbers. It is JSON in a string, which may be cut off or something else: then it says nothing. */
import type { BookJob } from "../../../../src/contract/books.ts";

export interface PageError {
  page: number;
  error: string;
}

export interface ProgressDetail {
  /** By page. */
  pageErrors: PageError[];
  stats: { created: number; merged: number } | null;
}

export function readProgressDetail({ progress_detail }: Pick<BookJob, "progress_detail">): ProgressDetail {
  const detail = asObject(parse(progress_detail));
  const stats = asObject(detail.stats);
  const { subtopics_created: created, subtopics_merged: merged } = stats;
  const pageErrors = Object.entries(asObject(detail.page_errors))
    .map(([page, failure]) => ({ page: Number(page), error: sayFailure(failure) }))
    .filter(({ page }) => Number.isInteger(page))
    .sort((a, b) => a.page - b.page);
  return {
    pageErrors,
    stats: typeof created === "number" ? { created, merged: typeof merged === "number" ? merged : 0 } : null,
  };
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** An error is told with its type, and was a mere sentence once. */
function sayFailure(failure: unknown): string {
  const error = typeof failure === "string" ? failure : asObject(failure).error;
  return typeof error === "string" ? error : "It is not known why.";
}
