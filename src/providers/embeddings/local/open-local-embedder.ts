/**
 * The embedding model that comes with Docmill and needs no network: the Universal Sentence Encoder (lite), English, 512
 * dimensions. It starts with the first texts (about 0.3 s) and holds 18 MB of weights for all threads and about 10 MB in
 * each. The same text gives the same vector to the bit, on any thread, in any company and on any machine.
 */
import { RetryableError } from "../../../errors.ts";
import { openThreadPool, type PoolWatch, type ThreadPool, threadModule } from "../../../threads/thread-pool.ts";
import { type Calibration, strengthOf } from "../calibration.ts";
import type { Embedder } from "../embedder.ts";
import type { EmbeddingSettings, EmbeddingTasks } from "./embedding-thread.ts";
import { weightsBytes } from "./weights.ts";

export interface LocalEmbedderOptions {
  /** How many cores it may use. */
  threads: number;
  watch?: PoolWatch;
}

/**
 * Measured on passages of 1,200 characters from some 14 English manuals, papers and novels. Cosine, 5th / 50th / 95th in a
 * hundred: passages of different books .08 / .39 / .74 (99th .81, mostly one manual and another); following each other
 * in a book .67 / .86 / .94; the same place in two editions .92 / .96 / 1. Passages of 500 characters lie about .1
 * lower. So more than 95 in 100 pairs of different books stay below 0.7, most of them far below; other editions reach 0.85 to 1.
 */
const calibration: Calibration = { unrelated: 0.45, related: 0.78 };
/** About four windows: enough to share the weights, little enough to spread over the threads. */
const charactersAtOnce = 2_400;
const threadMemoryMb = 256;
/** A task takes a tenth of a second. */
const deadlineMs = 120_000;

export function openLocalEmbedder({ threads, watch }: LocalEmbedderOptions): Embedder {
  let pool: Promise<ThreadPool<EmbeddingTasks>> | undefined;
  let closed = false;

  return {
    provider: "local",
    model: "use-lite-en-1",
    batchSize: 32 * threads,
    async embed(texts, { signal }) {
      signal.throwIfAborted();
      const { run } = await waitFor(start(), signal);
      const groups = groupTexts(texts);
      const answers = await Promise.all(
        groups.map((group) => run("embedTexts", { texts: group }, { deadlineMs, signal })),
      );
      return answers.flat();
    },
    strengthOf: (cosine) => strengthOf(cosine, calibration),
    async close() {
      closed = true;
      await (await pool?.catch(() => undefined))?.close();
    },
  };

  function start(): Promise<ThreadPool<EmbeddingTasks>> {
    if (closed) throw new RetryableError("POOL_CLOSED", "The embedder is closed.");
    if (pool) return pool;
    const opening = openPool(threads, watch);
    pool = opening;
    opening.catch(() => {
      pool = undefined;
    });
    return opening;
  }
}

async function openPool(size: number, watch?: PoolWatch): Promise<ThreadPool<EmbeddingTasks>> {
  const settings: EmbeddingSettings = { weights: new SharedArrayBuffer(weightsBytes) };
  const module = threadModule(import.meta.url, "embedding-thread");
  const pool = openThreadPool<EmbeddingTasks>({ module, size, memoryMb: threadMemoryMb, settings, watch });
  try {
    await pool.run("loadWeights", undefined, { deadlineMs });
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Waits until told to stop. The start itself goes on: others wait for it as well. */
async function waitFor<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function groupTexts(texts: readonly string[]): string[][] {
  const groups: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const group = groups.at(-1);
    if (!group || characters + text.length > charactersAtOnce) {
      groups.push([text]);
      characters = text.length;
    } else {
      group.push(text);
      characters += text.length;
    }
  }
  return groups;
}
