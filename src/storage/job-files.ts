/** Files of jobs: what a user's pipeline makes and keeps. They are under their job's prefix and go when the job does. */
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { TerminalError } from "../errors.ts";
import { isBlobKey } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface JobFile {
  name: string;
  size: number;
}

/** Files of one job. A name is lower-case letters, digits, `-`, `_` and `.`, and is kept until the job is removed. */
export interface JobFiles {
  /** Stores a file whole or not at all, replacing what had the name: safe to repeat. */
  put(name: string, content: FileContent): Promise<{ size: number }>;
  /** `job`: whose file; this job's own, if left out. Throws BLOB_NOT_FOUND. */
  read(name: string, options?: { job?: string }): Promise<Buffer>;
  /** The same for files that are too large to be held in memory. */
  stream(name: string, options?: { job?: string }): Promise<Readable>;
  list(options?: { job?: string }): Promise<JobFile[]>;
}

export const jobFilesPrefix = "jobs/";
const ids = /^[0-9a-f-]{36}$/;

export function openJobFiles(blobs: BlobStore, jobId: string, signal: AbortSignal): JobFiles {
  // Async, so that a wrong name is a rejection like everything else.
  const stream = async (name: string, job = jobId) => blobs.get(jobFileKey(job, name), { signal });
  return {
    put: async (name, content) => blobs.put(jobFileKey(jobId, name), toParts(content), { signal }),
    read: async (name, { job } = {}) => buffer(await stream(name, job)),
    stream: (name, { job } = {}) => stream(name, job),
    list: ({ job = jobId } = {}) => listJobFiles(blobs, job),
  };
}

export async function listJobFiles(blobs: Pick<BlobStore, "list">, jobId: string): Promise<JobFile[]> {
  const prefix = prefixOf(jobId);
  const files: JobFile[] = [];
  for await (const { key, size } of blobs.list(prefix)) files.push({ name: key.slice(prefix.length), size });
  return files;
}

export function jobFileKey(jobId: string, name: string): string {
  const key = `${prefixOf(jobId)}${name}`;
  if (isBlobKey(key) && !name.includes("/")) return key;
  throw new TerminalError(
    "INVALID_FILE_NAME",
    `${JSON.stringify(name.slice(0, 100))} is no name for a job's file: lower-case letters, digits, "-", "_" and ".".`,
  );
}

/** In parts, so that whoever reads the key knows whose file it is. */
export function jobOfFile(key: string): string {
  return key.slice(jobFilesPrefix.length).split("/", 1)[0] as string;
}

export async function* toParts(content: FileContent): AsyncGenerator<Uint8Array> {
  if (typeof content === "string") yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

function prefixOf(jobId: string): string {
  if (!ids.test(jobId)) throw new TerminalError("INVALID_FILE_NAME", "The id of a job is a UUID in lower case.");
  return `${jobFilesPrefix}${jobId}/`;
}
