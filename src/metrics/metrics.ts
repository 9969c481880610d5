/**
 * The metrics of one process, as Prometheus reads them. Rooms tell what happens to whoever observes them and know nothing
 * of this; whoever puts a process together makes one of these and hands its observers out.
 */
import { collectDefaultMetrics, Registry } from "prom-client";
import type { EngineObserver } from "../jobs/happenings.ts";
import { createEngineMetrics } from "./engine-metrics.ts";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.ts";
import { createPoolMetrics, type PoolMetrics } from "./pool-metrics.ts";
import { createWorkMetrics, type WorkMetrics } from "./work-metrics.ts";

interface MetricFacts {
  name: string;
  type: string;
  labels: string[];
  meaning: string;
}

export interface Metrics extends PoolMetrics, WorkMetrics {
  readonly engine: EngineObserver;
  readonly http: HttpMetrics;
  readonly contentType: string;
  /** In the text format of Prometheus. */
  expose(): Promise<string>;
  /** What there is, for the documentation; without those of Node itself. */
  describe(): Promise<MetricFacts[]>;
}

const nodeMetrics = /^docmill_(process|nodejs)_/;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const metrics = {
    ...createPoolMetrics(registry),
    ...createWorkMetrics(registry),
    engine: createEngineMetrics(registry),
    http: createHttpMetrics(registry),
    contentType: registry.contentType,
    expose: () => registry.metrics(),
    async describe() {
      // The names of labels are known to the metric and to nobody else.
      const labelsOf = (name: string) => (registry.getSingleMetric(name) as { labelNames?: string[] }).labelNames ?? [];
      const all = await registry.getMetricsAsJSON();
      return all
        .filter(({ name }) => !nodeMetrics.test(name))
        .map(({ name, type, help }) => ({ name, type: String(type), labels: labelsOf(name), meaning: help }));
    },
  };
  collectDefaultMetrics({ register: registry, prefix: "docmill_" });
  return metrics;
}
