/** What the address of the list means to the server. Values that nobody offers are as good as none. */
import type { DocumentQuery, DocumentState } from "../../../../../src/contract/documents.ts";
import type { DocumentsSearch } from "../../../router.tsx";
import { formatOptions } from "../formats.ts";

const pageSize = 25;

export const stateOptions: readonly { value: DocumentState; label: string }[] = [
  { value: "Processing", label: "Processing" },
  { value: "Ready", label: "Ready" },
  { value: "Failed", label: "Failed" },
  { value: "Cancelled", label: "Cancelled" },
];

export const sortOptions: readonly { value: DocumentQuery["sort"]; label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
  { value: "name", label: "By file name" },
];

const longestQuery = 200;

export function toListQuery({ q, status, format, sort, after }: DocumentsSearch): Partial<DocumentQuery> {
  return {
    q: q?.trim().slice(0, longestQuery) || undefined,
    status: stateOptions.find(({ value }) => value === status)?.value,
    format: formatOptions.find(({ value }) => value === format)?.value,
    sort: sortOptions.find(({ value }) => value === sort)?.value ?? "newest",
    limit: pageSize,
    cursor: after?.at(-1),
  };
}

/** Another filter begins at its first page. What is empty is left out of the address. */
export function withFilter(search: DocumentsSearch, change: Omit<DocumentsSearch, "after">): DocumentsSearch {
  const next = { ...search, ...change };
  return {
    q: next.q || undefined,
    status: next.status || undefined,
    format: next.format || undefined,
    sort: next.sort === "newest" ? undefined : next.sort || undefined,
    after: undefined,
  };
}

export function toNextPage(search: DocumentsSearch, nextCursor: string): DocumentsSearch {
  return { ...search, after: [...(search.after ?? []), nextCursor] };
}

export function toPreviousPage(search: DocumentsSearch): DocumentsSearch {
  const after = search.after?.slice(0, -1);
  return { ...search, after: after?.length ? after : undefined };
}

export function isFiltered({ q, status, format }: Partial<DocumentQuery>): boolean {
  return q !== undefined || status !== undefined || format !== undefined;
}
