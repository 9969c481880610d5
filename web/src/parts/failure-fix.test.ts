import { expect, it } from "vitest";
import { fixOf } from "./failure-fix.ts";

it("knows what lies in the file from what may pass", () => {
  expect(["ENCRYPTED_PDF", "CORRUPT_FILE", "EMPTY_FILE", "UNSUPPORTED_TYPE", "FILE_TOO_LARGE"].map(fixOf)).toEqual(
    Array.from({ length: 5 }, () => "replace"),
  );
  expect(["TIMEOUT", "NETWORK_ERROR", "INVALID_CREDENTIALS", "WORKER_LOST", null].map(fixOf)).toEqual(
    Array.from({ length: 5 }, () => "retry"),
  );
});
