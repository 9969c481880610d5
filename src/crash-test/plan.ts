/**
 * Everything a run will do, decided by its seed before it starts: what work comes in when, what people do to it, and what
 * is done to the workers, the connections and the database. The same seed makes the same plan.
 */
import type { FaultPointName } from "../jobs/fault-points.ts";
import { type Random, seededRandom } from "./random.ts";
import type { WorkInput } from "./work-input.ts";

export interface PlannedJob {
  kind: string;
  input: WorkInput;
  priority: number;
}

/** Work that comes in: a job, a job that several ask for at once under one key, or a batch. */
export type LoadEntry = { number: number; atMs: number } & (
  | { type: "job"; job: PlannedJob }
  | { type: "keyed"; job: PlannedJob; key: string; callers: number }
  | { type: "batch"; jobs: PlannedJob[]; priority: number; key: string | null }
);

/** `race`: several people do different things to the same work at the same time. */
export type PersonAction = "cancel" | "retry" | "cancel-retry" | "race";

/** What is done to a worker, or to its line to the database. */
export type WorkerAction = { atMs: number; worker: number } & (
  | { type: "kill" }
  | { type: "pause"; ms: number }
  | { type: "terminate" }
  /** Killed or paused by itself, at the next place of this name. */
  | { type: "fault"; point: FaultPointName; end: "kill" | "pause"; ms: number }
  /** Its connections break; what it had sent may still arrive, so many milliseconds later. */
  | { type: "cut"; lateMs: number }
  /** Nothing gets through for so long. */
  | { type: "stall"; ms: number }
);

/** What is done on purpose to bring the engine down. */
export type ChaosAction =
  | WorkerAction
  /** The server ends some of its sessions. */
  | { atMs: number; type: "end-sessions"; share: number }
  | { atMs: number; type: "database"; how: "kill" | "restart" }
  | { atMs: number; type: "person"; action: PersonAction; entry: number };

export interface RunPlan {
  load: LoadEntry[];
  chaos: ChaosAction[];
}

export interface PlanOptions {
  seed: number;
  durationMs: number;
  workers: number;
  leaseMs: number;
  /** Whether the database server is ours to kill. */
  ownServer: boolean;
}

const entriesPerSecond = 10;
const chaosPerSecond = 2.5;
/** A new server needs time to recover, and the others to do something between two deaths. */
const betweenDatabaseDeathsMs = 7_000;
const lockKeys = 4;
/** So many entries of the load in a row ask for the same paid call. */
const perPaidCall = 25;

export function planRun(options: PlanOptions): RunPlan {
  const load = planLoad(options);
  return {
    load,
    chaos: [...planChaos(options), ...planPeople(options, load)].sort((one, other) => one.atMs - other.atMs),
  };
}

function planLoad({ seed, durationMs }: PlanOptions): LoadEntry[] {
  const random = seededRandom(seed, "load");
  const count = Math.ceil((durationMs / 1_000) * entriesPerSecond);
  return Array.from({ length: count }, (_, index): LoadEntry => {
    const place = { number: index, atMs: Math.floor((index / count) * durationMs * 0.95) };
    const type = random.weighted({ job: 80, keyed: 8, batch: 8 });
    if (type === "job") return { ...place, type, job: planJob(random, index, singleKind(random)) };
    if (type === "keyed") {
      return {
        ...place,
        type,
        job: planJob(random, index, "crash.steps"),
        key: `key ${index}`,
        callers: random.int(2, 4),
      };
    }
    const jobs = Array.from({ length: random.int(2, 12) }, () =>
      planJob(random, index, random.chance(0.6) ? "crash.sheet" : "crash.photo"),
    );
    // The batch's own kind, whose afterBatch applies, is that of its first job.
    jobs.unshift(planJob(random, index, "crash.sheet"));
    return { ...place, type, jobs, priority: random.int(-1, 1), key: random.chance(0.3) ? `batch ${index}` : null };
  });
}

function singleKind(random: Random): string {
  return random.weighted({
    "crash.steps": 22,
    "crash.pages": 16,
    "crash.parent": 8,
    "crash.limited": 18,
    "crash.locked": 8,
    "crash.paid": 12,
    "crash.fragile": 4,
    "crash.stubborn": 12,
  });
}

