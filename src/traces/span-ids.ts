/**
 * Ids of spans and traces. A job's trace has the job's own id, and each run in it an id that follows from job and lease: so
 * whoever knows a job finds its trace, all its attempts are in one, on whichever machine, and a request can point to a run
 * that has not begun.
 */
import { createHash, randomBytes } from "node:crypto";

export interface SpanIds {
  traceId: string;
  spanId: string;
}

export function idsOfRun(jobId: string, lease: number): SpanIds {
  const traceId = jobId.replaceAll("-", "");
  return { traceId, spanId: createHash("sha256").update(`${jobId}:${lease}`).digest("hex").slice(0, 16) };
}

export interface ChosenIds {
  generateTraceId(): string;
  generateSpanId(): string;
  /** The span that `start` starts gets these ids. */
  using<Span>(ids: SpanIds, start: () => Span): Span;
}

/** Random, unless they were chosen. */
export function createChosenIds(): ChosenIds {
  let chosen: SpanIds | undefined;
  return {
    generateTraceId: () => chosen?.traceId ?? randomBytes(16).toString("hex"),
    generateSpanId: () => chosen?.spanId ?? randomBytes(8).toString("hex"),
    using(ids, start) {
      chosen = ids;
      try {
        return start();
      } finally {
        chosen = undefined;
      }
    },
  };
}

/** The caller's span, by its W3C header; undefined where there is none, or none that makes sense. */
export function readTraceparent(header: string | undefined): (SpanIds & { traceFlags: number }) | undefined {
  const found = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header?.trim() ?? "");
  const [, version, traceId = "", spanId = "", flags = "", rest] = found ?? [];
  if (!found || version === "ff" || (version === "00" && rest)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}
