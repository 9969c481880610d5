import { describe, expect, it } from "vitest";
import { createChosenIds, idsOfRun, readTraceparent } from "./span-ids.ts";
import { readHeaders } from "./traces.ts";

const jobId = "01890a5d-ac96-774b-bcce-b302099a8057";

describe("the ids of a run", () => {
  it("are the job's for the trace, and of job and lease for the span", () => {
    const first = idsOfRun(jobId, 1);
    expect(first).toEqual({
      traceId: "01890a5dac96774bbcceb302099a8057",
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(idsOfRun(jobId, 1)).toEqual(first);
    expect(idsOfRun(jobId, 2).spanId).not.toBe(first.spanId);
  });

  it("are given to the span that is started with them, and to no other", () => {
    const ids = createChosenIds();
    const start = () => ({ traceId: ids.generateTraceId(), spanId: ids.generateSpanId() });
    expect(ids.using(idsOfRun(jobId, 1), start)).toEqual(idsOfRun(jobId, 1));
    const next = start();
    expect(next.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(next.traceId).not.toBe(idsOfRun(jobId, 1).traceId);
  });
});

describe("traceparent", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const spanId = "00f067aa0ba902b7";

  it("is read with whether its trace is kept", () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, traceFlags: 1 });
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ traceId, spanId, traceFlags: 0 });
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)).toMatchObject({ traceId });
  });

  it.each([
    undefined,
    "",
    "hello",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
  ])("is ignored where it makes no sense: %s", (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

it("headers are read as OpenTelemetry writes them", () => {
  expect(readHeaders("a=1, b = x%3Dy ,c=d=e")).toEqual({ a: "1", b: "x=y", c: "d=e" });
  expect(readHeaders("a=100%")).toEqual({ a: "100%" });
  expect(readHeaders("")).toEqual({});
});
