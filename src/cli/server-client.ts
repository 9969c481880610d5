/**
 * Talks to a Docmill server for the commands that need one. An answer is checked against the contract; an error the
 * server explains becomes a DocmillError with its code, and no answer at all becomes SERVER_UNREACHABLE.
 */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import type { z } from "zod";
import { BatchCreated, BatchDetail, BatchResults, RetriedBatch } from "../contract/batches.ts";
import { ApprovedPages, BookDetail, BookError, Guidelines, StartedJob } from "../contract/books.ts";
import {
  ConnectionList,
  DocumentDetail,
  DocumentList,
  type DocumentOptions,
  DocumentSummary,
  ProcessingJobList,
  SearchAnswer,
} from "../contract/documents.ts";
import { ErrorAnswer } from "../contract/errors.ts";
import { JobDetail, JobList, NewJobAnswer } from "../contract/jobs.ts";
import { StartedSamples, Stats } from "../contract/system.ts";
import { DocmillError } from "../errors.ts";

export interface NewJob {
  kind: string;
  input: unknown;
  priority?: number;
  delayMs?: number;
  idempotencyKey?: string;
}

/** Heat sheets, and whom to look for in them. */
export interface NewBatch {
  swimmer: string;
  files: readonly string[];
  urls: readonly string[];
  email?: string;
  /** Whether a language model is to read them. */
  ai: boolean;
}

export type ServerClient = ReturnType<typeof connectServer>;

