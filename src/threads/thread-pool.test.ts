import { getPriority } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import type { TroubledTasks } from "../../test/fixtures/troubled-thread.ts";
import { DocmillError } from "../errors.ts";
import { openThreadPool, type PoolUsage, type ThreadPool, type ThreadPoolOptions } from "./thread-pool.ts";

const module = new URL("../../test/fixtures/troubled-thread.ts", import.meta.url);
const deadlineMs = 60_000;
const pools: ThreadPool<TroubledTasks>[] = [];

function open(options: Partial<ThreadPoolOptions> = {}): ThreadPool<TroubledTasks> {
  const pool = openThreadPool<TroubledTasks>({ module, size: 2, memoryMb: 64, ...options });
  pools.push(pool);
  return pool;
}

/** Holds tasks back until it is opened, and tells how many have begun. */
function makeGate() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  return {
    shared,
    async until(count: number) {
      for (let seen = Atomics.load(shared, 1); seen < count; seen = Atomics.load(shared, 1)) {
        await Atomics.waitAsync(shared, 1, seen).value;
      }
    },
    open() {
      Atomics.store(shared, 0, 1);
      Atomics.notify(shared, 0);
    },
  };
}

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

test("a task's answer and its settings come back, and buffers are moved", async () => {
  const pool = open({ settings: { language: "eng" } });
  expect(await pool.run("echo", { some: ["input"] }, { deadlineMs })).toEqual({ some: ["input"] });
  expect(await pool.run("settings", undefined, { deadlineMs })).toEqual({ language: "eng" });
  const { data } = await pool.run("moveBuffer", { bytes: 1000 }, { deadlineMs });
  expect(data).toHaveLength(1000);
  expect(data[999]).toBe(7);
});

test("a buffer handed over is gone on this side", async () => {
  const data = new Uint8Array([1, 2, 3]);
  const answer = await open().run("echo", data, { deadlineMs, transfer: [data.buffer] });
  expect(answer).toEqual(new Uint8Array([1, 2, 3]));
  expect(data.buffer.detached).toBe(true);
});

test.for(["loopForEver", "neverAnswer"] as const)("%s ends at its deadline, and the next task runs", async (name) => {
  const pool = open({ size: 1 });
  // A thread that is still starting would be blamed, not the task.
  await pool.run("echo", "first", { deadlineMs });
  const stuck = pool.run(name, undefined as never, { deadlineMs: 300 });
  const next = pool.run("echo", "next", { deadlineMs });
  await expect(stuck).rejects.toMatchObject({ code: "TIME_LIMIT", retryable: false });
  expect(await next).toBe("next");
});

test.for([
  ["eatHeap", "MEMORY_LIMIT"],
  ["eatBuffers", "MEMORY_LIMIT"],
  ["trap", "PARSER_CRASHED"],
  ["overflowStack", "PARSER_CRASHED"],
  ["exit", "PARSER_CRASHED"],
] as const)("%s fails its own task with %s and no other", async ([name, code]) => {
  const pool = open();
  const gate = makeGate();
  const beside = pool.run("waitFor", { gate: gate.shared }, { deadlineMs });
  await gate.until(1);
  const troubled = pool.run(name, undefined as never, { deadlineMs });
  const behind = pool.run("echo", "behind", { deadlineMs });
  await expect(troubled).rejects.toMatchObject({ code, retryable: false });
  expect(await behind).toBe("behind");
  gate.open();
  expect(await beside).toBeTypeOf("number");
});

test("WebAssembly gets no more memory than the limit", async () => {
  const pool = open({ size: 1 });
  expect(await pool.run("growWebAssembly", { megabytes: 20 }, { deadlineMs })).toBeGreaterThan(20 * 2 ** 20);
  await expect(pool.run("growWebAssembly", { megabytes: 200 }, { deadlineMs })).rejects.toMatchObject({
    code: "MEMORY_LIMIT",
    message: expect.stringContaining("64 MB"),
  });
});

test("a thread whose memory has nearly reached the limit is replaced after its answer", async () => {
  const pool = open({ size: 1 });
  const first = await pool.run("whichThread", undefined as never, { deadlineMs });
  const [grown, after] = await Promise.all([
    pool.run("growWebAssembly", { megabytes: 60 }, { deadlineMs }),
    pool.run("whichThread", undefined as never, { deadlineMs }),
  ]);
  expect(grown).toBeGreaterThan(60 * 2 ** 20);
  expect(after).not.toBe(first);
});

test("after many tasks in a row a thread goes with its first pause, and after few it stays", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pool = open({ size: 1, mostInARow: 3 });
  const which = () => pool.run("whichThread", undefined as never, { deadlineMs });
  const first = await which();
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await which(), await which()]).toEqual([first, first]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await which(), await which(), await which()]).toEqual([first, first, first]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await which()).not.toBe(first);
});

test("errors arrive with their code, and those without one with their text and cause", async () => {
  const pool = open({ size: 1 });
  await expect(pool.run("throwCoded", undefined as never, { deadlineMs })).rejects.toMatchObject({
    code: "BUSY",
    retryable: true,
    retryAfterMs: 1500,
    details: { queue: 3 },
  });
  await expect(pool.run("throwPlain", undefined as never, { deadlineMs })).rejects.toMatchObject({
    code: "UNKNOWN",
    message: "out of paper",
    cause: expect.stringContaining("out of paper"),
  });
});

