/**
 * PostgreSQL's `postmaster.pid`: who serves the cluster, where, and whether it is ready. PostgreSQL will not start while
 * the process named there lives, whatever that process is; a file that names a stranger is made harmless here.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServerAddress, socketPort } from "./server-address.ts";

export interface PidFile {
  pid: number;
  /** Undefined until the server listens. */
  address: ServerAddress | undefined;
  status: "starting" | "ready" | "stopping" | "standby" | undefined;
}

/** What the file says; undefined if there is none, `pid` 0 if it was cut off. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder, host, , status] = text.split("\n");
  return {
    pid: Number.parseInt(pid ?? "", 10) || 0,
    address: readAddress(Number(port), socketFolder, host),
    // Padded with blanks, so that a longer word can be written over it.
    status: status?.trim() as PidFile["status"],
  };
}

/**
 * Makes PostgreSQL take the file for a leftover. The file is not removed: it also names the shared memory of the old
 * server, by which PostgreSQL notices children of it that are still running. PostgreSQL never takes its own parent for
 * another server, and we are going to be its parent.
 */
export async function disownPidFile(cluster: string): Promise<void> {
  const path = pidFilePath(cluster);
  const text = await readFile(path, "utf8");
  const rest = text.indexOf("\n");
  if (rest <= 0 || process.platform === "win32") await rm(path, { force: true });
  else await writeFile(path, process.pid + text.slice(rest));
}

function readAddress(port: number, folder: string | undefined, host: string | undefined): ServerAddress | undefined {
  if (folder && port === socketPort) return { kind: "socket", folder };
  if (host && port > 0) return { kind: "tcp", port };
  return undefined;
}

function pidFilePath(cluster: string): string {
  return join(cluster, "postmaster.pid");
}
