/**
 * A worker on the document pipelines in a process of its own, which ends itself with SIGKILL at a named moment of its
 * work, or stands still there until it is told to go on.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FaultPointName } from "../../src/jobs/fault-points.ts";

/** The first write that fits all that is said. */
export interface Moment {
  point: FaultPointName;
  jobId?: string;
  /** The stage whose checkpoint it is; with `item`, the stage of the item. */
  stage?: string;
  /** Of the item; `any` is the first that comes. */
  item?: string;
  transition?: string;
  /** Whether the write creates jobs, as the end of a document's does. */
  createsJobs?: boolean;
}

export interface DocumentWorkerOptions {
  /** Settings, as `docmill worker` would read them. */
  environment: Record<string, string>;
  /** Passages in one call for vectors; few, so that a small document has many batches. */
  batchSize?: number;
  /** Pages and batches of one document under way at once; one, so that nothing else is in the air at a moment. */
  atOnce?: number;
  slots?: number;
}

/** Where it ends itself, and where it stands still. */
export interface Moments {
  endAt?: Moment;
  holdAt?: Moment;
}

/** What the process tells, and what it is told. */
export type WorkerMessage = "opened" | "started" | "rested" | "reached";
export type WorkerOrder = { start: Moments } | "rest" | "go on";

export interface DocumentWorker {
  readonly pid: number;
  /** Everything it has logged. */
  readonly log: string;
  /** Lets it take jobs; resolves when it does, or has ended already. */
  start(moments?: Moments): Promise<void>;
  /** Lets it take no more jobs until it is started again. */
  rest(): Promise<void>;
  /** Resolves when it stands still at its moment. */
  readonly reached: Promise<void>;
  /** Lets it go on from there. */
  goOn(): void;
  readonly exited: Promise<NodeJS.Signals | number>;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL("document-worker-main.ts", import.meta.url));
const compileCache = fileURLToPath(new URL("../../node_modules/.cache/docmill-tests", import.meta.url));

/** Starts the process, which opens all it needs and then waits to be let at the jobs: that much can be done ahead. */
export function prepareDocumentWorker(options: DocumentWorkerOptions): DocumentWorker {
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: [],
    env: { NODE_COMPILE_CACHE: compileCache },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = new Promise<NodeJS.Signals | number>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code ?? -1));
  });
  const order = (message: WorkerOrder) => void child.send(message);
  const [opened, reached] = [hear(child, "opened"), hear(child, "reached")];
  return {
    pid: child.pid as number,
    get log() {
      return log;
    },
    async start(moments = {}) {
      await Promise.race([opened, exited]);
      const started = hear(child, "started");
      order({ start: moments });
      await Promise.race([started, exited]);
    },
    async rest() {
      const rested = hear(child, "rested");
      order("rest");
      await Promise.race([rested, exited]);
    },
    reached,
    goOn: () => order("go on"),
    exited,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function hear(child: ChildProcess, wanted: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    const listen = (message: WorkerMessage) => {
      if (message !== wanted) return;
      child.off("message", listen);
      resolve();
    };
    child.on("message", listen);
  });
}