test("a thread outlives the errors it foresaw, and no others", async () => {
  const pool = open({ size: 1 });
  const which = () => pool.run("whichThread", undefined as never, { deadlineMs });
  const first = await which();
  await expect(pool.run("throwCoded", undefined as never, { deadlineMs })).rejects.toThrow();
  expect(await which()).toBe(first);
  await expect(pool.run("throwPlain", undefined as never, { deadlineMs })).rejects.toThrow();
  expect(await which()).not.toBe(first);
});

test("what cannot be sent fails its task only", async () => {
  const pool = open({ size: 1 });
  await expect(pool.run("answerWithFunction", undefined as never, { deadlineMs })).rejects.toThrow(
    /could not be cloned/,
  );
  await expect(pool.run("echo", () => {}, { deadlineMs })).rejects.toThrow(/could not be cloned/);
  expect(await pool.run("echo", 1, { deadlineMs })).toBe(1);
});

test("a thread that cannot start is not the task's fault", async () => {
  const pool = open({ module: new URL("./no-such-module.ts", import.meta.url) });
  await expect(pool.run("echo", 1, { deadlineMs })).rejects.toMatchObject({ code: "THREAD_FAILED", retryable: true });
});

test("an abort ends a running task, takes a waiting one off the queue, and refuses a new one", async () => {
  const pool = open({ size: 1 });
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const { signal } = controller;
  const running = pool.run("loopForEver", undefined as never, { deadlineMs, signal });
  const waiting = pool.run("echo", 1, { deadlineMs, signal });
  const other = pool.run("echo", 2, { deadlineMs });
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(pool.run("echo", 3, { deadlineMs, signal })).rejects.toBe(reason);
  expect(await other).toBe(2);
});

test("closing ends what runs and what waits, and nothing starts after", async () => {
  const pool = open({ size: 1 });
  const running = pool.run("loopForEver", undefined as never, { deadlineMs });
  const waiting = pool.run("echo", 1, { deadlineMs });
  const ended = Promise.allSettled([running, waiting]);
  await pool.close();
  for (const result of await ended) expect(result).toMatchObject({ reason: { code: "POOL_CLOSED" } });
  await expect(pool.run("echo", 2, { deadlineMs })).rejects.toMatchObject({ code: "POOL_CLOSED" });
});

test("tasks of one document use every thread at once", async () => {
  const pool = open();
  const gate = makeGate();
  const tasks = [1, 2].map(() => pool.run("waitFor", { gate: gate.shared }, { deadlineMs, affinity: "a.pdf" }));
  await gate.until(2);
  gate.open();
  expect(new Set(await Promise.all(tasks)).size).toBe(2);
});

test("a thread goes on with its document for a while, but others get their turn", async () => {
  const pool = open({ size: 1 });
  const order: string[] = [];
  const gate = makeGate();
  const run = async (affinity: string) => {
    await pool.run("echo", affinity, { deadlineMs, affinity });
    order.push(affinity);
  };
  const held = pool.run("waitFor", { gate: gate.shared }, { deadlineMs, affinity: "long.pdf" });
  await gate.until(1);
  const tasks = [run("short.pdf"), ...Array.from({ length: 30 }, () => run("long.pdf"))];
  gate.open();
  await Promise.all([held, ...tasks]);
  expect(order.indexOf("short.pdf")).toBeGreaterThan(0);
  expect(order.indexOf("short.pdf")).toBeLessThan(20);
});

test.runIf(process.platform === "linux")("threads for the background step back, and nobody else", async () => {
  const ours = getPriority(0);
  expect(await open({ background: true }).run("priority", undefined, { deadlineMs })).toBeGreaterThan(ours);
  expect(await open().run("priority", undefined, { deadlineMs })).toBe(ours);
  expect(getPriority(0)).toBe(ours);
});

test("a thread that cannot be started at all fails its task, and the pool stays usable", async () => {
  const pool = open({ module: new URL("https://threads.example/none.ts") });
  for (let turn = 0; turn < 2; turn++) {
    await expect(pool.run("echo", 1, { deadlineMs })).rejects.toMatchObject({ code: "THREAD_FAILED", retryable: true });
  }
});

test("trouble of the machine is not the fault of what a task was given", async () => {
  const failed = open().run("readMissing", undefined, { deadlineMs });
  await expect(failed).rejects.toMatchObject({ code: "THREAD_FAILED", retryable: true });
});

test("tells whoever watches what it is doing, and which threads it had to end", async () => {
  const watched: (() => PoolUsage)[] = [];
  const pool = open({ size: 1, watch: (usage) => void watched.push(usage) });
  const [usage] = watched as [() => PoolUsage];
  expect(usage()).toEqual({ threads: 0, busy: 0, queued: 0, killed: {} });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = pool.run("neverAnswer", undefined, { deadlineMs, signal: first.signal });
  const queued = pool.run("neverAnswer", undefined, { deadlineMs, signal: second.signal });
  expect(usage()).toEqual({ threads: 1, busy: 1, queued: 1, killed: {} });
  second.abort(new Error("never mind"));
  first.abort(new DocmillError("CANCELLED", "Stop."));
  await Promise.allSettled([running, queued]);
  expect(usage()).toEqual({ threads: 0, busy: 0, queued: 0, killed: { CANCELLED: 1 } });
});
