/** The thread's side of a pool: answers one task after another, and keeps WebAssembly within the memory limit. */

import { constants, platform, setPriority } from "node:os";
import { inspect } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { DocmillError } from "../errors.ts";

/** What a thread can do, by name. A task may be asynchronous, but a thread is never given two at a time. */
export type TaskTable = Record<string, (input: never) => unknown>;

/** A task's output with buffers that are moved to the other side instead of copied. */
export class Transferred<Output> {
  readonly output: Output;
  readonly buffers: readonly ArrayBuffer[];
  constructor(output: Output, buffers: readonly ArrayBuffer[]) {
    this.output = output;
    this.buffers = buffers;
  }
}

export interface ThreadData {
  memoryMb: number;
  background: boolean;
  settings: unknown;
}

export interface TaskRequest {
  name: string;
  input: unknown;
}

/** A DocmillError on its way between threads; its cause arrives as text, for the log. */
interface SentError {
  code: string;
  message: string;
  retryable: boolean;
  retryAfterMs?: number;
  details?: Record<string, unknown>;
  cause?: string;
}

export type TaskAnswer = { worn: boolean } & ({ output: unknown } | { error: SentError });

/** The first thing a thread says: what goes wrong before is not the fault of what it was given. */
export const threadReady = "ready";

/** What the pool was opened with for its threads. */
export function threadSettings<Settings>(): Settings {
  return (workerData as ThreadData).settings as Settings;
}

export function serveTasks(tasks: TaskTable): void {
  const port = parentPort;
  if (!port) throw new TypeError("serveTasks belongs into a thread of a pool.");
  const { memoryMb, background } = workerData as ThreadData;
  if (background) stepBack();
  const memory = limitWebAssembly(memoryMb);
  port.on("message", ({ name, input }: TaskRequest) => {
    void (async () => {
      memory.forgetRefusals();
      try {
        const task = tasks[name] as ((input: unknown) => unknown) | undefined;
        if (!task) throw new TypeError(`This thread has no task ${name}.`);
        const output = await task(input);
        const worn = memory.worn();
        if (output instanceof Transferred) port.postMessage({ output: output.output, worn }, [...output.buffers]);
        else port.postMessage({ output, worn });
      } catch (error) {
        // What was left behind by a failure nobody foresaw is not trusted with the next file.
        const worn = !(error instanceof DocmillError) || memory.refused() || memory.worn();
        port.postMessage({ error: describe(error, memory.refused(), memoryMb), worn } satisfies TaskAnswer);
      }
    })();
  });
  port.postMessage(threadReady);
}

/**
 * Lets those go first whom a person waits for: the thread that answers requests, and the database. On Linux the process
 * "0" is the calling thread alone; elsewhere it would be everyone.
 */
function stepBack(): void {
  if (platform() === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}

function describe(error: unknown, refusedMemory: boolean, memoryMb: number): SentError {
  if (error instanceof DocmillError) {
    const { code, message, retryable, retryAfterMs, details, cause } = error;
    return { code, message, retryable, retryAfterMs, details, cause: cause === undefined ? undefined : print(cause) };
  }
  const cause = print(error);
  // Too many open files, a disk that is gone: the machine's trouble, not that of what the task was given.
  if (error instanceof Error && "syscall" in error) {
    return { code: "THREAD_FAILED", message: "A thread lacked something of the machine.", retryable: true, cause };
  }
  // Without memory everything fails in some way of its own.
  if (refusedMemory) {
    return { code: "MEMORY_LIMIT", message: `It needs more than ${memoryMb} MB of memory.`, retryable: false, cause };
  }
  if (isCrash(error))
    return { code: "PARSER_CRASHED", message: "Reading it crashed the reader.", retryable: false, cause };
  return { code: "UNKNOWN", message: error instanceof Error ? error.message : String(error), retryable: false, cause };
}

/** A trap in WebAssembly, or a stack that ran over. */
function isCrash(error: unknown): boolean {
  return error instanceof Error && (error.name === "RuntimeError" || /call stack/.test(error.message));
}

function print(error: unknown): string {
  return inspect(error).slice(0, 2000);
}

/**
 * `resourceLimits` counts the JavaScript heap only. Emscripten's modules grow their memory through this method, and take
 * its refusal for "out of memory".
 */
function limitWebAssembly(memoryMb: number): { refused(): boolean; forgetRefusals(): void; worn(): boolean } {
  const limitBytes = memoryMb * 2 ** 20;
  const pageBytes = 2 ** 16;
  const grown = new Map<WebAssembly.Memory, number>();
  let refused = false;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    grown.set(this, this.buffer.byteLength);
    const total = [...grown.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (total + pages * pageBytes > limitBytes) {
      refused = true;
      throw new RangeError("memory limit");
    }
    const before = grow.call(this, pages);
    grown.set(this, this.buffer.byteLength);
    return before;
  };
  return {
    refused: () => refused,
    forgetRefusals: () => {
      refused = false;
    },
    worn: () => [...grown.values()].reduce((sum, bytes) => sum + bytes, 0) > limitBytes * 0.75,
  };
}
