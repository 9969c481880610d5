/** Books: pages, jobs and guidelines. */
import { queryOptions } from "@tanstack/react-query";
import type {
  Book,
  BookDetail,
  BookJob,
  BookJobType,
  BookPage,
  Guidelines,
  NewBook,
  PageWithText,
  StartedJob,
  Subtopic,
  SubtopicEdit,
} from "../../../src/contract/books.ts";
import { request } from "./request.ts";

/** Kinds of jobs that change books. */
export const bookKinds = ["ocr_batch", "extraction", "finalization"] as const;

export const bookKeys = {
  list: ["books", "list"],
  one: (id: string) => ["books", "one", id],
  guidelines: (id: string) => ["books", "one", id, "guidelines"],
  page: (id: string, page: number) => ["books", "one", id, "page", page],
} as const;

export const bookList = queryOptions({
  queryKey: bookKeys.list,
  queryFn: ({ signal }) => request<{ books: Book[] }>("/admin/books", { signal }),
  meta: { live: bookKinds },
});

export const oneBook = (id: string) =>
  queryOptions({
    queryKey: bookKeys.one(id),
    queryFn: ({ signal }) => request<BookDetail>(`/admin/books/${id}`, { signal }),
    meta: { live: bookKinds },
  });

export const bookPage = (id: string, page: number) =>
  queryOptions({
    queryKey: bookKeys.page(id, page),
    queryFn: ({ signal }) => request<PageWithText>(`/admin/books/${id}/pages/${page}`, { signal }),
  });

export const bookGuidelines = (id: string) =>
  queryOptions({
    queryKey: bookKeys.guidelines(id),
    queryFn: ({ signal }) => request<Guidelines>(`/admin/books/${id}/guidelines`, { signal }),
    meta: { live: ["extraction", "finalization"] },
  });

export const scanUrl = (id: string, page: number) => `/admin/books/${id}/pages/${page}/image`;

export const getLatestJob = (id: string, jobType?: BookJobType, signal?: AbortSignal) =>
  request<BookJob | null>(`/admin/books/${id}/jobs/latest`, { query: { job_type: jobType }, signal });
export const listBookJobs = (id: string) => request<{ jobs: BookJob[] }>(`/admin/books/${id}/jobs`);
export const cancelBookJob = (id: string, jobId: string) =>
  request<BookJob>(`/admin/books/${id}/jobs/${jobId}/cancel`, { method: "POST" });

export const createBook = (book: NewBook) => request<Book>("/admin/books", { method: "POST", body: book });
export const deleteBook = (id: string) => request<void>(`/admin/books/${id}`, { method: "DELETE" });

export const approvePage = (id: string, page: number) =>
  request<BookPage>(`/admin/books/${id}/pages/${page}/approve`, { method: "PUT" });
export const approveAllPages = (id: string) =>
  request<{ approved: number[] }>(`/admin/books/${id}/pages/approve-all`, { method: "POST" });
export const savePageText = (id: string, page: number, text: string) =>
  request<PageWithText>(`/admin/books/${id}/pages/${page}/text`, { method: "PUT", body: { text } });
export const retryPage = (id: string, page: number) =>
  request<{ ocr_status: string; ocr_error: string | null }>(`/admin/books/${id}/pages/${page}/retry-ocr`, {
    method: "POST",
  });
export const retryFailedPages = (id: string) =>
  request<StartedJob>(`/admin/books/${id}/pages/retry-failed`, { method: "POST" });
export const deletePage = (id: string, page: number) =>
  request<{ total_pages: number }>(`/admin/books/${id}/pages/${page}`, { method: "DELETE" });

export interface GenerateOptions {
  start_page?: number;
  end_page?: number;
  resume?: boolean;
  auto_sync_to_db?: boolean;
}

export const generateGuidelines = (id: string, options: GenerateOptions) =>
  request<StartedJob>(`/admin/books/${id}/generate-guidelines`, { method: "POST", body: options });
export const finalizeGuidelines = (id: string, options: Pick<GenerateOptions, "auto_sync_to_db"> = {}) =>
  request<StartedJob>(`/admin/books/${id}/finalize`, { method: "POST", body: options });
export const editSubtopic = (id: string, subtopicId: string, edit: SubtopicEdit) =>
  request<Subtopic>(`/admin/books/${id}/guidelines/${subtopicId}`, { method: "PUT", body: edit });
export const judgeSubtopic = (id: string, subtopicId: string, verdict: "approve" | "reject") =>
  request<Subtopic>(`/admin/books/${id}/guidelines/${subtopicId}/${verdict}`, { method: "POST" });
