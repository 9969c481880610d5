/**
 * Threads for work that keeps a core busy or reads files nobody vouches for. Every task has a deadline and every thread a
 * memory limit; a thread that exceeds one is ended and replaced, and only the task it was on fails. Other tasks, other
 * threads and the process do not notice.
 */
import { Worker } from "node:worker_threads";
import { DocmillError, RetryableError, TerminalError } from "../errors.ts";
import { watchAborts } from "./abort-watch.ts";
import {
  type TaskAnswer,
  type TaskRequest,
  type TaskTable,
  type ThreadData,
  type Transferred,
  threadReady,
} from "./serve-tasks.ts";

/** What a pool is doing, and how often it had to end a thread at work, by the code of the reason. */
export interface PoolUsage {
  threads: number;
  busy: number;
  queued: number;
  killed: Readonly<Record<string, number>>;
}

/** Gets to look at a pool for as long as the process lives. */
export type PoolWatch = (usage: () => PoolUsage) => void;

export interface ThreadPoolOptions {
  /** Runs in each thread and calls `serveTasks`; made with `threadModule`. */
  module: URL;
  /** How many threads at most. They start when they are needed. */
  size: number;
  /** Of a thread's JavaScript heap, of all its WebAssembly memory, and of its buffers: each may have as much. */
  memoryMb: number;
  /** Its work may wait while someone needs an answer: it runs at a lower priority. */
  background?: boolean;
  /** How long a thread without work stays. */
  idleMs?: number;
  /** After so many tasks in a row a thread goes with its first pause: by then it has taken memory that only its end gives back. */
  mostInARow?: number;
  /** Handed to the thread when it starts (`threadSettings` in it). */
  settings?: unknown;
  watch?: PoolWatch;
}

interface RunOptions {
  /** Counts from when a thread has begun with it: neither the wait for one nor its start is the task's fault. */
  deadlineMs: number;
  signal?: AbortSignal;
  transfer?: readonly ArrayBuffer[];
  /** A thread that has had a task with this key is preferred: it has the document open. Others help when it is busy. */
  affinity?: string;
}

/** What a task's output is on this side: buffers that were moved are part of it. */
type Received<Output> = Output extends Transferred<infer Moved> ? Moved : Output;

export interface ThreadPool<Tasks extends TaskTable> {
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    options: RunOptions,
  ): Promise<Received<Awaited<ReturnType<Tasks[Name]>>>>;
  close(): Promise<void>;
}

interface Task {
  name: string;
  input: unknown;
  options: RunOptions;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
  /** How many later tasks a thread took instead, because it had their document open. */
  passedOver: number;
}

interface Thread {
  worker: Worker;
  /** Its module has been loaded. */
  ready: boolean;
  task?: Task;
  deadline?: NodeJS.Timeout;
  idle?: NodeJS.Timeout;
  affinity?: string;
  /** Tasks since its last pause. */
  inARow: number;
}

const defaultIdleMs = 30_000;
/** While a document is read its next page is there sooner, unless pages go through OCR. */
const pauseMs = 1_000;
/** Two documents in turn would be opened anew for every page; waiting for eight pages is hardly a delay. */
const mostPassedOver = 8;

/**
 * V8's own limit is far above ours. It ends the thread alone if the heap grows step by step, but the whole process if one
 * call (splitting a huge text) leaps over it; ours is looked after from outside, and a leap finds room.
 */
const headroom = 4;
const heapWatchMs = 250;

/** The module `name` beside the caller, as source or as built. */
export function threadModule(caller: string, name: string): URL {
  return new URL(`./${name}${caller.endsWith(".ts") ? ".ts" : ".js"}`, caller);
}

