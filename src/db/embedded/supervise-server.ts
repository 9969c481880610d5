/**
 * Keeps the server running: when it dies it is started again at the same address, at once and then less and less often,
 * for as long as it takes. A disk that was full and is not any more, for one, needs nobody's help.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../logger.ts";
import type { Server } from "./server.ts";

export type SupervisedState = "up" | "restarting" | "stopped";

export interface Supervisor {
  readonly state: SupervisedState;
  readonly server: Server;
  /** Settles when the server takes connections; rejects if it was stopped for good. */
  whenUp(): Promise<void>;
  /** Ends the supervision and then the server; every call gets the same promise. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  server: Server;
  /** Makes the server run again where it was. */
  bringUp(address: Server["address"], signal: AbortSignal): Promise<Server>;
  /** Stops a server that is running. */
  halt(server: Server): Promise<void>;
  logger: Logger;
}

const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** A server that ran this long was well; its next death starts with a short delay again. */
const wellAfterMs = 10_000;

export function superviseServer({ server: first, bringUp, halt, logger }: SuperviseOptions): Supervisor {
  const stopping = new AbortController();
  const { promise: aborted, resolve: announceStop } = Promise.withResolvers<void>();
  stopping.signal.addEventListener("abort", () => announceStop());
  let server = first;
  let state: SupervisedState = "up";
  let up = Promise.withResolvers<void>();
  up.resolve();
  let stopped: Promise<void> | undefined;

  const watching = watch();

  async function watch(): Promise<void> {
    let delayMs = 0;
    for (;;) {
      const upSince = performance.now();
      await Promise.race([server.exited, aborted]);
      if (stopping.signal.aborted) return;
      state = "restarting";
      up = Promise.withResolvers<void>();
      up.promise.catch(() => undefined);
      logger.error({ serverPid: server.pid }, "the database died and is started again");
      if (performance.now() - upSince > wellAfterMs) delayMs = 0;
      const next = await relaunch(delayMs);
      if (!next) return;
      delayMs = longer(delayMs);
      server = next;
      state = "up";
      up.resolve();
    }
  }

  async function relaunch(initialDelayMs: number): Promise<Server | undefined> {
    for (let delayMs = initialDelayMs; ; delayMs = longer(delayMs)) {
      try {
        await delay(delayMs, undefined, { signal: stopping.signal, ref: false });
        return await bringUp(server.address, stopping.signal);
      } catch (err) {
        if (stopping.signal.aborted) return undefined;
        logger.error({ err, nextTryMs: longer(delayMs) }, "the database could not be started again");
      }
    }
  }

  async function finish(): Promise<void> {
    stopping.abort();
    await watching;
    if (state === "up") await halt(server);
    state = "stopped";
    up = Promise.withResolvers<void>();
    up.promise.catch(() => undefined);
    up.reject(new Error("the embedded database was stopped"));
  }

  return {
    get state() {
      return state;
    },
    get server() {
      return server;
    },
    whenUp: () => up.promise,
    stop() {
      stopped ??= finish();
      return stopped;
    },
  };
}

function longer(delayMs: number): number {
  return Math.min(longestDelayMs, Math.max(firstDelayMs, delayMs * 2));
}
