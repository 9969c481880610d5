/** What was read and taken in, and the periodic work, counted. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { PeriodicHappening } from "../periodic/periodic-task.ts";
import { workBuckets } from "./buckets.ts";

/** Who read a page: the reader of files, OCR, or a document service. */
type PageReader = "file" | "ocr" | "service";

export interface WorkMetrics {
  pagesRead(by: PageReader, count?: number): void;
  tookIn(bytes: number): void;
  periodic(happening: PeriodicHappening): void;
}

export function createWorkMetrics(registry: Registry): WorkMetrics {
  const registers = [registry];
  const pages = new Counter({
    name: "docmill_pages_read_total",
    help: "Pages and sections read, by whom: from the file, by OCR (also counted as read from the file, where it was one of a document), by a document service.",
    labelNames: ["by"],
    registers,
  });
  const bytes = new Counter({
    name: "docmill_taken_in_bytes_total",
    help: "Bytes of files that were uploaded or fetched, and kept.",
    registers,
  });
  const turns = new Histogram({
    name: "docmill_periodic_seconds",
    help: "Turns of periodic work on this process, by how they ended: finished, failed or lost (to another process; 0 seconds).",
    labelNames: ["task", "outcome"],
    buckets: workBuckets,
    registers,
  });
  const removed = new Counter({
    name: "docmill_periodic_removed_total",
    help: "Things that periodic work on this process removed or otherwise did.",
    labelNames: ["task"],
    registers,
  });
  return {
    pagesRead: (by, count = 1) => pages.inc({ by }, count),
    tookIn: (count) => bytes.inc(count),
    periodic(happening) {
      const { type, task } = happening;
      if (type === "taken") return;
      turns.observe({ task, outcome: type }, "durationMs" in happening ? happening.durationMs / 1000 : 0);
      if (type === "finished") removed.inc({ task }, happening.removed);
    },
  };
}
