/** The thread's side of a pool: answers one task after another, and keeps WebAssembly within the memory limit. */
import { parentPort, workerData } from "node:worker_threads";
import { DocmillError, TerminalError } from "../errors.ts";

/** What a thread can do, by name. */
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
  settings: unknown;
}

export interface TaskRequest {
  name: string;
  input: unknown;
}

export type TaskAnswer = { worn: boolean } & (
  | { output: unknown }
  | { error: { code: string; message: string; retryable: boolean; details?: Record<string, unknown> } }
);

/** What the pool was opened with for its threads. */
export function threadSettings<Settings>(): Settings {
  return (workerData as ThreadData).settings as Settings;
}

export function serveTasks(tasks: TaskTable): void {
  const port = parentPort;
  if (!port) throw new TypeError("serveTasks belongs into a thread of a pool.");
  const { memoryMb } = workerData as ThreadData;
  const memory = limitWebAssembly(memoryMb);
  port.on("message", ({ name, input }: TaskRequest) => {
    void (async () => {
      try {
        const task = tasks[name] as ((input: unknown) => unknown) | undefined;
        if (!task) throw new TypeError(`This thread has no task ${name}.`);
        const output = await task(input);
        const worn = memory.worn();
        if (output instanceof Transferred) port.postMessage({ output: output.output, worn }, [...output.buffers]);
        else port.postMessage({ output, worn });
      } catch (error) {
        // What a reader left behind when it failed half-way is not trusted with the next file.
        port.postMessage({ error: describe(error, memory.refused(), memoryMb), worn: true } satisfies TaskAnswer);
      }
    })();
  });
}

function describe(error: unknown, refusedMemory: boolean, memoryMb: number) {
  if (refusedMemory) {
    error = new TerminalError("MEMORY_LIMIT", `It needs more than ${memoryMb} MB of memory.`, { cause: error });
  }
  if (error instanceof DocmillError) {
    const { code, message, retryable, details } = error;
    return { code, message, retryable, details };
  }
  return { code: "UNKNOWN", message: error instanceof Error ? error.message : String(error), retryable: false };
}

/**
 * `resourceLimits` counts the JavaScript heap only. Emscripten's modules grow their memory through this method, and take
 * its refusal for "out of memory".
 */
function limitWebAssembly(memoryMb: number): { refused(): boolean; worn(): boolean } {
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
    worn: () => [...grown.values()].reduce((sum, bytes) => sum + bytes, 0) > limitBytes * 0.75,
  };
}
