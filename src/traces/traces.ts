/**
 * Traces over OpenTelemetry, for processes that are told where to send them. Without an endpoint nothing is loaded, and
 * nothing here costs anything.
 */
import type { EngineObserver } from "../jobs/happenings.ts";
import type { Logger } from "../logger.ts";

interface TracedRequest {
  method: string;
  requestId: string;
  /** The caller's span, as its header says. */
  traceparent: string | undefined;
}

interface TracedAnswer {
  /** The pattern of the route, never the path that was asked for. */
  route: string;
  status: number;
}

export interface Traces {
  readonly engine: EngineObserver;
  /** Answers a request within a span of its own: jobs and paid calls that come of it are told to belong to it. */
  request(request: TracedRequest, answer: () => Promise<TracedAnswer>): Promise<void>;
  /** Sends what has not been sent yet, if that can be done soon. */
  close(): Promise<void>;
}

export interface TraceOptions {
  /** Where an OTLP/HTTP receiver takes traces. */
  url: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  version: string;
  logger: Logger;
  /** How long spans may gather before they are sent. */
  gatherMs?: number;
}

export interface TraceSettings {
  otlpEndpoint?: string;
  otlpTracesEndpoint?: string;
  otlpHeaders?: string;
  serviceName: string;
}

/** Undefined where no endpoint is set. */
export async function openTraces(
  { otlpEndpoint, otlpTracesEndpoint, otlpHeaders = "", serviceName }: TraceSettings,
  { version, logger, gatherMs }: Pick<TraceOptions, "version" | "logger" | "gatherMs">,
): Promise<Traces | undefined> {
  const url = otlpTracesEndpoint ?? (otlpEndpoint && `${otlpEndpoint.replace(/\/+$/, "")}/v1/traces`);
  if (url === undefined) return undefined;
  const { openOtlpTraces } = await import("./open-otlp-traces.ts");
  return openOtlpTraces({ url, headers: readHeaders(otlpHeaders), serviceName, version, logger, gatherMs });
}

/** `name=value,name=value`, where values may be percent-encoded. */
export function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 ? [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
