/**
 * Worker processes for tests: started for real, stopped, continued, ended and killed for real. A suite that leaves one
 * running fails, and so does a test whose process ended unasked.
 */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach } from "vitest";
import type { EngineHappening } from "../../src/jobs/happenings.ts";
import { until } from "./until.ts";

export interface WorkerProcessOptions {
  /** The database to work on. */
  url: string;
  /** The file whose exported pipelines it serves: `import.meta.resolve("../fixtures/pipelines/….ts")`. */
  pipelines: string;
  /** Serve only these kinds of the file. Left out: all. */
  kinds?: string[];
  slots?: number;
  leaseMs?: number;
  heartbeatMs?: number;
  pollMs?: number;
  graceMs?: number;
}

export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** The id it started under. */
  readonly workerId: string;
  readonly happenings: readonly EngineHappening[];
  /** What its stages have reported under this name so far. */
  reports(name: string): Record<string, unknown>[];
  /** The first report of this name that fits, as soon as there is one. */
  reported(name: string, fits?: (data: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  happened(type: EngineHappening["type"]): Promise<EngineHappening>;
  /** Lets its stages pass the gate of this name. */
  open(gate: string): void;
  /** SIGSTOP: it stands still, its connections stay up. */
  pause(): Promise<void>;
  /** SIGCONT. */
  resume(): void;
  /** SIGTERM; answers its exit code. */
  terminate(): Promise<number | null>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

interface Report {
  report: string;
  data: Record<string, unknown>;
}

type Message = { ready: string } | { happening: EngineHappening } | Report;

const program = fileURLToPath(new URL("worker-main.ts", import.meta.url));

const defaults = { kinds: [], slots: 4, leaseMs: 60_000, heartbeatMs: 500, pollMs: 200, graceMs: 5_000 };

export interface WorkerProcesses {
  start(options: WorkerProcessOptions): Promise<WorkerProcess>;
  /** Several at a time, all alike. */
  startMany(count: number, options: WorkerProcessOptions): Promise<WorkerProcess[]>;
}

/** For a test file or a describe block: processes that are to end with each test, or with the whole suite. */
export function useWorkerProcesses(endWith: "test" | "suite" = "test"): WorkerProcesses {
  const started = new Set<{ child: ChildProcess; worker: WorkerProcess }>();
  const endAll = async (): Promise<number> => {
    const left = [...started].filter(({ child }) => isRunning(child));
    started.clear();
    await Promise.all(left.map(({ worker }) => worker.kill()));
    return left.length;
  };
  if (endWith === "suite") {
    afterAll(async () => void (await endAll()));
  } else {
    afterEach(async ({ task }) => {
      const left = await endAll();
      // A test that failed half-way could not end them, and has said why already.
      if (left > 0 && task.result?.state !== "fail") throw new Error(`${left} worker processes were left running`);
    });
  }

  const start = async (options: WorkerProcessOptions): Promise<WorkerProcess> => {
    const child = fork(program, [JSON.stringify({ ...defaults, ...options })], {
      stdio: ["ignore", "inherit", "pipe", "ipc"],
      execArgv: [],
    });
    const worker = control(child);
    started.add({ child, worker: worker.process });
    await worker.ready;
    return worker.process;
  };
  return {
    start,
    startMany: (count, options) => Promise.all(Array.from({ length: count }, () => start(options))),
  };
}

function control(child: ChildProcess): { process: WorkerProcess; ready: Promise<void> } {
  const happenings: EngineHappening[] = [];
  const reports: Report[] = [];
  let workerId: string | undefined;
  let errors = "";
  let looking: (() => void)[] = [];
  child.stderr?.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  child.on("message", (message: Message) => {
    if ("ready" in message) workerId = message.ready;
    else if ("happening" in message) happenings.push(message.happening);
    else reports.push(message);
    for (const look of looking.splice(0)) look();
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  void exited.then(() => {
    for (const look of looking.splice(0)) look();
  });

  const waitFor = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (!isRunning(child)) throw new Error(`The worker process ended.\n${errors}`);
      await new Promise<void>((resolve) => {
        looking = [...looking, resolve];
      });
    }
  };
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (isRunning(child)) child.kill(signal);
    return exited;
  };

  const process: WorkerProcess = {
    pid: child.pid as number,
    get workerId() {
      return workerId as string;
    },
    happenings,
    reports: (name) => reports.filter(({ report }) => report === name).map(({ data }) => data),
    reported: async (name, fits = () => true) =>
      (await waitFor(() => reports.find(({ report, data }) => report === name && fits(data)))).data,
    happened: (type) => waitFor(() => happenings.find((happening) => happening.type === type)),
    open: (gate) => void child.send({ open: gate }),
    async pause() {
      child.kill("SIGSTOP");
      await until(() => isStopped(child.pid as number));
    },
    resume: () => void child.kill("SIGCONT"),
    terminate: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
  };
  return { process, ready: waitFor(() => workerId).then(() => undefined) };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** The signal takes a moment to reach every thread. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
}
