/** Documents, search and connections. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  Connection,
  ConnectionChange,
  ConnectionList,
  DocumentChunkList,
  DocumentDetail,
  DocumentFieldList,
  DocumentList,
  DocumentOptions,
  DocumentOutline,
  DocumentQuery,
  DocumentSummary,
  DocumentTableList,
  PageWords,
  ProcessingJob,
  SearchAnswer,
  SearchQuery,
} from "../../../src/contract/documents.ts";
import { request } from "./request.ts";

/** Kinds of jobs that change documents. */
export const documentKinds = ["document", "detect_connections", "reembed_document"] as const;

export const documentKeys = {
  all: ["documents"],
  list: ["documents", "list"],
  one: (id: string) => ["documents", "one", id],
} as const;

export const documentList = (filter: Partial<DocumentQuery>) =>
  queryOptions({
    queryKey: [...documentKeys.list, filter],
    queryFn: ({ signal }) => request<DocumentList>("/api/documents", { query: filter, signal }),
    placeholderData: keepPreviousData,
    meta: { live: documentKinds },
  });

export const oneDocument = (id: string) =>
  queryOptions({
    queryKey: documentKeys.one(id),
    queryFn: ({ signal }) => request<DocumentDetail>(`/api/documents/${id}`, { signal }),
  });

/** Results change only when the document is read again; whoever shows it has them asked for anew then. */
const resultsStayMs = 300_000;

export interface DocumentMarkdown {
  markdown: string;
  /** Where each page begins in it, where the document has pages. */
  pages: { page: number; offset: number }[];
}

export const documentMarkdown = (id: string) =>
  queryOptions({
    queryKey: [...documentKeys.one(id), "markdown"],
    queryFn: ({ signal }) => request<DocumentMarkdown>(`/api/documents/${id}/markdown`, { signal }),
    staleTime: resultsStayMs,
  });

/** A list of results that comes in pages. */
function resultPages<List extends { nextCursor: string | null }>(id: string, name: string, limit = 100) {
  return infiniteQueryOptions({
    queryKey: [...documentKeys.one(id), name],
    queryFn: ({ pageParam, signal }) =>
      request<List>(`/api/documents/${id}/${name}`, { query: { limit, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: resultsStayMs,
  });
}

export const documentChunks = (id: string) => resultPages<DocumentChunkList>(id, "chunks");
export const documentFields = (id: string) => resultPages<DocumentFieldList>(id, "fields", 500);
export const documentTables = (id: string) => resultPages<DocumentTableList>(id, "tables");
export const documentConnections = (id: string) => resultPages<ConnectionList>(id, "connections", 50);

export const documentOutline = (id: string) =>
  queryOptions({
    queryKey: [...documentKeys.one(id), "outline"],
    queryFn: ({ signal }) => request<DocumentOutline>(`/api/documents/${id}/outline`, { signal }),
    staleTime: resultsStayMs,
  });

export const documentJobs = (id: string) =>
  queryOptions({
    queryKey: [...documentKeys.one(id), "jobs"],
    queryFn: ({ signal }) => request<{ items: ProcessingJob[] }>(`/api/documents/${id}/jobs`, { signal }),
    meta: { live: documentKinds },
  });

export const pageWords = (id: string, page: number) =>
  queryOptions({
    queryKey: [...documentKeys.one(id), "words", page],
    queryFn: ({ signal }) => request<PageWords>(`/api/documents/${id}/pages/${page}/words`, { signal }),
    staleTime: resultsStayMs,
  });

export const pageImageUrl = (id: string, page: number) => `/api/documents/${id}/pages/${page}/image?dpi=110`;
export const fileUrl = (id: string) => `/api/documents/${id}/file`;

export const retryDocument = (id: string) => request<DocumentDetail>(`/api/documents/${id}/retry`, { method: "POST" });
export const cancelDocument = (id: string) =>
  request<DocumentDetail>(`/api/documents/${id}/cancel`, { method: "POST" });
export const reprocessDocument = (id: string, options?: DocumentOptions) =>
  request<DocumentDetail>(`/api/documents/${id}/reprocess`, { method: "POST", body: { options } });
export const deleteDocument = (id: string) => request<void>(`/api/documents/${id}`, { method: "DELETE" });
export const addFromUrl = (url: string) =>
  request<DocumentSummary>("/api/documents/from-url", { method: "POST", body: { url } });

export const searchPassages = (query: Pick<SearchQuery, "q"> & Partial<SearchQuery>) =>
  infiniteQueryOptions({
    queryKey: ["search", query],
    queryFn: ({ pageParam, signal }) =>
      request<SearchAnswer>("/api/search", { query: { ...query, limit: 20, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const changeConnection = (id: string, change: ConnectionChange) =>
  request<Connection>(`/api/connections/${id}`, { method: "PATCH", body: change });
