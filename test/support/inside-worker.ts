/**
 * What the stages of test pipelines can do besides their job: write where no fence looks, tell the test how far they
 * are, and wait until the test lets them go on. Works only in a process started by `worker-process.ts`.
 */
import type { Database } from "../../src/db/database.ts";

let database: Database | undefined;
const openGates = new Set<string>();
const waiting = new Map<string, (() => void)[]>();

/** Connects this process with the test that started it. */
export function connectToTest(db: Database): void {
  database = db;
  process.on("message", ({ open }: { open: string }) => {
    openGates.add(open);
    for (const go of waiting.get(open) ?? []) go();
    waiting.delete(open);
  });
}

/** A connection of the test's own: what is written through it happened, whatever becomes of the job. */
export function outside(): Database {
  if (!database) throw new Error("This pipeline runs in worker processes only.");
  return database;
}

export function report(name: string, data: Record<string, unknown> = {}): void {
  process.send?.({ report: name, data });
}

/** Resolves once the test has opened the gate of this name; it stays open. */
export function gate(name: string): Promise<void> {
  if (openGates.has(name)) return Promise.resolve();
  return new Promise((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
}
