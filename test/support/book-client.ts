/** What people do with books over HTTP, on any server. */
import type { BookDetail, BookJob, BookPage, BulkUploaded, Guidelines, StartedJob } from "../../src/contract/books.ts";
import { type DocumentClient, openDocumentClient, type SampleFile } from "./document-place.ts";
import { until } from "./until.ts";

type Answer = ReturnType<DocumentClient["ask"]>;

export interface BookClient extends Pick<DocumentClient, "ask" | "post"> {
  put(path: string, body?: unknown): Answer;
  remove(path: string): Answer;
  /** Begins a book; answers its id. */
  create(title?: string): Promise<string>;
  bulk(bookId: string, files: readonly SampleFile[]): Answer;
  /** The same, of what must not be refused. */
  bring(bookId: string, files: readonly SampleFile[]): Promise<BulkUploaded>;
  addPage(bookId: string, file: SampleFile): Answer;
  replacePage(bookId: string, page: number, file: SampleFile): Answer;
  show(bookId: string): Promise<BookDetail>;
  pages(bookId: string): Promise<BookPage[]>;
  job(bookId: string, jobId: string): Promise<BookJob>;
  latest(bookId: string, type?: BookJob["job_type"]): Promise<BookJob | null>;
  generate(bookId: string, request?: object): Promise<StartedJob>;
  finalize(bookId: string, request?: object): Promise<StartedJob>;
  guidelines(bookId: string): Promise<Guidelines>;
  /** The job as soon as `fits` is true of it. */
  jobWhen(bookId: string, jobId: string, fits: (job: BookJob) => boolean): Promise<BookJob>;
  /** The job as soon as it has ended. */
  ended(bookId: string, jobId: string): Promise<BookJob>;
}

export function openBookClient(url: string): BookClient {
  const { ask, post } = openDocumentClient(url);
  const need = async (answer: Answer) => {
    const { status, body } = await answer;
    if (status !== 200 && status !== 201) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const send = (method: string) => (path: string, body?: unknown) =>
    ask(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  const upload = (method: string, path: string, field: string, files: readonly SampleFile[]) =>
    ask(path, { method, body: fillForm(field, files) });
  const at = (bookId: string, path = "") => `/admin/books/${bookId}${path}`;
  const bulk: BookClient["bulk"] = (bookId, files) => upload("POST", at(bookId, "/pages/bulk"), "images", files);
  const job: BookClient["job"] = (bookId, jobId) => need(ask(at(bookId, `/jobs/${jobId}`)));
  const jobWhen: BookClient["jobWhen"] = (bookId, jobId, fits) =>
    until(async () => {
      const now = await job(bookId, jobId);
      return fits(now) && now;
    });
  return {
    ask,
    post,
    put: send("PUT"),
    remove: send("DELETE"),
    create: async (title = "Sums and Magnets") => (await need(post("/admin/books", { title, grade: 4 }))).id,
    bulk,
    bring: (bookId, files) => need(bulk(bookId, files)),
    addPage: (bookId, file) => upload("POST", at(bookId, "/pages"), "image", [file]),
    replacePage: (bookId, page, file) => upload("PUT", at(bookId, `/pages/${page}/image`), "image", [file]),
    show: (bookId) => need(ask(at(bookId))),
    pages: async (bookId) => (await need(ask(at(bookId, "/pages")))).pages,
    job,
    latest: (bookId, type) => need(ask(at(bookId, `/jobs/latest${type ? `?job_type=${type}` : ""}`))),
    generate: (bookId, request) => need(post(at(bookId, "/generate-guidelines"), request)),
    finalize: (bookId, request) => need(post(at(bookId, "/finalize"), request)),
    guidelines: (bookId) => need(ask(at(bookId, "/guidelines"))),
    jobWhen,
    ended: (bookId, jobId) => jobWhen(bookId, jobId, ({ status }) => status !== "pending" && status !== "running"),
  };
}

function fillForm(field: string, files: readonly SampleFile[]): FormData {
  const form = new FormData();
  for (const { name, bytes } of files) form.append(field, new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  return form;
}

/** The error of a book's job about each page, by the page's number. */
export function pageErrors(job: BookJob): Record<string, { error: string; error_type: string }> {
  return JSON.parse(job.progress_detail ?? "{}").page_errors;
}

export function readStats(job: BookJob): Record<string, number> {
  return JSON.parse(job.progress_detail ?? "{}").stats;
}
