/**
 * Runs a process until it is told to stop. The first SIGTERM or SIGINT stops it gracefully, also while it is still
 * starting; the second ends it at once. A stop that takes longer than it may is cut short: leases take care of the rest.
 */
import { constants } from "node:os";
import type { Logger } from "../logger.ts";

export interface Running {
  close(): Promise<void>;
}

export interface UntilStoppedOptions {
  start: (signal: AbortSignal) => Promise<Running>;
  /** How long closing may take. */
  closeMs: number;
  logger: Logger;
}

/** npm passes Ctrl-C on to a process that the terminal has already sent it to: one key, two signals. */
const sameKeyMs = 500;
const signals = ["SIGTERM", "SIGINT"] as const;

export async function runUntilStopped({ start, closeMs, logger }: UntilStoppedOptions): Promise<void> {
  const stopping = new AbortController();
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      logger.info({ signal, upToMs: closeMs }, "stopping; once more to stop at once");
      stopping.abort(new Error("told to stop"));
      tell();
    } else if (now - firstAt > sameKeyMs) {
      logger.warn({ signal }, "stopping at once");
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const running = await start(stopping.signal).catch((error: unknown) => {
      if (stopping.signal.aborted) return undefined;
      throw error;
    });
    if (!running) return;
    await told;
    await closeInTime(running, closeMs, logger);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function closeInTime(running: Running, closeMs: number, logger: Logger): Promise<void> {
  const timer = setTimeout(() => {
    logger.error({ closeMs }, "stopping takes too long; leaving the rest to the leases");
    process.exit(1);
  }, closeMs);
  await running.close();
  clearTimeout(timer);
}
