/**
 * The form a key must have, checked before any store sees it: a key can neither leave the place where blobs are kept nor
 * name what a store keeps for itself (names that begin with a dot).
 */
import { DocmillError } from "../errors.ts";

const segment = "[a-z0-9_-](?:[a-z0-9._-]{0,198}[a-z0-9_-])?";
const keyForm = new RegExp(`^${segment}(?:/${segment})*$`);
const prefixForm = new RegExp(`^(?:${segment}/)*(?:[a-z0-9_-][a-z0-9._-]*)?$`);
/** S3 takes 1,024 bytes; the rest is for the prefix of the store. */
const maxLength = 800;

export function isBlobKey(key: string): boolean {
  return key.length <= maxLength && keyForm.test(key);
}

export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new DocmillError("INVALID_BLOB_KEY", `${shown(key)} is not the key of a blob.`);
}

/** The beginning of a key, which may end anywhere; empty for all. */
export function checkBlobPrefix(prefix: string): void {
  if (prefix.length > maxLength || !prefixForm.test(prefix)) {
    throw new DocmillError("INVALID_BLOB_KEY", `${shown(prefix)} is not the beginning of a blob's key.`);
  }
}

export function checkRange({ start = 0, end }: { start?: number; end?: number }): void {
  const valid = Number.isSafeInteger(start) && start >= 0;
  if (!valid || (end !== undefined && (!Number.isSafeInteger(end) || end < start))) {
    throw new DocmillError("INVALID_BLOB_RANGE", `Bytes ${start} to ${end ?? "the end"} are no range of a blob.`);
  }
}

/** What a store with a prefix puts before every key. */
export function toKeyRoot(prefix: string | undefined): string {
  const bare = prefix?.replace(/^\/+|\/+$/g, "");
  return bare ? `${bare}/` : "";
}

function shown(text: string): string {
  return JSON.stringify(String(text).slice(0, 100));
}