function planJob(random: Random, entry: number, kind: string): PlannedJob {
  const failures: WorkInput["failures"] = [];
  const pages = kind === "crash.pages" ? random.int(3, 14) : random.int(1, 4);
  const stages = { "crash.steps": ["read", "tell", "store"], "crash.pages": ["bind"], "crash.limited": ["store"] }[
    kind
  ] ?? ["read"];
  if (random.chance(0.2)) failures.push({ at: random.pick(stages), upTo: random.int(1, 3), how: "retryable" });
  if (random.chance(0.06)) failures.push({ at: random.pick(stages), upTo: 99, how: "terminal" });
  if (kind === "crash.pages") {
    for (let page = 1; page <= pages; page++) {
      const at = `${page % 2 ? "c" : "p"}${page}`;
      if (random.chance(0.15))
        failures.push({ at, upTo: random.int(1, 4), how: random.chance(0.7) ? "retryable" : "terminal" });
    }
  }
  const key =
    kind === "crash.locked"
      ? `lock ${random.int(1, lockKeys)}`
      : kind === "crash.paid"
        ? `call ${Math.floor(entry / perPaidCall)}`
        : "";
  const input = {
    entry,
    paceMs: kind === "crash.stubborn" ? random.int(150, 500) : random.int(5, 150),
    pages,
    failures,
    key,
  };
  return { kind, input, priority: random.chance(0.2) ? random.int(-5, 5) : 0 };
}

function planChaos({ seed, durationMs, workers, leaseMs, ownServer }: PlanOptions): ChaosAction[] {
  const random = seededRandom(seed, "chaos");
  const actions: ChaosAction[] = [];
  let lastDeathMs = 0;
  const beyondLease = () => Math.round(leaseMs * (1.2 + random.next()));
  const firstMs = 800;
  for (let atMs = firstMs; atMs < durationMs; atMs += Math.round((1_000 / chaosPerSecond) * (0.5 + random.next()))) {
    const worker = random.int(0, workers - 1);
    const type = random.weighted({
      kill: 10,
      pause: 10,
      terminate: 8,
      fault: 30,
      cut: 18,
      stall: 6,
      "end-sessions": 8,
      database: 8,
    });
    switch (type) {
      case "kill":
      case "terminate":
        actions.push({ atMs, type, worker });
        break;
      case "pause":
      case "stall":
        actions.push({ atMs, type, worker, ms: beyondLease() });
        break;
      case "fault": {
        const point = random.weighted({ "commit.before": 4, "commit.inside": 2, "commit.after": 2 });
        actions.push({ atMs, type, worker, point, end: random.chance(0.4) ? "kill" : "pause", ms: beyondLease() });
        break;
      }
      case "cut":
        actions.push({ atMs, type, worker, lateMs: random.chance(0.6) ? random.int(50, 600) : 0 });
        break;
      case "end-sessions":
        actions.push({ atMs, type, share: 0.2 + 0.8 * random.next() });
        break;
      case "database": {
        const how = random.chance(0.6) ? "kill" : "restart";
        if (ownServer && atMs - lastDeathMs > betweenDatabaseDeathsMs && atMs < durationMs - leaseMs) {
          actions.push({ atMs, type, how });
          lastDeathMs = atMs;
        }
        break;
      }
    }
  }
  return actions;
}

/** How often people act on work of a kind: most on what is likely to be under way, and on what several jobs share. */
const attention: Record<string, number> = { "crash.stubborn": 0.4, "crash.paid": 0.3 };
const batchAttention = 0.7;
const otherAttention = 0.12;

/** People act on work that came in shortly before, while it waits, runs or has just ended. */
function planPeople({ seed }: PlanOptions, load: readonly LoadEntry[]): ChaosAction[] {
  const random = seededRandom(seed, "people");
  const actions: ChaosAction[] = [];
  for (const entry of load) {
    const chance = entry.type === "batch" ? batchAttention : (attention[entry.job.kind] ?? otherAttention);
    if (!random.chance(chance)) continue;
    const times = random.int(1, 3);
    for (let time = 0; time < times; time++) {
      const action = random.weighted({ cancel: 3, retry: 3, "cancel-retry": 5, race: 3 });
      const afterMs = random.chance(0.6) ? random.int(20, 800) : random.int(800, 4_000);
      actions.push({ atMs: entry.atMs + afterMs, type: "person", action, entry: entry.number });
    }
  }
  return actions;
}
