/** Paid calls, what they cost, and what the ledger saved, counted. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { EngineHappening, EngineObserver } from "../jobs/happenings.ts";
import { createBoundedLabel } from "./bounded-label.ts";
import { callBuckets } from "./buckets.ts";

const mostProviders = 20;
const mostModels = 50;

export function createPaidMetrics(registry: Registry): EngineObserver {
  const registers = [registry];
  const labelNames = ["provider", "model"] as const;
  const calls = new Histogram({
    name: "docmill_paid_call_seconds",
    help: "Calls to paid services, by how they ended: answered or failed.",
    labelNames: [...labelNames, "outcome"],
    buckets: callBuckets,
    registers,
  });
  const hits = new Counter({
    name: "docmill_ledger_hits_total",
    help: "Calls that were not made because the ledger had the answer.",
    labelNames,
    registers,
  });
  const tokens = new Counter({
    name: "docmill_tokens_total",
    help: "Tokens of paid calls, as the services count them: in and out.",
    labelNames: [...labelNames, "direction"],
    registers,
  });
  const cost = new Counter({
    name: "docmill_paid_cost_total",
    help: "What paid calls have cost, in the currency the service bills in, where its prices are known.",
    labelNames,
    registers,
  });
  const providerOf = createBoundedLabel(mostProviders);
  const modelOf = createBoundedLabel(mostModels);

  return (happening) => {
    switch (happening.type) {
      case "paid": {
        const of = labelsOf(happening);
        calls.observe({ ...of, outcome: "answered" }, happening.callMs / 1000);
        tokens.inc({ ...of, direction: "in" }, happening.tokensIn ?? 0);
        tokens.inc({ ...of, direction: "out" }, happening.tokensOut ?? 0);
        cost.inc(of, (happening.costMicros ?? 0) / 1e6);
        return;
      }
      case "unpaid":
        calls.observe({ ...labelsOf(happening), outcome: "failed" }, happening.callMs / 1000);
        return;
      case "remembered":
        hits.inc(labelsOf(happening));
        return;
      default:
        return;
    }
  };

  function labelsOf({ provider, model }: Extract<EngineHappening, { provider: string }>) {
    return { provider: providerOf(provider), model: modelOf(model) };
  }
}
