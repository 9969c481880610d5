/**
 * Blobs in a container of Azure Blob storage. Blocks that were not committed are never visible, and the service drops
 * them after a week.
 */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  BlobServiceClient,
  type BlockBlobClient,
  type ContainerClient,
  RestError,
  StorageRetryPolicyType,
} from "@azure/storage-blob";
import { RetryableError, TerminalError } from "../errors.ts";
import { checkBlobKey, checkBlobPrefix, checkRange, isBlobKey, toKeyRoot } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";
import { checkBlobStore } from "./check-blob-store.ts";
import { eachAtOnce } from "./each-at-once.ts";
import { guardRead } from "./guard-read.ts";
import { type PartsTarget, putInParts } from "./put-in-parts.ts";
import { blobNotFound, codeOf, remoteError } from "./storage-errors.ts";
import { openTemporaryCopies } from "./temporary-copies.ts";

/** A part takes a while on a slow line. */
const answerMs = 180_000;

export interface AzureStoreOptions {
  connectionString: string;
  container: string;
  /** Put before every key, with a slash between. */
  prefix?: string;
  /** Where copies of blobs lie while they are used as files. */
  tempDir?: string;
}

export async function openAzureStore(options: AzureStoreOptions): Promise<BlobStore> {
  const copies = await openTemporaryCopies(options.tempDir);
  const container = openContainer(options);
  const root = toKeyRoot(options.prefix);
  // The URL of a shared access signature carries the signature in its query.
  const place = `${container.url.split("?")[0]}/${root}`;
  const translate = (error: unknown) => remoteError(error, failureOf(error), { place, what: "the container" });
  const blobOf = (key: string) => {
    checkBlobKey(key);
    return container.getBlockBlobClient(root + key);
  };

  const store: Omit<BlobStore, "check"> = {
    place,

    async put(key, source, { contentType, signal } = {}) {
      return putInParts(toTarget(blobOf(key), contentType), source, signal, translate);
    },

    async get(key, { start = 0, end, signal } = {}) {
      const blob = blobOf(key);
      checkRange({ start, end });
      signal?.throwIfAborted();
      const count = end === undefined ? undefined : end - start + 1;
      try {
        const answer = await inTime(signal, (abortSignal) =>
          blob.download(start, count, { abortSignal, maxRetryRequests: 2 }),
        );
        return guardRead(answer.readableStreamBody as Readable, { signal, translate });
      } catch (error) {
        signal?.throwIfAborted();
        const { status, code } = failureOf(error);
        // A range that begins behind the end: as in a file, there is nothing to read.
        if (status === 416) return Readable.from([]);
        throw code === "BlobNotFound" ? blobNotFound(key, error) : translate(error);
      }
    },

    async stat(key) {
      try {
        const found = await inTime(undefined, (abortSignal) => blobOf(key).getProperties({ abortSignal }));
        return { key, size: found.contentLength ?? 0, modifiedAt: found.lastModified ?? new Date(0) };
      } catch (error) {
        if (failureOf(error).status === 404) return undefined;
        throw translate(error);
      }
    },

    async delete(keys) {
      await eachAtOnce(keys.map(blobOf), 16, async (blob) => {
        try {
          await inTime(undefined, (abortSignal) => blob.deleteIfExists({ abortSignal, deleteSnapshots: "include" }));
        } catch (error) {
          throw translate(error);
        }
      });
    },

    async *list(prefix) {
      checkBlobPrefix(prefix);
      try {
        let continuationToken: string | undefined;
        do {
          const { value: page } = await inTime(undefined, (abortSignal) =>
            container
              .listBlobsFlat({ prefix: root + prefix, abortSignal })
              .byPage({ continuationToken, maxPageSize: 1_000 })
              .next(),
          );
          for (const { name, properties } of page.segment.blobItems) {
            const key = name.slice(root.length);
            if (isBlobKey(key)) yield { key, size: properties.contentLength ?? 0, modifiedAt: properties.lastModified };
          }
          continuationToken = page.continuationToken;
        } while (continuationToken);
      } catch (error) {
        throw translate(error);
      }
    },

    withFile: (key, use, signal) => copies.withCopy(key, () => store.get(key, { signal }), use),

    async close() {},
  };

  return { ...store, check: () => checkBlobStore(store) };
}

function openContainer({ connectionString, container }: AzureStoreOptions): ContainerClient {
  try {
    const service = BlobServiceClient.fromConnectionString(connectionString, {
      // The SDK's own patience is half a minute; a job has its own, and waits without holding a worker.
      retryOptions: {
        retryPolicyType: StorageRetryPolicyType.EXPONENTIAL,
        maxTries: 3,
        retryDelayInMs: 300,
        maxRetryDelayInMs: 2_000,
      },
    });
    return service.getContainerClient(container);
  } catch {
    // Without its cause: the message may quote the connection string.
    throw new TerminalError("INVALID_STORAGE_OPTIONS", "The Azure storage connection string is not valid.");
  }
}

function toTarget(blob: BlockBlobClient, contentType: string | undefined): PartsTarget {
  const headers = { blobHTTPHeaders: { blobContentType: contentType } };
  return {
    maxParts: 50_000,
    async putWhole(bytes) {
      await inTime(undefined, (abortSignal) => blob.upload(bytes, bytes.byteLength, { ...headers, abortSignal }));
    },
    async begin() {
      // Blocks of one name are shared until a commit: without a mark of their own, two puts at once would mix theirs.
      const mark = randomUUID();
      const ids: string[] = [];
      return {
        async putPart(part, bytes, signal) {
          const id = Buffer.from(`${mark}-${String(part).padStart(6, "0")}`).toString("base64");
          ids[part - 1] = id;
          await inTime(signal, (abortSignal) => blob.stageBlock(id, bytes, bytes.byteLength, { abortSignal }));
        },
        async commit() {
          await inTime(undefined, (abortSignal) => blob.commitBlockList(ids, { ...headers, abortSignal }));
        },
        async discard() {},
      };
    },
  };
}

/** Waits for the beginning of an answer, tries included; the SDK itself would wait for ever. */
async function inTime<Answer>(
  signal: AbortSignal | undefined,
  send: (abortSignal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  try {
    return await send(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new RetryableError("STORAGE_UNAVAILABLE", "The storage account did not answer in time.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(error: unknown): { status: number | undefined; code: string | undefined } {
  if (error instanceof RestError) {
    // Answers to HEAD have no body; there the code is in a header that the SDK puts into the details.
    const { errorCode } = (error.details ?? {}) as { errorCode?: string };
    return { status: error.statusCode, code: error.code ?? errorCode };
  }
  return { status: undefined, code: codeOf(error) ?? (error instanceof Error ? error.name : undefined) };
}