export function openThreadPool<Tasks extends TaskTable>(options: ThreadPoolOptions): ThreadPool<Tasks> {
  const { module, size, memoryMb, idleMs = defaultIdleMs, background = false, settings } = options;
  const { mostInARow = Number.POSITIVE_INFINITY } = options;
  const threads = new Set<Thread>();
  const queue: Task[] = [];
  const ending = new Set<Promise<unknown>>();
  const aborts = watchAborts(abandonAll);
  const killed: Record<string, number> = {};
  let closed = false;
  options.watch?.(() => {
    const busy = [...threads].filter(({ task }) => task !== undefined).length;
    return { threads: threads.size, busy, queued: queue.length, killed };
  });
  const heapWatch = setInterval(() => void watchHeaps(), heapWatchMs).unref();

  return {
    run(name, input, runOptions) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const { signal } = runOptions;
      if (closed) reject(poolClosed());
      else if (signal?.aborted) reject(signal.reason);
      else {
        const task: Task = { name, input, options: runOptions, resolve, reject, passedOver: 0 };
        if (signal) aborts.add(signal);
        queue.push(task);
        startNext();
      }
      return promise as Promise<never>;
    },
    async close() {
      closed = true;
      clearInterval(heapWatch);
      const error = poolClosed();
      for (const task of queue.splice(0)) settle(task, () => task.reject(error));
      for (const thread of threads) end(thread, error);
      await Promise.all(ending);
    },
  };

  async function watchHeaps(): Promise<void> {
    const busy = [...threads].filter(({ task, ready }) => ready && task);
    await Promise.all(
      busy.map(async (thread) => {
        const { task } = thread;
        // One that has just ended has no heap.
        const heap = await thread.worker.getHeapStatistics().catch(() => undefined);
        if (heap && thread.task === task && exceeds(heap, memoryMb * 2 ** 20)) end(thread, overMemory(memoryMb));
      }),
    );
  }

  function startNext(): void {
    for (let next = chooseNext(); next; next = chooseNext()) {
      const { task, thread } = next;
      queue.splice(queue.indexOf(task), 1);
      if (thread instanceof Error) settle(task, () => task.reject(thread));
      else give(thread, task);
    }
  }

  function chooseNext(): { thread: Thread | Error; task: Task } | undefined {
    const task = queue[0];
    if (!task) return undefined;
    const { affinity } = task.options;
    const free = [...threads].filter((thread) => thread.task === undefined);
    const suits = (thread: Thread) => affinity === undefined || thread.affinity === affinity;
    const fitting = free.find(suits) ?? free.find((one) => one.affinity === undefined);
    if (fitting) return { thread: fitting, task };
    const started = threads.size < size ? startThread() : undefined;
    // Where there are others, the task can wait for one of them.
    if (started && !(started instanceof Error && threads.size > 0)) return { thread: started, task };
    // Every free thread has another document open: it goes on with that one, for a while.
    if (task.passedOver < mostPassedOver) {
      for (const other of free) {
        const later = queue.find((one) => one.options.affinity === other.affinity);
        if (!later) continue;
        task.passedOver++;
        return { thread: other, task: later };
      }
    }
    return free[0] && { thread: free[0], task };
  }

  function give(thread: Thread, task: Task): void {
    const { deadlineMs, transfer = [], affinity } = task.options;
    clearTimeout(thread.idle);
    thread.task = task;
    thread.inARow++;
    thread.affinity = affinity ?? thread.affinity;
    thread.worker.ref();
    thread.deadline = setTimeout(() => {
      const message = `It took longer than ${deadlineMs} ms and was stopped.`;
      end(thread, thread.ready ? new TerminalError("TIME_LIMIT", message) : notStarted());
    }, deadlineMs);
    try {
      thread.worker.postMessage({ name: task.name, input: task.input } satisfies TaskRequest, transfer);
    } catch (error) {
      finish(thread, () => task.reject(error));
    }
  }

  function startWorker(): Worker | Error {
    try {
      return new Worker(module, {
        workerData: { memoryMb, background, settings } satisfies ThreadData,
        // Left to itself V8 keeps some 100 MB of each thread for what is garbage a page later.
        resourceLimits: { maxOldGenerationSizeMb: memoryMb * headroom, maxYoungGenerationSizeMb: 48 },
      });
    } catch (error) {
      return notStarted(error);
    }
  }

  function startThread(): Thread | Error {
    const worker = startWorker();
    if (worker instanceof Error) return worker;
    const thread: Thread = { worker, ready: false, inARow: 0 };
    threads.add(thread);
    worker.on("message", (answer: TaskAnswer | typeof threadReady) => {
      if (answer === threadReady) {
        thread.ready = true;
        thread.deadline?.refresh();
        return;
      }
      const { task } = thread;
      if (!task) return;
      const tell = () => ("error" in answer ? task.reject(reviveError(answer.error)) : task.resolve(answer.output));
      if (!answer.worn) finish(thread, tell);
      else {
        // What has grown to its limit would fail the next task for the last one's sake.
        thread.task = undefined;
        end(thread);
        settle(task, tell);
      }
    });
    worker.on("messageerror", (error) => end(thread, explainCrash(thread, memoryMb, error)));
    worker.on("error", (error) => end(thread, explainCrash(thread, memoryMb, error)));
    worker.on("exit", () => end(thread, explainCrash(thread, memoryMb)));
    return thread;
  }

  function finish(thread: Thread, tell: () => void): void {
    const { task } = thread;
    clearTimeout(thread.deadline);
    thread.task = undefined;
    if (task) settle(task, tell);
    if (!threads.has(thread)) return;
    thread.worker.unref();
    thread.idle = setTimeout(() => pause(thread), Math.min(pauseMs, idleMs)).unref();
    startNext();
  }

  function pause(thread: Thread): void {
    if (thread.inARow >= mostInARow || idleMs <= pauseMs) end(thread);
    else {
      thread.inARow = 0;
      thread.idle = setTimeout(() => end(thread), idleMs - pauseMs).unref();
    }
  }

  /** Those that wait go first: a thread that ends would begin with one of them. */
  function abandonAll(signal: AbortSignal): void {
    const isIts = (task: Task | undefined) => task?.options.signal === signal;
    for (const task of queue.filter(isIts)) {
      queue.splice(queue.indexOf(task), 1);
      settle(task, () => task.reject(signal.reason));
    }
    for (const thread of [...threads].filter(({ task }) => isIts(task))) end(thread, signal.reason);
  }

  function settle(task: Task, tell: () => void): void {
    const { signal } = task.options;
    if (signal) aborts.remove(signal);
    tell();
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
    if (task) {
      const code = reason instanceof DocmillError ? reason.code : "ABORTED";
      killed[code] = (killed[code] ?? 0) + 1;
      settle(task, () => task.reject(reason));
    }
    if (!closed) startNext();
  }
}

