import { describe, expect, it } from "vitest";
import { silentLogger } from "../../test/support/silent-logger.ts";
import { DocmillError } from "../errors.ts";
import { toHttpError } from "./errors.ts";

describe("toHttpError", () => {
  it("gives a known code its status, its message and what is safe to show", () => {
    const error = new DocmillError("LOCK_HELD", "Job 7 is active.", {
      details: { jobId: "7" },
      cause: new Error("secret"),
    });
    expect(toHttpError(error, silentLogger)).toEqual({
      status: 409,
      body: { error: "LOCK_HELD", message: "Job 7 is active.", details: { jobId: "7" } },
      headers: {},
    });
  });

  it.each([
    new Error("password=secret"),
    new DocmillError("SOMETHING_ELSE", "secret"),
    new DocmillError("constructor", "secret"),
    "secret",
    undefined,
  ])("tells nothing of %s but an id", (error) => {
    const { status, body } = toHttpError(error, silentLogger);
    expect([status, body.error]).toEqual([500, "INTERNAL"]);
    expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it("asks for patience while the database is away", () => {
    const error = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:5432"), { code: "ECONNREFUSED" });
    const { status, body, headers } = toHttpError(error, silentLogger);
    expect([status, body.error, headers["retry-after"]]).toEqual([503, "DATABASE_UNAVAILABLE", "2"]);
    expect(body.message).not.toContain("10.0.0.1");
  });
});
