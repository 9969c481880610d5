import { describe, expect, it } from "vitest";
import { DocmillError } from "../../errors.ts";
import { explainFileError, explainServerFailure } from "./explain-failure.ts";

const said: [string, string, string][] = [
  [
    "DISK_FULL",
    '2026-01-01 00:00:00.000 UTC [7] FATAL:  could not write lock file "postmaster.pid": No space left on device',
    "no space left",
  ],
  ["DISK_FULL", "initdb: error: could not write file: Disk quota exceeded", "no space left"],
  [
    "DATA_DIR_NOT_WRITABLE",
    'FATAL:  could not open file "base/1/1259": Permission denied',
    'could not open file "base/1/1259": Permission denied',
  ],
  [
    "EMBEDDED_OUT_OF_MEMORY",
    "FATAL:  could not map anonymous shared memory: Cannot allocate memory",
    "could not map anonymous shared memory",
  ],
  [
    "EMBEDDED_BINARIES_BROKEN",
    "postgres: error while loading shared libraries: libicuuc.so.60: cannot open shared object file",
    "libicuuc.so.60",
  ],
  [
    "EMBEDDED_START_FAILED",
    'LOG:  starting\nFATAL:  unrecognized configuration parameter "shared_bufers"\nLOG:  shutting down',
    'unrecognized configuration parameter "shared_bufers"',
  ],
  ["EMBEDDED_START_FAILED", "", "without a word"],
];

describe("what PostgreSQL's programs print", () => {
  it.each(said)("becomes %s", (code, output, message) => {
    const error = explainServerFailure("postgres", output, "/data/postgres");
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe("an error with the data folder", () => {
  it.each([
    ["EACCES", "DATA_DIR_NOT_WRITABLE"],
    ["EROFS", "DATA_DIR_NOT_WRITABLE"],
    ["ENOTDIR", "DATA_DIR_NOT_A_FOLDER"],
    ["ENOSPC", "DISK_FULL"],
    ["ENAMETOOLONG", "DATA_DIR_TOO_LONG"],
    ["EIO", "DATA_DIR_UNUSABLE"],
  ])("%s becomes %s and names the path", (code, expected) => {
    const cause = Object.assign(new Error(code), { code, syscall: "mkdir" });
    expect(explainFileError(cause, "/data")).toMatchObject({
      code: expected,
      cause,
      message: expect.stringContaining("/data"),
    });
  });

  it("stays what it is when it was explained before or has nothing to do with files", () => {
    const explained = new DocmillError("DISK_FULL", "…");
    const bug = new TypeError("…");
    expect([explainFileError(explained, "/data"), explainFileError(bug, "/data")]).toEqual([explained, bug]);
  });
});
