/**
 * Stops a server in an orderly way, and harder if it does not listen. However it ends, nothing acknowledged is lost:
 * after a harder stop the next start repairs the cluster from its log.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Server, ServerOptions } from "./server.ts";
import { killLeftovers, signalProcess } from "./server-processes.ts";

const run = promisify(execFile);

/** Fast shutdown ends sessions and writes a checkpoint; immediate leaves the rest to recovery; the last one is forced. */
const steps = [
  { signal: "SIGINT", mode: "fast", patienceMs: 30_000 },
  { signal: "SIGQUIT", mode: "immediate", patienceMs: 10_000 },
  { signal: "SIGKILL", mode: "immediate", patienceMs: 10_000 },
] as const;

export async function stopServer(
  server: Pick<Server, "pid" | "exited">,
  options: Pick<ServerOptions, "folder" | "binaries" | "logger">,
): Promise<void> {
  const { folder, binaries, logger } = options;
  for (const { signal, mode, patienceMs } of steps) {
    // Windows has no signals that a program could answer; PostgreSQL's own tool knows how to reach it there.
    if (process.platform === "win32") {
      await run(binaries.pgCtl, ["stop", "-D", folder.cluster, "-m", mode, "-W"]).catch(() => undefined);
    } else signalProcess(server.pid, signal);
    if (signal === "SIGKILL") await killLeftovers(folder.cluster);
    if (await settlesWithin(server.exited, patienceMs)) return;
    logger.warn({ serverPid: server.pid, mode }, "the database does not stop");
  }
}

async function settlesWithin(promise: Promise<void>, patienceMs: number): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, patienceMs, false);
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