/** What V8 calls external are buffers, which lie outside of its heap and its limits, and the memory of WebAssembly. */
function exceeds(heap: { used_heap_size: number; external_memory: number }, limitBytes: number): boolean {
  return heap.used_heap_size > limitBytes || heap.external_memory > 2 * limitBytes;
}

function reviveError(error: Extract<TaskAnswer, { error: unknown }>["error"]): Error {
  const { code, message, retryable, retryAfterMs, details, cause } = error;
  return new DocmillError(code, message, { retryable, retryAfterMs, details, cause });
}

function explainCrash({ ready }: Thread, memoryMb: number, cause?: unknown): Error {
  if (cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return overMemory(memoryMb, cause);
  }
  if (!ready) return notStarted(cause);
  return new TerminalError("PARSER_CRASHED", "Reading it crashed the reader.", { cause });
}

function overMemory(memoryMb: number, cause?: unknown): Error {
  return new TerminalError("MEMORY_LIMIT", `It needs more than ${memoryMb} MB of memory.`, { cause });
}

function notStarted(cause?: unknown): Error {
  return new RetryableError("THREAD_FAILED", "A thread for the work could not be started.", { cause });
}

/** The process is about to end: whoever runs next may do the work. */
function poolClosed(): Error {
  return new RetryableError("POOL_CLOSED", "The thread pool is closed.");
}
