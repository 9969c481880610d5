/** Turns what the engine tells into spans: a run of a job, its stages, and the paid calls they make. */
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { EngineHappening, EngineObserver } from "../jobs/happenings.ts";
import { type ChosenIds, idsOfRun } from "./span-ids.ts";

interface TracedRun {
  span: Span;
  stage?: Span;
  /** Of the error that ended it. */
  code?: string;
}

type Happening<Type extends EngineHappening["type"]> = Extract<EngineHappening, { type: Type }>;

/** More would not be looked at, and receivers cut them off. */
const mostLinks = 100;
const sampled = 1;
const firstLease = 1;

export interface TraceEngineOptions {
  tracer: Tracer;
  ids: ChosenIds;
  /** The span of the request that is being answered. */
  request: () => Span | undefined;
}

export function traceEngine({ tracer, ids, request }: TraceEngineOptions): EngineObserver {
  const runs = new Map<string, TracedRun>();

  return (happening) => {
    switch (happening.type) {
      case "created":
        return linkJobs(happening);
      case "started":
        return startRun(happening);
      case "stageStarted": {
        const run = runs.get(happening.jobId);
        if (!run) return;
        const attributes = { "docmill.job_id": happening.jobId, "docmill.stage": happening.stage };
        run.stage = tracer.startSpan(`stage ${happening.stage}`, { attributes }, within(run.span));
        return;
      }
      case "stageEnded": {
        const run = runs.get(happening.jobId);
        if (!run?.stage) return;
        endSpan(run.stage, happening.code);
        run.stage = undefined;
        return;
      }
      case "failed": {
        const run = runs.get(happening.jobId);
        if (run) run.code = happening.code;
        return;
      }
      case "ended":
        return endRun(happening);
      case "paid":
      case "unpaid":
        return addCall(happening);
      case "remembered": {
        const { provider, model } = happening;
        callerOf(happening.jobId)?.addEvent("ledger hit", attributesOfModel({ provider, model }));
        return;
      }
      case "claimed":
      case "written":
      case "lost":
      case "rescued":
        return;
    }
  };

  /** The first run of each job has its ids already, wherever it will be. */
  function linkJobs({ jobs }: Happening<"created">): void {
    const span = request();
    for (const { id, kind } of span ? jobs.slice(0, mostLinks) : []) {
      const context = { ...idsOfRun(id, firstLease), traceFlags: sampled };
      span?.addLink({ context, attributes: { "docmill.job_id": id, "docmill.job_kind": kind } });
    }
  }

  function startRun({ jobId, kind, batchId, attempt, lease, about }: Happening<"started">): void {
    const attributes: Record<string, string | number> = {
      "docmill.job_id": jobId,
      "docmill.job_kind": kind,
      "docmill.attempt": attempt,
      "docmill.lease": lease,
    };
    if (batchId !== null) attributes["docmill.batch_id"] = batchId;
    for (const [name, value] of Object.entries(about)) attributes[`docmill.${snakeCase(name)}`] = value;
    const span = ids.using(idsOfRun(jobId, lease), () =>
      tracer.startSpan(`job ${kind}`, { root: true, kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT),
    );
    runs.set(jobId, { span });
  }

  function endRun({ jobId, outcome }: Happening<"ended">): void {
    const run = runs.get(jobId);
    if (!run) return;
    runs.delete(jobId);
    run.span.setAttribute("docmill.outcome", outcome);
    endSpan(run.span, run.code);
  }

  function addCall(call: Happening<"paid"> | Happening<"unpaid">): void {
    const caller = callerOf(call.jobId);
    const span = tracer.startSpan(
      `call ${call.provider}`,
      { kind: SpanKind.CLIENT, startTime: Date.now() - call.callMs, attributes: attributesOfModel(call) },
      caller ? within(caller) : ROOT_CONTEXT,
    );
    if (call.type === "paid") {
      const { tokensIn, tokensOut, costMicros } = call;
      if (tokensIn !== undefined) span.setAttribute("gen_ai.usage.input_tokens", tokensIn);
      if (tokensOut !== undefined) span.setAttribute("gen_ai.usage.output_tokens", tokensOut);
      if (costMicros !== undefined) span.setAttribute("docmill.cost_micros", costMicros);
    }
    endSpan(span, call.type === "unpaid" ? call.code : undefined);
  }

  function callerOf(jobId: string | null): Span | undefined {
    if (jobId === null) return request();
    const run = runs.get(jobId);
    return run?.stage ?? run?.span;
  }
}

function within(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Of an error its code and no more: a message may name files and people. */
function endSpan(span: Span, code?: string): void {
  if (code !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    span.setAttribute("error.type", code);
  }
  span.end();
}

function attributesOfModel({ provider, model }: { provider: string; model: string }) {
  return { "gen_ai.provider.name": provider, "gen_ai.request.model": model };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