export function connectServer(url: string) {
  const base = url.replace(/\/+$/, "");
  return {
    url: base,

    readJob: (id: string) => ask(JobDetail, `/api/jobs/${encodeURIComponent(id)}`),
    listJobs: (query: Record<string, string> = {}) => ask(JobList, `/api/jobs?${new URLSearchParams(query)}`),
    readStats: () => ask(Stats, "/api/stats"),

    createJob({ idempotencyKey, ...job }: NewJob) {
      const headers = {
        "content-type": "application/json",
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      };
      return ask(NewJobAnswer, "/api/jobs", { method: "POST", headers, body: JSON.stringify(job) });
    },

    async changeJob(id: string, action: "cancel" | "retry"): Promise<void> {
      const response = await reach(`/api/jobs/${encodeURIComponent(id)}/${action}`, { method: "POST" });
      if (!response.ok) throw await explainAnswer(response);
      await response.body?.cancel();
    },

    readDocument: (id: string) => ask(DocumentDetail, `/api/documents/${encodeURIComponent(id)}`),
    readDocumentJobs: (id: string) => ask(ProcessingJobList, `/api/documents/${encodeURIComponent(id)}/jobs`),
    listConnections: (query: Record<string, string>) =>
      ask(ConnectionList, `/api/connections?${new URLSearchParams(query)}`),
    listDocuments: (query: Record<string, string> = {}) =>
      ask(DocumentList, `/api/documents?${new URLSearchParams(query)}`),
    search: (query: Record<string, string>) => ask(SearchAnswer, `/api/search?${new URLSearchParams(query)}`),

    addUrl: (request: { url: string; title?: string; options: DocumentOptions }) =>
      ask(DocumentSummary, "/api/documents/from-url", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      }),

    /** Sends the file from the disk as it is read. */
    async uploadFile(path: string, { title, options }: { title?: string; options: DocumentOptions }) {
      const form = new FormData();
      form.set("file", await openAsBlob(path), basename(path));
      if (title !== undefined) form.set("title", title);
      form.set("options", JSON.stringify(options));
      return ask(DocumentSummary, "/api/documents", { method: "POST", body: form });
    },

    /** Sends the files from the disk as they are read. */
    async createBatch({ swimmer, files, urls, email, ai }: NewBatch, signal: AbortSignal) {
      const form = new FormData();
      form.set("swimmer", swimmer);
      if (urls.length > 0) form.set("urls", JSON.stringify(urls));
      if (email !== undefined) form.set("notifyEmail", email);
      for (const path of files) form.append("pdfs", await openAsBlob(path), basename(path));
      return ask(BatchCreated, `/api/batch/extract${ai ? "?extractor=ai" : ""}`, {
        method: "POST",
        body: form,
        signal,
      });
    },

    readBatch: (id: string) => ask(BatchDetail, batchPath(id)),
    readBatchResults: (id: string) => ask(BatchResults, batchPath(id, "/results")),
    retryBatch: (id: string) => ask(RetriedBatch, batchPath(id, "/retry"), { method: "POST" }),

    async readCalendar(id: string, alarmMinutes: string): Promise<string> {
      const response = await reach(batchPath(id, `/calendar.ics?${new URLSearchParams({ alarm: alarmMinutes })}`));
      if (!response.ok) throw await explainAnswer(response);
      return response.text();
    },

    startSamples: () => ask(StartedSamples, "/api/samples", { method: "POST" }),

    readBook: (id: string) => ask(BookDetail, bookPath(id)),
    approveAllPages: (id: string) => ask(ApprovedPages, bookPath(id, "/pages/approve-all"), { method: "POST" }),
    generateGuidelines: (id: string) => ask(StartedJob, bookPath(id, "/generate-guidelines"), { method: "POST" }),
    finalizeBook: (id: string) => ask(StartedJob, bookPath(id, "/finalize"), { method: "POST" }),
    readGuidelines: (id: string) => ask(Guidelines, bookPath(id, "/guidelines")),

    /** The job's events after a number, as the server sends them; undefined if the job has ended and none came after. */
    openStream: (id: string, after: number, signal: AbortSignal) =>
      openEvents(`/api/jobs/${encodeURIComponent(id)}/stream`, after, signal),
    /** The same of a batch. */
    openBatchStream: (id: string, after: number, signal: AbortSignal) =>
      openEvents(batchPath(id, "/stream"), after, signal),
  };

  async function openEvents(
    path: string,
    after: number,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array> | undefined> {
    const headers = { accept: "text/event-stream", "last-event-id": String(after) };
    const response = await reach(path, { headers, signal });
    if (!response.ok) throw await explainAnswer(response);
    return response.body ?? undefined;
  }

  async function ask<Answer>(schema: z.ZodType<Answer>, path: string, init?: RequestInit): Promise<Answer> {
    const response = await reach(path, init);
    if (!response.ok) throw await explainAnswer(response);
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    throw new DocmillError(
      "SERVER_NOT_UNDERSTOOD",
      `${base} answered something that this version of Docmill does not understand. Is it a Docmill server of the same version?`,
      { cause: parsed.error },
    );
  }

  async function reach(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(base + path, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new DocmillError(
        "SERVER_UNREACHABLE",
        `There is no Docmill server at ${base} (${reasonOf(error)}). Start one with docmill serve, or name it with --server.`,
        { cause: error },
      );
    }
  }

  async function explainAnswer(response: Response): Promise<DocmillError> {
    const body: unknown = await response.json().catch(() => undefined);
    const parsed = ErrorAnswer.safeParse(body);
    if (parsed.success) {
      const { error, message, details, requestId } = parsed.data;
      const trace = requestId === undefined ? "" : ` The server's log has more under ${requestId}.`;
      return new DocmillError(error, message.replaceAll(/\s*\n\s*/g, " ") + trace, { details });
    }
    const ofBook = BookError.safeParse(body);
    if (ofBook.success) return new DocmillError("SERVER_REFUSED", ofBook.data.detail);
    return new DocmillError("SERVER_ERROR", `${base} answered ${response.status}. Is it a Docmill server?`);
  }
}

function batchPath(id: string, rest = ""): string {
  return `/api/batch/${encodeURIComponent(id)}${rest}`;
}

function bookPath(id: string, rest = ""): string {
  return `/admin/books/${encodeURIComponent(id)}${rest}`;
}

/** fetch hides what happened in the cause of its error. */
function reasonOf(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message?: string };
  return code ?? message ?? "no answer";
}
