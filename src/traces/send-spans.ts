/** Sends spans to an OTLP/HTTP receiver. One that cannot be reached costs a line in the log now and then, and nothing else. */
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "../logger.ts";

export interface SendOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  logger: Logger;
}

export interface SpanSender extends SpanExporter {
  /** Nobody waits any longer for what is still under way. */
  giveUp(): void;
}

const timeoutMillis = 5_000;
const quietMs = 60_000;

export function createSpanSender({ url, headers, logger }: SendOptions): SpanSender {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis, concurrencyLimit: 2 });
  let underWay = 0;
  let lost = 0;
  let quietUntil = 0;
  return {
    export(spans, tell) {
      underWay += spans.length;
      exporter.export(spans, (result) => {
        underWay -= spans.length;
        if (result.error) warn(spans.length, result.error);
        tell(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
    giveUp: () => warn(underWay),
  };

  function warn(spans: number, error?: Error): void {
    lost += spans;
    if (lost === 0 || performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    // Not the error itself: what a receiver answers may quote the headers it was sent.
    const { code } = (error ?? {}) as { code?: unknown };
    logger.warn({ spans: lost, code, receiver: new URL(url).host }, "traces could not be sent and are lost");
    lost = 0;
  }
}
