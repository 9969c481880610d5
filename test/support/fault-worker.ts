/**
 * A worker in a process of its own that can be told to end itself with SIGKILL at a named place in the engine. Its
 * pipelines come from a file in test/fixtures, and what they tell arrives here in order.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FaultPointName } from "../../src/jobs/fault-points.ts";

/** Where the process ends itself: at the first write that fits all that is said. */
export interface Fault {
  point: FaultPointName;
  jobId?: string;
  /** The stage whose checkpoint it is; with `item`, the stage the item belongs to. */
  stage?: string;
  item?: string;
  transition?: string;
}

export interface FaultWorkerOptions {
  url: string;
  /** The file in test/fixtures that exports `createPipelines`. */
  fixture: string;
  /** Null to go by polling only. */
  listenUrl?: string | null;
  slots?: number;
  leaseMs?: number;
  heartbeatMs?: number;
  pollMs?: number;
  fault?: Fault;
}

export interface Message {
  type: string;
  [field: string]: unknown;
}

export interface FaultWorker {
  readonly pid: number;
  /** All messages so far. */
  readonly messages: readonly Message[];
  /** The first message that fits, past or to come; rejects if the process ends without it. */
  hears(type: string, wanted?: (message: Message) => boolean): Promise<Message>;
  onMessage(listener: (message: Message) => void): void;
  /** Sends something to the fixture. */
  say(message: Message): void;
  /** Settles when the process is gone, with the signal or code it ended by. */
  readonly exited: Promise<NodeJS.Signals | number>;
  signal(signal: NodeJS.Signals): void;
  /** Kills it, if it still runs, and waits until it is gone. */
  kill(): Promise<void>;
  /** Lets it stop its worker and exit. */
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("fault-worker-process.ts", import.meta.url));

/** Starts the process and waits until its worker takes jobs. */
export async function startFaultWorker(options: FaultWorkerOptions): Promise<FaultWorker> {
  const worker = watch(
    fork(script, [JSON.stringify(options)], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] }),
  );
  // One that is to die may do so before it is ready.
  if (options.fault) await Promise.race([worker.hears("ready").catch(() => undefined), worker.exited]);
  else await worker.hears("ready");
  return worker;
}

function watch(child: ChildProcess): FaultWorker {
  const messages: Message[] = [];
  const listeners = new Set<(message: Message) => void>();
  const exited = new Promise<NodeJS.Signals | number>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code ?? -1));
  });
  child.on("message", (message: Message) => {
    messages.push(message);
    for (const listener of listeners) listener(message);
  });
  return {
    pid: child.pid ?? 0,
    messages,
    exited,
    hears(type, wanted = () => true) {
      const fits = (message: Message) => message.type === type && wanted(message);
      const past = messages.find(fits);
      if (past) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const listener = (message: Message) => {
          if (!fits(message)) return;
          listeners.delete(listener);
          resolve(message);
        };
        listeners.add(listener);
        void exited.then((how) => reject(new Error(`the worker process ended (${how}) without saying "${type}"`)));
      });
    },
    onMessage(listener) {
      messages.forEach(listener);
      listeners.add(listener);
    },
    say: (message) => void child.send(message),
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      if (child.connected) child.send({ type: "stop" });
      await exited;
    },
  };
}
