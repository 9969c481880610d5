/**
 * What goes wrong in a store, as typed errors: a job that meets STORAGE_UNAVAILABLE or STORAGE_FULL is tried again, one
 * that meets STORAGE_DENIED or STORAGE_MISSING needs a person. Messages name the place and the service's own code, never
 * a key or a secret.
 */
import { DocmillError, RetryableError, TerminalError } from "../errors.ts";

export function blobNotFound(key: string, cause?: unknown): DocmillError {
  return new DocmillError("BLOB_NOT_FOUND", `There is no blob ${key}.`, { cause });
}

/** The typed form of an error of the file system. */
export function folderError(error: unknown, place: string): DocmillError {
  if (error instanceof DocmillError) return error;
  const code = codeOf(error);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new RetryableError("STORAGE_FULL", `The disk of ${place} is full: free some space.`, { cause: error });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new TerminalError(
        "STORAGE_DENIED",
        `${place} may not be read or written (${code}): give this user the right to.`,
        { cause: error },
      );
    case "ENOENT":
      return new RetryableError("STORAGE_UNAVAILABLE", `${place} is not there: is its disk mounted?`, { cause: error });
    case "EISDIR":
    case "ENOTDIR":
    case "EEXIST":
      return new TerminalError(
        "BLOB_KEY_CONFLICT",
        `A blob in ${place} has the name of a folder that other blobs need, or the reverse (${code}).`,
        { cause: error },
      );
    default:
      return new RetryableError("STORAGE_UNAVAILABLE", `${place} could not be used (${code ?? messageOf(error)}).`, {
        cause: error,
      });
  }
}

/** Answers of 4xx that are nobody's fault: bytes that the network delayed, another put of the same blob at once. */
const passingRefusals = new Set(["RequestTimeout", "InvalidBlockList", "NoSuchUpload"]);

interface RemoteFailure {
  /** The answer's status; undefined when there was none. */
  status: number | undefined;
  /** The service's own name for what happened, or the socket's: NoSuchBucket, ECONNREFUSED. */
  code: string | undefined;
}

/** The typed form of a remote store's error. `what` is the thing that may be missing: the bucket, the container. */
export function remoteError(
  error: unknown,
  { status, code }: RemoteFailure,
  { place, what }: { place: string; what: string },
): DocmillError {
  if (error instanceof DocmillError) return error;
  const named = code ?? (status === undefined ? messageOf(error) : `HTTP ${status}`);
  const options = { cause: error };
  if (status === 401 || status === 403) {
    return new TerminalError(
      "STORAGE_DENIED",
      `${place} refused access (${named}): check the credentials, their rights and this machine's clock.`,
      options,
    );
  }
  if (status === 404 && !passingRefusals.has(code ?? "")) {
    return new TerminalError("STORAGE_MISSING", `${place} does not exist (${named}): create ${what} or name another.`, {
      cause: error,
    });
  }
  if (status === undefined) {
    const advice = "check the endpoint's address and the network";
    return new RetryableError("STORAGE_UNAVAILABLE", `${place} could not be reached (${named}): ${advice}.`, options);
  }
  if (status >= 500 || [408, 409, 412, 429].includes(status) || passingRefusals.has(code ?? "")) {
    return new RetryableError("STORAGE_UNAVAILABLE", `${place} could not answer now (${named}).`, options);
  }
  return new TerminalError("STORAGE_REFUSED", `${place} refused the request (${named}).`, options);
}

/** The code of what really happened: SDKs wrap the socket's error, sometimes twice. */
export function codeOf(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const code = (current as NodeJS.ErrnoException).code;
    if (typeof code === "string") return code;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : "unknown error";
}
