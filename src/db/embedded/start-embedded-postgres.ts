/**
 * The embedded database: a real PostgreSQL in the data folder, started or adopted, watched, and stopped with us.
 * One process at a time owns a data folder; the url stays valid while it does, through every restart of the server.
 */
import type { Logger } from "../../logger.ts";
import { stopRunningServer } from "./adopt-server.ts";
import { bringUpServer } from "./bring-up-server.ts";
import { findDataFolder, openDataFolder } from "./data-folder.ts";
import { findBinaries } from "./find-binaries.ts";
import { ensureCluster, readPassword } from "./make-cluster.ts";
import { takeOwnerLock, tryOwnerLock } from "./owner-lock.ts";
import { readPidFile } from "./pid-file.ts";
import type { ServerOptions } from "./server.ts";
import { connectionUrl, defaultListen, findFreePort, type Listen, removeSocketFolder } from "./server-address.ts";
import { identifyProcess } from "./server-processes.ts";
import { chooseServerUser } from "./server-user.ts";
import { stopServer } from "./stop-server.ts";
import { type SupervisedState, superviseServer } from "./supervise-server.ts";

export interface EmbeddedPostgresOptions {
  /** Docmill's data folder; the database takes the sub-folder `postgres` in it. */
  dataDir: string;
  logger: Logger;
  /** A Unix socket where the system has them, unless a loopback port is asked for. */
  listen?: Listen;
  /** Proposes a loopback port, again if that one was taken; by default any free one. */
  proposePort?: () => Promise<number>;
  /** Where the server's programs are, if not in the npm package. */
  binDir?: string;
  /** False gives up safety against a crash of the machine for speed: for tests only. */
  durable?: boolean;
  /** Server settings beside or instead of Docmill's own, such as `shared_buffers`. */
  settings?: Record<string, string>;
  /** Gives up waiting for a start, which may take long when there is much to recover. */
  signal?: AbortSignal;
  /** The program by which root makes a user namespace, if not `unshare`. */
  unshare?: string;
}

export interface EmbeddedPostgres {
  /** For any driver or tool; contains the password. */
  url: string;
  /** The server was already running and was taken over. */
  adopted: boolean;
  /** The server's version, as in `18.4`. */
  version: string;
  readonly state: SupervisedState;
  /** The server's process now; another one after a restart. */
  readonly serverPid: number;
  /** Settles when the server takes connections; rejects once it was stopped. */
  whenUp(): Promise<void>;
  /** Stops the server, waits until it is down, and lets go of the data folder. */
  stop(): Promise<void>;
}

/**
 * @example
 * const postgres = await startEmbeddedPostgres({ dataDir: "./data", logger });
 * const db = openDatabase({ url: postgres.url, logger });
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger, listen = defaultListen, durable = true, settings = {}, signal } = options;
  const proposePort = options.proposePort ?? findFreePort;
  const folder = await openDataFolder(options.dataDir);
  const binaries = await findBinaries(options.binDir);
  const lock = await takeOwnerLock(folder);
  try {
    const { user, version } = await chooseServerUser({ folder, binaries, unshare: options.unshare });
    const { password } = await ensureCluster({ folder, binaries, user, version, durable, logger });
    const shared: ServerOptions = { folder, binaries, user, version, password, durable, settings, proposePort, logger };
    const { server, adopted } = await bringUpServer(shared, listen, signal);
    const supervisor = superviseServer({
      server,
      bringUp: async (address, stopping) => (await bringUpServer(shared, address, stopping)).server,
      halt: (running) => stopServer(running, shared),
      logger,
    });
    return {
      url: connectionUrl(server.address, password),
      adopted,
      version,
      get state() {
        return supervisor.state;
      },
      get serverPid() {
        return supervisor.server.pid;
      },
      whenUp: () => supervisor.whenUp(),
      stop: () =>
        supervisor
          .stop()
          .then(() => removeSocketFolder(supervisor.server.address, folder))
          .finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The url of the database that another process runs in this data folder; undefined if it is not up. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const folder = await findDataFolder(dataDir);
  if (!folder) return undefined;
  const [file, password] = await Promise.all([readPidFile(folder.cluster), readPassword(folder)]);
  if (!file) return undefined;
  // The file outlives a crash of the machine, and comes along when a folder is copied under a running server.
  const identity = await identifyProcess(file.pid, folder.cluster);
  if (identity === "gone" || identity === "other") return undefined;
  return file.status === "ready" && file.address && password ? connectionUrl(file.address, password) : undefined;
}

/** Stops the server that a killed process left running in this data folder; false if a living one owns it. */
export async function stopAbandonedPostgres(
  options: Pick<EmbeddedPostgresOptions, "dataDir" | "logger" | "binDir">,
): Promise<boolean> {
  const folder = await findDataFolder(options.dataDir);
  if (!folder) return true;
  const lock = await tryOwnerLock(folder);
  if (!lock) return false;
  try {
    await stopRunningServer({ folder, binaries: await findBinaries(options.binDir), logger: options.logger });
    return true;
  } finally {
    lock.release();
  }
}
