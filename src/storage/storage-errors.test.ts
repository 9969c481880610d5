import { expect, test } from "vitest";
import { folderError, remoteError } from "./storage-errors.ts";

test.each([
  ["ENOSPC", "STORAGE_FULL", true],
  ["EDQUOT", "STORAGE_FULL", true],
  ["EACCES", "STORAGE_DENIED", false],
  ["EPERM", "STORAGE_DENIED", false],
  ["EROFS", "STORAGE_DENIED", false],
  ["ENOENT", "STORAGE_UNAVAILABLE", true],
  ["EIO", "STORAGE_UNAVAILABLE", true],
  ["EMFILE", "STORAGE_UNAVAILABLE", true],
  ["ENOTDIR", "BLOB_KEY_CONFLICT", false],
])("%s of the file system is %s", (errno, code, retryable) => {
  const cause = Object.assign(new Error(errno), { code: errno });
  expect(folderError(cause, "/some/where")).toMatchObject({ code, retryable, cause });
});

test.each([
  [401, "AuthenticationFailed", "STORAGE_DENIED", false],
  [403, "AccessDenied", "STORAGE_DENIED", false],
  [404, "NoSuchBucket", "STORAGE_MISSING", false],
  [400, "InvalidArgument", "STORAGE_REFUSED", false],
  [400, "RequestTimeout", "STORAGE_UNAVAILABLE", true],
  [400, "InvalidBlockList", "STORAGE_UNAVAILABLE", true],
  [404, "NoSuchUpload", "STORAGE_UNAVAILABLE", true],
  [412, "ConditionNotMet", "STORAGE_UNAVAILABLE", true],
  [429, "TooManyRequests", "STORAGE_UNAVAILABLE", true],
  [500, "InternalError", "STORAGE_UNAVAILABLE", true],
  [503, "SlowDown", "STORAGE_UNAVAILABLE", true],
  [undefined, "ENOTFOUND", "STORAGE_UNAVAILABLE", true],
])("%s %s of a remote store is %s", (status, service, code, retryable) => {
  const error = remoteError(new Error("x"), { status, code: service }, { place: "s3://b/", what: "the bucket" });
  expect(error).toMatchObject({ code, retryable });
  expect(error.message).toMatch(new RegExp(`^s3://b/ .*\\(${service}\\)[^\\n]*\\.$`));
});
