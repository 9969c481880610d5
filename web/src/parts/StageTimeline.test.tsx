// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StageTimeline, type TimelineStage } from "./StageTimeline.tsx";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-18T07:00:10.000Z") });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const stage = (given: Partial<TimelineStage> & Pick<TimelineStage, "name" | "status">): TimelineStage => ({
  startedAt: null,
  durationMs: null,
  ...given,
});

function show(stages: TimelineStage[]): string[] {
  render(
    <MantineProvider>
      <StageTimeline stages={stages} />
    </MantineProvider>,
  );
  return screen.getAllByRole("listitem").map((item) => item.textContent);
}

it("says the state of each stage in words, in order", () => {
  const [done, running, waiting] = show([
    stage({ name: "fetch", status: "completed", startedAt: "2026-11-18T07:00:00.000Z", durationMs: 1_500 }),
    stage({ name: "save_markdown", label: "Writing", status: "running", note: "Page 3 of 7." }),
    stage({ name: "embed", status: "pending" }),
  ]);
  expect(done).toMatch(/^Fetch1\.5 sdone · started /);
  expect(running).toBe("WritingrunningPage 3 of 7.");
  expect(waiting).toBe("Embedwaiting");
});

it.each(["failed", "cancelled"] as const)("does not let stages wait behind one that %s", (status) => {
  const [ended, next] = show([
    stage({ name: "save_markdown", label: "Writing", status, note: "The disk is full." }),
    stage({ name: "embed", status: "pending" }),
  ]);
  expect(ended).toBe(`Writing${status}The disk is full.`);
  expect(next).toBe("Embednot reached");
});

it("counts up while a stage runs", () => {
  show([stage({ name: "ocr", status: "running", startedAt: "2026-11-18T07:00:05.000Z" })]);
  const running = screen.getByRole("listitem");
  expect(running.getAttribute("aria-current")).toBe("step");
  expect(running.textContent).toMatch(/^OCR5 s/);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(running.textContent).toMatch(/^OCR1m 05s/);
});
