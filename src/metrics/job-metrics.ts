/** Jobs and their stages, counted. Thousands may run in a second, so what each kind has come to is kept in one place. */
import { Counter, type Registry } from "prom-client";
import { type JobState, jobStates } from "../contract/states.ts";
import type { EngineHappening, EngineObserver, RunOutcome } from "../jobs/happenings.ts";
import { createBoundedLabel } from "./bounded-label.ts";
import { workBuckets } from "./buckets.ts";
import { registerTallies, Tally } from "./tally.ts";

interface KindTallies {
  created: number;
  ended: Partial<Record<JobState, number>>;
  wait: Tally;
  runs: Partial<Record<RunOutcome, Tally>>;
  stages: Map<string, Tally>;
}

const mostKinds = 200;
const mostStages = 100;
const mostCodes = 200;

const endStates = new Set<JobState>(jobStates.filter((state) => state !== "pending" && state !== "running"));

export function createJobMetrics(registry: Registry): EngineObserver {
  const kinds = new Map<string, KindTallies>();
  const codeOf = createBoundedLabel(mostCodes);
  const { failures, retries } = registerJobMetrics(registry, kinds);

  return (happening) => {
    switch (happening.type) {
      case "created":
        for (const { kind } of happening.jobs) talliesOf(kind).created++;
        return;
      case "started":
        if (happening.lease === 1) talliesOf(happening.kind).wait.add(happening.waitMs / 1000);
        return;
      case "stageEnded":
        if (happening.code === undefined) addStage(happening);
        return;
      case "failed":
        failures.inc({ kind: labelOf(happening.kind), code: codeOf(happening.code) });
        if (happening.delayMs !== undefined) retries.inc({ kind: labelOf(happening.kind) });
        return;
      case "ended": {
        const { runs } = talliesOf(happening.kind);
        runs[happening.outcome] ??= new Tally(workBuckets);
        runs[happening.outcome]?.add(happening.runMs / 1000);
        return;
      }
      case "written":
        for (const { kind, was, status } of happening.jobs) {
          if (status === was || !endStates.has(status)) continue;
          const { ended } = talliesOf(kind);
          ended[status] = (ended[status] ?? 0) + 1;
        }
        return;
      default:
        return;
    }
  };

  function talliesOf(kind: string): KindTallies {
    let tallies = kinds.get(kind);
    if (!tallies) {
      const label = labelOf(kind);
      tallies = kinds.get(label) ?? {
        created: 0,
        ended: {},
        wait: new Tally(workBuckets),
        runs: {},
        stages: new Map(),
      };
      kinds.set(label, tallies);
    }
    return tallies;
  }

  /** Kinds come from registries; those of a table that has seen very many are not told apart. */
  function labelOf(kind: string): string {
    return kinds.has(kind) || kinds.size < mostKinds ? kind : "other";
  }

  function addStage({ kind, stage, stageMs }: Extract<EngineHappening, { type: "stageEnded" }>): void {
    const { stages } = talliesOf(kind);
    let tally = stages.get(stage);
    if (!tally) {
      const label = stages.size < mostStages ? stage : "other";
      tally = stages.get(label) ?? new Tally(workBuckets);
      stages.set(label, tally);
    }
    tally.add(stageMs / 1000);
  }
}

function registerJobMetrics(registry: Registry, kinds: ReadonlyMap<string, KindTallies>) {
  const registers = [registry];
  new Counter({
    name: "docmill_jobs_created_total",
    help: "Jobs this process created, those of its stages included.",
    labelNames: ["kind"],
    registers,
    collect() {
      this.reset();
      for (const [kind, { created }] of kinds) this.inc({ kind }, created);
    },
  });
  new Counter({
    name: "docmill_jobs_ended_total",
    help: "Jobs this process brought to their end, by the state they ended in.",
    labelNames: ["kind", "state"],
    registers,
    collect() {
      this.reset();
      for (const [kind, { ended }] of kinds) {
        for (const [state, count] of Object.entries(ended)) this.inc({ kind, state }, count);
      }
    },
  });
  registerTallies(registry, {
    name: "docmill_job_wait_seconds",
    help: "From when a job was due to its first start.",
    labelNames: ["kind"],
    tallies: () => kinds.entries().map(([kind, { wait }]) => ({ labels: { kind }, tally: wait })),
  });
  registerTallies(registry, {
    name: "docmill_job_run_seconds",
    help: "Runs of jobs, from start to last commit, by how they ended: completed, retrying, failed, released, cancelled or lost.",
    labelNames: ["kind", "outcome"],
    tallies: () =>
      kinds
        .entries()
        .flatMap(([kind, { runs }]) =>
          Object.entries(runs).map(([outcome, tally]) => ({ labels: { kind, outcome }, tally })),
        ),
  });
  registerTallies(registry, {
    name: "docmill_stage_seconds",
    help: "Stages that came to their checkpoint, its commit included.",
    labelNames: ["kind", "stage"],
    tallies: () =>
      kinds
        .entries()
        .flatMap(([kind, { stages }]) =>
          stages.entries().map(([stage, tally]) => ({ labels: { kind, stage }, tally })),
        ),
  });
  return {
    failures: new Counter({
      name: "docmill_job_failures_total",
      help: "Attempts that failed, by the code of the error.",
      labelNames: ["kind", "code"],
      registers,
    }),
    retries: new Counter({
      name: "docmill_job_retries_total",
      help: "Attempts that failed and are made again by themselves.",
      labelNames: ["kind"],
      registers,
    }),
  };
}
