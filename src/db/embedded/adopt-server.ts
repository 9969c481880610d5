/**
 * Finds a server that still runs on the cluster because our predecessor was killed. One that answers as we need it is
 * taken over; any other is stopped, so that a new one can be started.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { DocmillError } from "../../errors.ts";
import { sqlState } from "../database.ts";
import { greetServer } from "./connect-server.ts";
import { stillRunning } from "./launch-server.ts";
import { type PidFile, readPidFile } from "./pid-file.ts";
import { type Server, type ServerOptions, watchProcess } from "./server.ts";
import { chooseSocketFolder, type Listen, type ServerAddress } from "./server-address.ts";
import { identifyProcess } from "./server-processes.ts";
import { stopServer } from "./stop-server.ts";

const lookEveryMs = 20;
const cannotConnectNow = "57P03";

/** The server that runs on the cluster, if there is one to keep; otherwise none runs when this returns. */
export async function adoptServer(
  options: ServerOptions,
  where: Listen | ServerAddress,
  signal?: AbortSignal,
): Promise<Server | undefined> {
  const { folder, logger } = options;
  for (;;) {
    signal?.throwIfAborted();
    const file = await readPidFile(folder.cluster);
    if (!file || file.pid === 0) return undefined;
    const identity = await identifyProcess(file.pid, folder.cluster);
    if (identity === "gone" || identity === "other") return undefined;

    const answer = await askRunning(file, options, where);
    if (typeof answer === "object") {
      logger.info({ serverPid: file.pid, version: options.version }, "running database adopted");
      return answer;
    }
    if (answer === "wait") {
      await delay(lookEveryMs, undefined, { signal });
      continue;
    }
    if (identity === "unknown") throw stillRunning(file.pid, folder.cluster);
    logger.info({ serverPid: file.pid }, "running database cannot be adopted and is restarted");
    await stopServer({ pid: file.pid, exited: watchProcess(file.pid, folder.cluster) }, options);
    return undefined;
  }
}

/** Stops the server that runs on the cluster, if there is one. */
export async function stopRunningServer(options: Pick<ServerOptions, "folder" | "binaries" | "logger">): Promise<void> {
  const { cluster } = options.folder;
  const file = await readPidFile(cluster);
  if (!file || file.pid === 0 || (await identifyProcess(file.pid, cluster)) !== "server") return;
  await stopServer({ pid: file.pid, exited: watchProcess(file.pid, cluster) }, options);
}

async function askRunning(
  file: PidFile,
  options: ServerOptions,
  where: Listen | ServerAddress,
): Promise<Server | "wait" | "no"> {
  if (file.status === "stopping") return "no";
  if (file.status !== "ready") return "wait";
  if (!file.address || !isWanted(file.address, options, where)) return "no";
  try {
    const { version, cluster } = await greetServer(file.address, options.password, options.folder);
    if (version !== options.version || cluster !== options.folder.cluster) return "no";
    return { pid: file.pid, address: file.address, exited: watchProcess(file.pid, options.folder.cluster) };
  } catch (error) {
    if (error instanceof DocmillError) throw error;
    return sqlState(error) === cannotConnectNow ? "wait" : "no";
  }
}

function isWanted(address: ServerAddress, { folder }: ServerOptions, where: Listen | ServerAddress): boolean {
  if (typeof where === "object") return isDeepStrictEqual(address, where);
  if (address.kind === "tcp") return where === "tcp";
  return where === "socket" && address.folder === chooseSocketFolder(folder);
}
