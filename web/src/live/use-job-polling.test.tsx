// @vitest-environment happy-dom
/** The latest job of a book is looked for on mount, polled while it is under way, and never by two timers. */
import { act, cleanup, renderHook } from "@testing-library/react";
import { type ReactNode, StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BookJob, BookJobType } from "../../../src/contract/books.ts";
import { makeExtraction } from "../testing/made-up/books.ts";
import { type JobPolling, useJobPolling } from "./use-job-polling.ts";

const pollMs = 3_000;

const running = makeExtraction({ job_id: "first" });

/** What the server answers: a job, none, or an error's status. */
let answer: BookJob | null | number;
let asked: string[];
let underWay: number;
/** The server takes questions and does not answer them. */
let isSilent: boolean;
let hidden: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  answer = running;
  asked = [];
  underWay = 0;
  isSilent = false;
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
    asked.push(url);
    underWay++;
    try {
      if (isSilent) await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      return typeof answer === "number"
        ? Response.json({ detail: "It is not well" }, { status: answer })
        : Response.json(answer);
    } finally {
      underWay--;
    }
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const look = (isHidden: boolean) =>
  act(async () => {
    hidden = isHidden;
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
  });

interface Subject {
  bookId: string;
  jobType?: BookJobType;
}

/** Shows the hook, and notes everything it ever showed. */
async function show(initialProps: Subject = { bookId: "book", jobType: "extraction" }) {
  const shown: JobPolling[] = [];
  const wrapper = ({ children }: { children: ReactNode }) => <StrictMode>{children}</StrictMode>;
  const hook = renderHook(
    ({ bookId, jobType }: Subject) => {
      const polling = useJobPolling(bookId, jobType);
      shown.push(polling);
      return polling;
    },
    { wrapper, initialProps },
  );
  await pass(0);
  // Development mounts everything twice; what counts begins here.
  asked.splice(0, asked.length - 1);
  return { ...hook, shown };
}

test("5.1 a running job is detected on mount and polled", async () => {
  const { result } = await show();
  expect(asked).toEqual(["/admin/books/book/jobs/latest?job_type=extraction"]);
  expect(result.current).toMatchObject({ job: running, isPolling: true, error: null });

  answer = { ...running, completed_items: 80, current_item: 81 };
  await pass(pollMs - 1);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(asked).toHaveLength(2);
  expect(result.current.job?.completed_items).toBe(80);
  await pass(5 * pollMs);
  expect(asked).toHaveLength(7);
});

test("5.1 a pending job is polled too, and where there is none nothing is", async () => {
  answer = { ...running, status: "pending" };
  const waiting = await show();
  expect(vi.getTimerCount()).toBe(1);
  waiting.unmount();

  answer = null;
  const { result } = await show();
  expect(result.current).toMatchObject({ job: null, isPolling: false });
  expect(vi.getTimerCount()).toBe(0);
});

