/**
 * A running server as the rest of this room sees it, whether we started it or found it: its process, where it listens,
 * and the promise that `exited` settles soon after the process is gone.
 */
import type { Logger } from "../../logger.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Binaries } from "./find-binaries.ts";
import type { ServerAddress } from "./server-address.ts";
import { identifyProcess } from "./server-processes.ts";
import type { ServerUser } from "./server-user.ts";

export interface Server {
  pid: number;
  address: ServerAddress;
  exited: Promise<void>;
}

/** What is needed to run the cluster's server, the same for every start of it. */
export interface ServerOptions {
  folder: DataFolder;
  binaries: Binaries;
  user: ServerUser;
  version: string;
  password: string;
  durable: boolean;
  /** Server settings beside or instead of Docmill's own. */
  settings: Record<string, string>;
  proposePort(): Promise<number>;
  logger: Logger;
}

const lookEveryMs = 100;

/** Settles when the process is gone. The system tells only parents, so a process we did not start is looked at. */
export function watchProcess(pid: number, cluster: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = async () => {
    const identity = await identifyProcess(pid, cluster).catch(() => "unknown");
    if (identity === "gone" || identity === "other") resolve();
    else setTimeout(() => void look(), lookEveryMs).unref();
  };
  void look();
  return promise;
}
