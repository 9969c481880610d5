/** A worker on books in the test's own process whose waits take no time and are written down, and storage that counts. */
import { databaseClock } from "../../src/db/clock.ts";
import type { BookServices } from "../../src/pipelines/books/book-services.ts";
import { createBookPipelines } from "../../src/pipelines/books/pipeline.ts";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import type { DocumentPlace } from "./document-place.ts";
import { openTestEngine } from "./test-engine.ts";

export interface BookWorker extends AsyncDisposable {
  /** The waits between attempts so far, in milliseconds. */
  readonly waits: number[];
  stop(): Promise<void>;
}

/** Shorter waits are the engine's own. */
const leastBackoffMs = 1_000;

export async function startBookWorker(
  { runtime, databaseUrl: url }: Pick<DocumentPlace, "runtime" | "databaseUrl">,
  changed: Partial<BookServices> = {},
): Promise<BookWorker> {
  const waits: number[] = [];
  const clock = {
    ...databaseClock,
    wait(ms: number, signal?: AbortSignal) {
      if (ms >= leastBackoffMs) waits.push(ms);
      return databaseClock.wait(Math.min(ms, 5), signal);
    },
  };
  const { all: pipelines } = createBookPipelines({ ...runtime.books.services, ...changed });
  const engine = openTestEngine({ url, pipelines, clock });
  await engine.startWorker({ slots: 1, pollMs: 50 });
  return { waits, stop: () => engine.close(), [Symbol.asyncDispose]: () => engine.close() };
}

/** The same storage; `puts` are the keys that were written to, in order. */
export function countPuts(blobs: BlobStore): { blobs: BlobStore; puts: string[] } {
  const puts: string[] = [];
  const counting: BlobStore = {
    ...blobs,
    put(key, source, options) {
      puts.push(key);
      return blobs.put(key, source, options);
    },
  };
  return { blobs: counting, puts };
}