describe("5.2 polling stops", () => {
  test.each(["completed", "failed", "cancelled"] as const)("when the job is %s", async (status) => {
    const { result } = await show();
    answer = { ...running, status };
    await pass(pollMs);
    expect(result.current).toMatchObject({ job: { status }, isPolling: false });
    expect(vi.getTimerCount()).toBe(0);
    await pass(20 * pollMs);
    expect(asked).toHaveLength(2);
  });

  test("when the book has been deleted", async () => {
    answer = 404;
    const { result } = await show();
    expect(result.current).toMatchObject({ job: undefined, isPolling: false, error: { status: 404 } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("5.3 unmounting", () => {
  test("leaves no timer, and nothing is shown afterwards", async () => {
    const { unmount, shown } = await show();
    expect(vi.getTimerCount()).toBe(1);
    unmount();
    const before = shown.length;
    expect(vi.getTimerCount()).toBe(0);
    await pass(20 * pollMs);
    expect(asked).toHaveLength(1);
    expect(shown).toHaveLength(before);
  });

  test("ends a look that is under way", async () => {
    const { unmount, shown } = await show();
    isSilent = true;
    await pass(pollMs);
    expect(underWay).toBe(1);
    const before = shown.length;
    unmount();
    await pass(0);
    expect(underWay).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(shown).toHaveLength(before);
  });

  test("makes a start that comes late do nothing", async () => {
    const { unmount, result } = await show();
    unmount();
    result.current.startPolling();
    await pass(pollMs);
    expect(asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("5.4 many cycles", () => {
  test("of mounting and unmounting never make a second timer, and each begins anew", async () => {
    for (let cycle = 0; cycle < 10; cycle++) {
      answer = { ...running, job_id: `job ${cycle}` };
      asked = [];
      const { unmount, result, shown } = await show();
      expect(shown[0]?.job).toBeUndefined();
      expect(result.current.job?.job_id).toBe(`job ${cycle}`);
      expect(vi.getTimerCount()).toBe(1);
      await pass(pollMs);
      expect(asked).toHaveLength(2);
      unmount();
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  test("of starting never make a second timer or a second look", async () => {
    const { result } = await show();
    isSilent = true;
    for (let click = 0; click < 5; click++) act(() => result.current.startPolling());
    await pass(0);
    expect(underWay).toBe(1);
    isSilent = false;
    act(() => result.current.startPolling());
    await pass(0);
    expect(underWay).toBe(0);
    expect(vi.getTimerCount()).toBe(1);
  });

  test("of another type or book show nothing of the one before, not even for a moment", async () => {
    const { rerender, shown, result } = await show();
    answer = { ...running, job_id: "second", job_type: "ocr_batch", status: "completed" };
    const before = shown.length;
    rerender({ bookId: "book", jobType: "ocr_batch" });
    await pass(0);
    expect(asked.at(-1)).toBe("/admin/books/book/jobs/latest?job_type=ocr_batch");
    expect(result.current.job?.job_id).toBe("second");
    expect(shown.slice(before).map(({ job }) => job?.job_id)).not.toContain("first");
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("starting looks at once, and follows the job that it finds", async () => {
  answer = { ...running, status: "failed", error_message: "It broke" };
  const { result } = await show();
  expect(vi.getTimerCount()).toBe(0);
  answer = { ...running, job_id: "second" };
  act(() => result.current.startPolling());
  expect(result.current.isPolling).toBe(true);
  await pass(0);
  expect(result.current.job?.job_id).toBe("second");
  expect(vi.getTimerCount()).toBe(1);
});

test("a hidden tab asks nothing, and looks at once when it is seen again", async () => {
  const { result } = await show();
  await look(true);
  expect(vi.getTimerCount()).toBe(0);
  await pass(20 * pollMs);
  expect(asked).toHaveLength(1);

  answer = { ...running, status: "completed" };
  await look(false);
  expect(asked).toHaveLength(2);
  expect(result.current).toMatchObject({ job: { status: "completed" }, isPolling: false });
  await look(true);
  await look(false);
  expect(asked).toHaveLength(2);
});

test("a job that is started while the tab is hidden is looked at once, and polled when it is seen again", async () => {
  answer = null;
  const { result } = await show();
  await look(true);
  answer = running;
  act(() => result.current.startPolling());
  await pass(0);
  expect(result.current.job).toEqual(running);
  expect(vi.getTimerCount()).toBe(0);
  await look(false);
  expect(vi.getTimerCount()).toBe(1);
});

test("a tab that is hidden while it asks goes on when it is seen again", async () => {
  const { result } = await show();
  answer = { ...running, status: "completed" };
  isSilent = true;
  await pass(pollMs);
  await look(true);
  expect(underWay).toBe(0);
  isSilent = false;
  await look(false);
  expect(result.current.job?.status).toBe("completed");
});

test("errors are told, waited out longer each time, and forgotten with the next answer", async () => {
  const { result } = await show();
  answer = 503;
  const waits = [pollMs, 6_000, 12_000, 24_000, 30_000, 30_000];
  for (const [failures, waitMs] of waits.entries()) {
    await pass(waitMs - 1);
    expect(asked).toHaveLength(failures + 1);
    await pass(1);
    expect(asked).toHaveLength(failures + 2);
    expect(vi.getTimerCount()).toBe(1);
    expect(result.current).toMatchObject({ job: running, isPolling: true, error: { message: "It is not well" } });
  }
  answer = running;
  await pass(30_000);
  expect(result.current.error).toBeNull();
  await pass(pollMs);
  expect(asked).toHaveLength(waits.length + 3);
});
