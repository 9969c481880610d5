/** Spans for requests, jobs, stages and paid calls, gathered and sent in the background. Loaded only where it is used. */
import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { createSpanSender } from "./send-spans.ts";
import { createChosenIds, readTraceparent } from "./span-ids.ts";
import { traceEngine } from "./trace-engine.ts";
import type { TraceOptions, Traces } from "./traces.ts";

const gatherMillis = 2_000;
const mostGathered = 8_192;
/** A receiver that is away must not keep a process from ending. */
const longestCloseMs = 2_000;
const serverError = 500;

export function openOtlpTraces(options: TraceOptions): Traces {
  const { serviceName, version, gatherMs = gatherMillis } = options;
  const ids = createChosenIds();
  const sender = createSpanSender(options);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": version,
      "process.pid": process.pid,
    }),
    // Who asks with a trace of their own decides whether it is kept.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: sender,
        scheduledDelayMillis: gatherMs,
        maxQueueSize: mostGathered,
      }),
    ],
  });
  const tracer = provider.getTracer("docmill", version);
  const requests = new AsyncLocalStorage<Span>();

  return {
    engine: traceEngine({ tracer, ids, request: () => requests.getStore() }),
    async request({ method, requestId, traceparent }, answer) {
      const caller = readTraceparent(traceparent);
      const context = caller ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT;
      const attributes = { "http.request.method": method, "docmill.request_id": requestId };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, context);
      try {
        const { route, status } = await requests.run(span, answer);
        span.updateName(`${method} ${route}`);
        span.setAttributes({ "http.route": route, "http.response.status_code": status });
        if (status >= serverError) span.setStatus({ code: SpanStatusCode.ERROR });
      } finally {
        span.end();
      }
    },
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        sender.giveUp();
        late.resolve();
      }, longestCloseMs);
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}
