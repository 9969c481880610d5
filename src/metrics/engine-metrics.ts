/** What the engine tells, counted: claims and leases here, jobs and paid calls beside. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { EngineObserver } from "../jobs/happenings.ts";
import { answerBuckets } from "./buckets.ts";
import { createJobMetrics } from "./job-metrics.ts";
import { createPaidMetrics } from "./paid-metrics.ts";

export function createEngineMetrics(registry: Registry): EngineObserver {
  const registers = [registry];
  const claim = new Histogram({
    name: "docmill_claim_seconds",
    help: "Claims that were answered; those that found nothing included.",
    buckets: answerBuckets,
    registers,
  });
  const claimed = new Histogram({
    name: "docmill_claim_jobs",
    help: "Jobs that one claim gave.",
    buckets: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers,
  });
  const leasesLost = new Counter({
    name: "docmill_leases_lost_total",
    help: "How often this process learned that its lease had run out and others had taken its jobs.",
    registers,
  });
  const rescued = new Counter({
    name: "docmill_jobs_rescued_total",
    help: "Jobs of lost workers that this process took back.",
    registers,
  });
  const jobs = createJobMetrics(registry);
  const paid = createPaidMetrics(registry);

  return (happening) => {
    switch (happening.type) {
      case "created":
      case "started":
      case "stageStarted":
      case "stageEnded":
      case "failed":
      case "ended":
      case "written":
        return jobs(happening);
      case "claimed":
        claim.observe(happening.claimMs / 1000);
        claimed.observe(happening.jobs);
        return;
      case "lost":
        leasesLost.inc();
        return;
      case "rescued":
        rescued.inc(happening.jobs);
        return;
      case "paid":
      case "unpaid":
      case "remembered":
        return paid(happening);
    }
  };
}
