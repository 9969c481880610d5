/** A worker process as its tormentor sees it: started, paused, continued, ended and killed, each for real. */
import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FaultPointName } from "../jobs/fault-points.ts";

/** What a worker process is started with. */
export interface WorkerTerms {
  url: string;
  slots: number;
  leaseMs: number;
  heartbeatMs: number;
  pollMs: number;
  graceMs: number;
  fencing: boolean;
}

/** What it is to do to itself when it next comes to this place. */
export interface Fault {
  point: FaultPointName;
  end: "kill" | "pause";
}

/** What it tells its parent. */
export type WorkerMessage = { ready: string } | { faulted: Fault };

export interface WorkerProcess {
  readonly pid: number;
  /** How it ended: an exit code or a signal. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** It has started its worker and minds signals. */
  readonly ready: boolean;
  kill(): void;
  pause(): void;
  resume(): void;
  /** The orderly way: SIGTERM. */
  terminate(): void;
  /** Whether it has come to the place before it was given up. */
  arm(fault: Fault, givenUp: Promise<unknown>): Promise<boolean>;
}

// Beside this file, with the ending it has: .ts in a checkout, .js in the built package.
const program = fileURLToPath(new URL(import.meta.url.replace("worker-process", "worker-main")));

export function startWorkerProcess(terms: WorkerTerms, logFile: string): WorkerProcess {
  const log = openSync(logFile, "a");
  const child = fork(program, [JSON.stringify(terms)], { stdio: ["ignore", log, log, "ipc"], execArgv: [] });
  closeSync(log);
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
  });
  let ready = false;
  let onFault: (() => void) | undefined;
  child.on("message", (message: WorkerMessage) => {
    if ("ready" in message) ready = true;
    else if (onFault) onFault();
    // It came to the place after everyone had stopped waiting for it.
    else child.kill("SIGCONT");
  });
  return {
    pid: child.pid ?? 0,
    exited,
    get ready() {
      return ready;
    },
    kill: () => void child.kill("SIGKILL"),
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    terminate: () => void child.kill("SIGTERM"),
    async arm(fault, givenUp) {
      const reached = new Promise<boolean>((resolve) => {
        onFault = () => resolve(true);
      });
      tell(child, fault);
      const came = await Promise.race([reached, exited.then(() => false), givenUp.then(() => false)]);
      onFault = undefined;
      if (!came) tell(child, undefined);
      return came;
    },
  };
}

function tell(child: ChildProcess, fault: Fault | undefined): void {
  // A process that has just ended cannot be told anything, and need not be.
  if (child.connected) child.send({ fault }, () => undefined);
}
