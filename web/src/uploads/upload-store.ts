/**
 * Documents on their way to the server. They outlive the page they were dropped on: a few are sent at a time, each under
 * a key of its own, so that trying one again never makes two documents of it.
 */
import type { DocumentSummary } from "../../../src/contract/documents.ts";
import { newIdempotencyKey } from "../api/idempotency-key.ts";
import { type ApiError, signedOut } from "../api/request.ts";
import { sendFiles } from "../api/send-files.ts";

export interface Upload {
  id: string;
  file: File;
  state: "waiting" | "sending" | "sent" | "failed";
  /** Between 0 and 1. */
  share: number;
  documentId: string | undefined;
  error: ApiError | undefined;
}

export interface UploadStore {
  add(files: readonly File[]): void;
  retry(id: string): void;
  /** Takes one off the list; one that is under way is stopped. */
  remove(id: string): void;
  /** Takes those off that are not under way. */
  clear(): void;
  /** Stops everything and takes it off. */
  removeAll(): void;
  /** What waits has failed, because nobody is signed in who could send it. It can be tried again. */
  refuseWaiting(): void;
  list(): readonly Upload[];
  subscribe(listener: () => void): () => void;
}

export function isUnderWay({ state }: Upload): boolean {
  return state === "waiting" || state === "sending";
}

const mostAtOnce = 3;

export function createUploadStore(onSent: (document: DocumentSummary) => void): UploadStore {
  let uploads: readonly Upload[] = [];
  const listeners = new Set<() => void>();
  const stops = new Map<string, AbortController>();

  const set = (next: readonly Upload[]) => {
    uploads = next;
    for (const listener of listeners) listener();
  };
  const change = (id: string, change: Partial<Upload>) =>
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

  const sendNext = () => {
    const free = mostAtOnce - uploads.filter(({ state }) => state === "sending").length;
    for (const upload of uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(free, 0)))
      void send(upload);
  };

  const send = async ({ id, file }: Upload) => {
    const stop = new AbortController();
    stops.set(id, stop);
    change(id, { state: "sending", share: 0, error: undefined });
    const form = new FormData();
    form.append("file", file);
    try {
      const document = await sendFiles<DocumentSummary>("/api/documents", form, {
        headers: { "idempotency-key": id },
        signal: stop.signal,
        onProgress: (share) => change(id, { share }),
      });
      change(id, { state: "sent", share: 1, documentId: document.id });
      onSent(document);
    } catch (error) {
      change(id, { state: "failed", error: error as ApiError });
    } finally {
      stops.delete(id);
      sendNext();
    }
  };

  return {
    add(files) {
      const added = files.map(
        (file): Upload => ({
          id: newIdempotencyKey(),
          file,
          state: "waiting",
          share: 0,
          documentId: undefined,
          error: undefined,
        }),
      );
      set([...uploads, ...added]);
      sendNext();
    },
    retry(id) {
      change(id, { state: "waiting", share: 0, error: undefined });
      sendNext();
    },
    remove(id) {
      set(uploads.filter((upload) => upload.id !== id));
      stops.get(id)?.abort();
    },
    clear: () => set(uploads.filter(isUnderWay)),
    removeAll() {
      set([]);
      for (const stop of stops.values()) stop.abort();
    },
    refuseWaiting() {
      const error = signedOut();
      set(uploads.map((upload) => (upload.state === "waiting" ? { ...upload, state: "failed", error } : upload)));
    },
    list: () => uploads,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
