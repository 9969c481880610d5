/**
 * Where files are kept. Three places implement it: a folder, S3-compatible storage and Azure Blob storage; one suite of
 * tests runs over all of them.
 *
 * A blob appears whole or not at all: `put` SHALL leave nothing behind when its source fails or its signal aborts, and
 * SHALL NOT resolve before the blob would survive a power cut. Keys are made by Docmill, never by users: lower-case
 * letters, digits, `-`, `_`, `.` and `/`, where no name between slashes begins or ends with a dot.
 */
import type { Readable } from "node:stream";

export interface BlobFacts {
  key: string;
  size: number;
  modifiedAt: Date;
}

export interface BlobStore {
  /** What a person may be told: the folder, the bucket. Without secrets. */
  readonly place: string;
  /** Stores what the source yields under a key, replacing what was there. */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options?: { contentType?: string; signal?: AbortSignal },
  ): Promise<{ size: number }>;
  /** Reads a blob, or the bytes from `start` up to and including `end`; behind its end are none. Throws BLOB_NOT_FOUND. */
  get(key: string, options?: { start?: number; end?: number; signal?: AbortSignal }): Promise<Readable>;
  stat(key: string): Promise<BlobFacts | undefined>;
  /** Deleting what is not there is no error. */
  delete(keys: readonly string[]): Promise<void>;
  /** The blobs whose keys begin so, in the order of their bytes. */
  list(prefix: string): AsyncIterable<BlobFacts>;
  /** Runs `use` with the blob as a local file: itself in a folder, a temporary copy otherwise, gone afterwards. */
  withFile<Result>(key: string, use: (path: string) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Whether it can be read and written now; throws an error that says what to do. */
  check(): Promise<void>;
  close(): Promise<void>;
  /** Told the size of every file from outside that is kept. */
  tookIn?: (bytes: number) => void;
}
