/**
 * Starts the server of a cluster and waits until it takes connections. The process is detached from ours: if we are
 * killed it goes on, keeps the cluster consistent and can be adopted by our successor.
 */
import { spawn } from "node:child_process";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { DocmillError } from "../../errors.ts";
import { greetServer } from "./connect-server.ts";
import { giveTo, makeServerFolder } from "./data-folder.ts";
import { explainFileError, explainServerFailure, messageOf } from "./explain-failure.ts";
import { disownPidFile, readPidFile } from "./pid-file.ts";
import type { Server, ServerOptions } from "./server.ts";
import { chooseSocketFolder, type Listen, makeSocketFolder, type ServerAddress, socketFile } from "./server-address.ts";
import { hasPostmaster, identifyProcess, isAlive, killLeftovers } from "./server-processes.ts";
import { serverArguments } from "./server-settings.ts";
import { stopServer } from "./stop-server.ts";

const portTries = 20;
const leftoverTries = 100;
const lookEveryMs = 15;
const reportEveryMs = 5_000;
const largestLogBytes = 10_000_000;

/** Why a start came to nothing, where another try can help. */
type Hindrance = "port taken" | "old processes" | "another server";

/**
 * Starts the server at a new address of the given kind, or at an address it had before. Whoever calls this holds the
 * owner lock. Undefined if a server of this cluster turned up meanwhile: one that our predecessor had just started when
 * it was killed.
 */
