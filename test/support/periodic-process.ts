/** Processes that take part in periodic work: started, stopped, continued and killed for real. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

export interface PeriodicProcessOptions {
  url: string;
  tasks: string[];
  everyMs?: number;
  lookMs?: number;
  rightMs?: number;
  /** A turn lasts until `open` is called. */
  gated?: boolean;
  /** Notes in the table `at_work` who is at it, and fails where someone else is. */
  alone?: boolean;
}

interface Seen {
  type: "ready" | "taken" | "finished" | "failed" | "lost";
  task: string;
  turn: number;
  pid: number;
}

export interface PeriodicProcess extends AsyncDisposable {
  readonly pid: number;
  readonly seen: readonly Seen[];
  /** The first of this type, as soon as there is one. */
  saw(type: Seen["type"]): Promise<Seen>;
  open(): void;
  /** SIGSTOP, and waits until it stands still. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when the process is gone. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const program = fileURLToPath(new URL("periodic-main.ts", import.meta.url));

export async function startPeriodicProcess(options: PeriodicProcessOptions): Promise<PeriodicProcess> {
  const child = fork(program, [JSON.stringify(options)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: [],
  });
  const seen: Seen[] = [];
  child.on("message", (message: Seen) => void seen.push(message));
  const saw: PeriodicProcess["saw"] = (type) =>
    until(() => {
      const found = seen.find((one) => one.type === type);
      if (!found && !isRunning(child)) throw new Error(`The process ended before it was ${type}.`);
      return found;
    });
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (!isRunning(child)) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  await saw("ready");
  return {
    pid: child.pid as number,
    seen,
    saw,
    open: () => void child.send("open"),
    async pause() {
      child.kill("SIGSTOP");
      await until(() => isStopped(child.pid as number));
    },
    resume: () => void child.kill("SIGCONT"),
    end,
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** The signal takes a moment to reach every thread. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
}
