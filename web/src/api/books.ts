/** Books: pages, jobs and guidelines. */
import { queryOptions } from "@tanstack/react-query";
import type {
  Book,
  BookDetail,
  BookJob,
  BookJobType,
  BookPage,
  BulkUploaded,
  Guidelines,
  ListedBook,
  NewBook,
  PageWithText,
  StartedJob,
  Subtopic,
  SubtopicEdit,
} from "../../../src/contract/books.ts";
import { request, withQuery } from "./request.ts";
import { type SendOptions, sendFiles } from "./send-files.ts";

/** Kinds of jobs that change books. */
export const bookKinds = ["ocr_batch", "extraction", "finalization"] as const;

/** Everything under `one` is about one book. */
export const bookKeys = {
  list: ["books", "list"],
  one: (id: string) => ["books", "one", id],
  guidelines: (id: string) => ["books", "one", id, "guidelines"],
  jobs: (id: string) => ["books", "one", id, "jobs"],
  pages: (id: string) => ["books", "one", id, "page"],
} as const;

export const bookList = queryOptions({
  queryKey: bookKeys.list,
  queryFn: ({ signal }) => request<{ books: ListedBook[] }>("/admin/books", { signal }),
  meta: { live: bookKinds },
});

/** Whoever shows a book keeps it true (see useBookChanges): the jobs of other books do not concern it. */
export const oneBook = (id: string) =>
  queryOptions({
    queryKey: bookKeys.one(id),
    queryFn: ({ signal }) => request<BookDetail>(`/admin/books/${id}`, { signal }),
  });

/** A page's text. It is another answer once the page has been read, or is another page under the same number. */
export const bookPage = (id: string, { page_num, ocr_status, image_key, uploaded_at }: BookPage) =>
  queryOptions({
    queryKey: [...bookKeys.pages(id), page_num, ocr_status, image_key, uploaded_at],
    queryFn: ({ signal }) => request<PageWithText>(`/admin/books/${id}/pages/${page_num}`, { signal }),
  });

export const bookGuidelines = (id: string) =>
  queryOptions({
    queryKey: bookKeys.guidelines(id),
    queryFn: ({ signal }) => request<Guidelines>(`/admin/books/${id}/guidelines`, { signal }),
  });

export const bookJobs = (id: string) =>
  queryOptions({
    queryKey: bookKeys.jobs(id),
    queryFn: ({ signal }) => request<{ jobs: BookJob[] }>(`/admin/books/${id}/jobs`, { signal }),
  });

/** Names the image too, which may be another one under the same number: a page moved up, or its scan was replaced. */
export const scanUrl = (id: string, { page_num, image_key, raw_image_key, uploaded_at }: BookPage) =>
  withQuery(`/admin/books/${id}/pages/${page_num}/image`, { of: `${image_key ?? raw_image_key} ${uploaded_at}` });

export const getLatestJob = (id: string, jobType?: BookJobType, signal?: AbortSignal) =>
  request<BookJob | null>(`/admin/books/${id}/jobs/latest`, { query: { job_type: jobType }, signal });
export const cancelBookJob = (id: string, jobId: string) =>
  request<BookJob>(`/admin/books/${id}/jobs/${jobId}/cancel`, { method: "POST" });

export const createBook = (book: NewBook) => request<Book>("/admin/books", { method: "POST", body: book });
export const deleteBook = (id: string) => request<void>(`/admin/books/${id}`, { method: "DELETE" });

export const addPages = (id: string, files: readonly File[], options?: SendOptions) =>
  sendFiles<BulkUploaded>(`/admin/books/${id}/pages/bulk`, formOf("images", files), options);
/** Answers when the page has been read. */
export const addPage = (id: string, file: File) =>
  sendFiles<PageWithText>(`/admin/books/${id}/pages`, formOf("image", [file]));
/** Answers when the page has been read. */
export const replaceScan = (id: string, page: number, file: File) =>
  sendFiles<PageWithText>(`/admin/books/${id}/pages/${page}/image`, formOf("image", [file]), { method: "PUT" });

function formOf(field: string, files: readonly File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append(field, file);
  return form;
}

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