export async function launchServer(
  options: ServerOptions,
  where: Listen | ServerAddress,
  signal?: AbortSignal,
): Promise<Server | undefined> {
  const { folder, logger } = options;
  try {
    await makeServerFolder(folder.cluster, options.user.owner);
    const tries = { "port taken": 0, "old processes": 0 };
    for (;;) {
      signal?.throwIfAborted();
      const address = typeof where === "string" ? await chooseAddress(options, where) : where;
      if (!(await clearWay(options, address))) return undefined;
      const result = await launchOnce(options, address, signal);
      if (result.server) return result.server;

      const hindrance = findHindrance(result.output);
      if (hindrance === "another server") return undefined;
      const mayTryAgain =
        (hindrance === "port taken" && typeof where === "string" && ++tries[hindrance] < portTries) ||
        (hindrance === "old processes" && ++tries[hindrance] < leftoverTries);
      if (!mayTryAgain) throw explainServerFailure("postgres", result.output, folder.home);
      if (hindrance === "old processes") {
        const killed = await killLeftovers(folder.cluster);
        if (killed.length > 0) logger.warn({ killed }, "processes of a dead database server ended");
        await delay(lookEveryMs, undefined, { signal });
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFileError(error, folder.home);
  }
}

async function chooseAddress({ folder, proposePort }: ServerOptions, listen: Listen): Promise<ServerAddress> {
  if (listen === "tcp") return { kind: "tcp", port: await proposePort() };
  return { kind: "socket", folder: chooseSocketFolder(folder) };
}

/** Removes what an earlier server left and a new one would stumble over; false if a server is there. */
async function clearWay({ folder, user }: ServerOptions, address: ServerAddress): Promise<boolean> {
  const { cluster } = folder;
  const file = await readPidFile(cluster);
  if (file) {
    const identity = file.pid === 0 ? "gone" : await identifyProcess(file.pid, cluster);
    if (identity === "server") return false;
    if (identity === "unknown") throw stillRunning(file.pid, cluster);
    // PostgreSQL copes with a process that is gone, not with a stranger of that number or a dead one still listed.
    if (file.pid === 0 || isAlive(file.pid)) {
      // A server that starts at this moment is about to write this file.
      if (await hasPostmaster(cluster)) return false;
      await disownPidFile(cluster);
    }
  }
  if (address.kind === "socket") {
    await makeSocketFolder(address.folder, user.owner);
    // The socket has a lock file of its own, with the same weakness.
    for (const suffix of ["", ".lock"]) await rm(socketFile(address.folder) + suffix, { force: true });
  }
  return true;
}

export function stillRunning(pid: number, cluster: string): DocmillError {
  return new DocmillError(
    "EMBEDDED_SERVER_UNKNOWN",
    `Process ${pid || "of unknown id"} may be a PostgreSQL server on ${cluster} that Docmill cannot reach. Make sure that no such server runs, remove postmaster.pid from that folder, and start again.`,
    { details: { pid } },
  );
}

/** One start: the server when it is ready, or what it wrote to its log if it ended before. */
async function launchOnce(
  options: ServerOptions,
  address: ServerAddress,
  signal?: AbortSignal,
): Promise<{ server: Server; output?: undefined } | { server?: undefined; output: string }> {
  const { folder, user, binaries, password, logger } = options;
  const log = await openLog(options);
  const { file, args, options: spawnAs } = user.command(binaries.postgres, serverArguments(options, address));
  const child = spawn(file, args, { ...spawnAs, detached: true, stdio: ["ignore", log.fd, log.fd] });
  const ended = Promise.withResolvers<void>();
  let problem = "";
  child.once("exit", () => ended.resolve());
  child.once("error", (error) => {
    problem = error.message;
    ended.resolve();
  });
  child.unref();
  await log.close();
  const server: Server = { pid: child.pid ?? 0, address, exited: ended.promise };
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  try {
    await waitUntilReady(server, options, hasEnded, signal);
    if (!hasEnded()) {
      await greetServer(address, password, folder);
      logger.info({ serverPid: server.pid, version: options.version, as: user.how }, "database started");
      return { server };
    }
  } catch (error) {
    if (!hasEnded()) {
      await stopServer(server, options);
      signal?.throwIfAborted();
      throw explainSilence(error);
    }
  }
  await ended.promise;
  return { output: `${await readLog(folder.logFile, log.start)}\n${problem}` };
}

async function waitUntilReady(
  server: Server,
  { folder, logger }: ServerOptions,
  hasEnded: () => boolean,
  signal?: AbortSignal,
): Promise<void> {
  let reportAt = performance.now() + reportEveryMs;
  while (!hasEnded()) {
    signal?.throwIfAborted();
    const file = await readPidFile(folder.cluster);
    if (file?.pid === server.pid && file.status === "ready") return;
    if (performance.now() > reportAt) {
      logger.info(
        { serverPid: server.pid, status: file?.status },
        "waiting for the database, which may be in recovery",
      );
      reportAt += reportEveryMs;
    }
    await Promise.race([server.exited, delay(lookEveryMs)]);
  }
}

function explainSilence(error: unknown): unknown {
  if (error instanceof DocmillError) return error;
  return new DocmillError(
    "EMBEDDED_START_FAILED",
    `PostgreSQL started but does not answer (${messageOf(error)}). Start again; if it stays so, set DATABASE_URL.`,
    { cause: error },
  );
}

function findHindrance(output: string): Hindrance | undefined {
  if (/could not bind .*Address already in use|could not create any TCP\/IP sockets/.test(output)) return "port taken";
  if (/lock file "postmaster\.pid" already exists/.test(output)) return "another server";
  if (/pre-existing shared memory block .* is still in use/.test(output)) return "old processes";
  return undefined;
}

async function openLog({ folder }: ServerOptions): Promise<{ fd: number; start: number; close(): Promise<void> }> {
  const { logFile, keeper } = folder;
  const size = await stat(logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size > largestLogBytes) await rename(logFile, `${logFile}.1`);
  const file = await open(logFile, "a", 0o600);
  await giveTo(keeper, logFile);
  return { fd: file.fd, start: (await file.stat()).size, close: () => file.close() };
}

async function readLog(logFile: string, start: number): Promise<string> {
  return (await readFile(logFile)).subarray(start).toString();
}
