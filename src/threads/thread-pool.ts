/**
 * Threads for work that keeps a core busy or reads files nobody vouches for. Every task has a deadline and every thread a
 * memory limit; a thread that exceeds one is ended and replaced, and only the task it was on fails. Other tasks, other
 * threads and the process do not notice.
 */
import { Worker } from "node:worker_threads";
import { DocmillError, TerminalError } from "../errors.ts";
import type { TaskAnswer, TaskRequest, TaskTable, ThreadData } from "./serve-tasks.ts";

export interface ThreadPoolOptions {
  /** Runs in each thread and calls `serveTasks`; made with `threadModule`. */
  module: URL;
  /** How many threads at most. They start when they are needed. */
  size: number;
  /** Of a thread's JavaScript heap, and of all its WebAssembly memory. */
  memoryMb: number;
  /** How long a thread without work stays. */
  idleMs?: number;
  /** Handed to the thread when it starts (`threadSettings` in it). */
  settings?: unknown;
}

export interface RunOptions {
  deadlineMs: number;
  signal?: AbortSignal;
  transfer?: readonly ArrayBuffer[];
  /** Tasks with the same key go to the same thread while it is free: it has the document open. */
  affinity?: string;
}

export interface ThreadPool<Tasks extends TaskTable> {
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    options: RunOptions,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>;
  close(): Promise<void>;
}

interface Task {
  name: string;
  input: unknown;
  options: RunOptions;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
  /** Ends the watch on the caller's signal. */
  forget: () => void;
}

interface Thread {
  worker: Worker;
  task?: Task;
  deadline?: NodeJS.Timeout;
  idle?: NodeJS.Timeout;
  affinity?: string;
}

const defaultIdleMs = 30_000;

/** The module `name` beside the caller, as source or as built. */
export function threadModule(caller: string, name: string): URL {
  return new URL(`./${name}${caller.endsWith(".ts") ? ".ts" : ".js"}`, caller);
}

export function openThreadPool<Tasks extends TaskTable>(options: ThreadPoolOptions): ThreadPool<Tasks> {
  const { module, size, memoryMb, idleMs = defaultIdleMs, settings } = options;
  const threads = new Set<Thread>();
  const queue: Task[] = [];
  const ending = new Set<Promise<unknown>>();
  let closed = false;

  return {
    run(name, input, runOptions) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const { signal } = runOptions;
      if (closed) reject(new DocmillError("POOL_CLOSED", "The thread pool is closed."));
      else if (signal?.aborted) reject(signal.reason);
      else {
        const task: Task = { name, input, options: runOptions, resolve, reject, forget: () => {} };
        const abort = () => abandon(task, signal?.reason);
        signal?.addEventListener("abort", abort, { once: true });
        task.forget = () => signal?.removeEventListener("abort", abort);
        queue.push(task);
        startNext();
      }
      return promise as Promise<never>;
    },
    async close() {
      closed = true;
      const error = new DocmillError("POOL_CLOSED", "The thread pool was closed.");
      for (const task of queue.splice(0)) settle(task, () => task.reject(error));
      for (const thread of threads) end(thread, error);
      await Promise.all(ending);
    },
  };

  function startNext(): void {
    while (queue.length > 0) {
      const thread = chooseThread(queue[0] as Task);
      if (!thread) return;
      give(thread, queue.shift() as Task);
    }
  }

  function chooseThread({ options: { affinity } }: Task): Thread | undefined {
    const free = [...threads].filter((thread) => thread.task === undefined);
    const known = affinity === undefined ? undefined : free.find((thread) => thread.affinity === affinity);
    if (known) return known;
    // One with a document open is left to that document while another can be had.
    return free.find((thread) => thread.affinity === undefined) ?? (threads.size < size ? startThread() : free[0]);
  }

  function give(thread: Thread, task: Task): void {
    const { deadlineMs, transfer = [], affinity } = task.options;
    clearTimeout(thread.idle);
    thread.task = task;
    thread.affinity = affinity;
    thread.worker.ref();
    thread.deadline = setTimeout(() => {
      const message = `It took longer than ${deadlineMs} ms and was stopped.`;
      end(thread, new TerminalError("TIME_LIMIT", message));
    }, deadlineMs);
    try {
      thread.worker.postMessage({ name: task.name, input: task.input } satisfies TaskRequest, transfer);
    } catch (error) {
      finish(thread, () => task.reject(error));
    }
  }

  function startThread(): Thread {
    const worker = new Worker(module, {
      workerData: { memoryMb, settings } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const thread: Thread = { worker };
    threads.add(thread);
    worker.on("message", (answer: TaskAnswer) => {
      const { task } = thread;
      if (!task) return;
      if ("error" in answer) finish(thread, () => task.reject(reviveError(answer.error)));
      else finish(thread, () => task.resolve(answer.output));
      // What has grown to its limit would fail the next task for the last one's sake.
      if (answer.worn) end(thread);
    });
    worker.on("error", (error) => end(thread, explainCrash(error, memoryMb)));
    worker.on("exit", () => end(thread, new TerminalError("PARSER_CRASHED", "Reading it crashed the reader.")));
    return thread;
  }

  function finish(thread: Thread, tell: () => void): void {
    const { task } = thread;
    clearTimeout(thread.deadline);
    thread.task = undefined;
    if (task) settle(task, tell);
    if (!threads.has(thread)) return;
    thread.worker.unref();
    thread.idle = setTimeout(() => end(thread), idleMs).unref();
    startNext();
  }

  function abandon(task: Task, reason: unknown): void {
    const waiting = queue.indexOf(task);
    if (waiting >= 0) queue.splice(waiting, 1);
    const thread = [...threads].find((one) => one.task === task);
    if (thread) end(thread, reason);
    else settle(task, () => task.reject(reason));
  }

  /** Ends a thread at whatever it is doing; the task it was on fails with `reason`. */
  function end(thread: Thread, reason?: unknown): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.deadline);
    clearTimeout(thread.idle);
    const terminated = thread.worker.terminate().finally(() => ending.delete(terminated));
    ending.add(terminated);
    const { task } = thread;
    thread.task = undefined;
    if (task) settle(task, () => task.reject(reason));
    if (!closed) startNext();
  }
}

function settle(task: Task, tell: () => void): void {
  task.forget();
  tell();
}

function reviveError({ code, message, retryable, details }: Extract<TaskAnswer, { error: unknown }>["error"]): Error {
  return new DocmillError(code, message, { retryable, details });
}

function explainCrash(error: Error & { code?: string }, memoryMb: number): Error {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new TerminalError("MEMORY_LIMIT", `It needs more than ${memoryMb} MB of memory.`, { cause: error });
  }
  return new TerminalError("PARSER_CRASHED", "Reading it crashed the reader.", { cause: error });
}
