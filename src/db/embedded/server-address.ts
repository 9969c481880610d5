/**
 * Where the embedded server listens: a Unix socket in a folder only its owner can enter, or a loopback port where there
 * are no such sockets or a port was asked for. The address is also the url that the driver connects to.
 */
import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DocmillError } from "../../errors.ts";
import { type DataFolder, type FileOwner, makeServerFolder } from "./data-folder.ts";
import { explainFileError } from "./explain-failure.ts";

export type ServerAddress = { kind: "socket"; folder: string } | { kind: "tcp"; port: number };

export type Listen = "socket" | "tcp";

export const defaultListen: Listen = process.platform === "win32" ? "tcp" : "socket";

export const userName = "docmill";
export const databaseName = "docmill";

/** Names the socket file; nothing listens on a port of this number. */
export const socketPort = 5432;

/** What fits in the kernel's `sun_path` beside the zero at its end. */
const longestSocketPath = process.platform === "linux" ? 107 : 103;

/** The socket's folder: in the data folder, or under the system's temporary folder when that path is too long. */
export function chooseSocketFolder(folder: DataFolder, temporary = tmpdir()): string {
  const digest = createHash("sha256").update(folder.path).digest("hex").slice(0, 16);
  const fitting = [folder.socketFolder, join(temporary, `docmill-${digest}`)].find(
    (candidate) => Buffer.byteLength(socketFile(candidate)) <= longestSocketPath,
  );
  if (fitting) return fitting;
  throw new DocmillError(
    "SOCKET_PATH_TOO_LONG",
    `Neither ${folder.path} nor ${temporary} is short enough for a Unix socket (${longestSocketPath} bytes). Choose a shorter --data-dir or TMPDIR.`,
  );
}

export function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

/** Makes the socket's folder; one that somebody else made first, under a name anybody can guess, is not used. */
export async function makeSocketFolder(path: string, owner: FileOwner | undefined): Promise<void> {
  try {
    await makeServerFolder(path, owner);
    const { uid } = await stat(path);
    if (uid !== (owner?.uid ?? process.getuid?.() ?? uid)) {
      throw Object.assign(new Error("owned by another user"), { code: "EPERM", path });
    }
  } catch (error) {
    throw explainFileError(error, path);
  }
}

/** Leaves nothing under the system's temporary folder once the server is down. */
export async function removeSocketFolder(address: ServerAddress, folder: DataFolder): Promise<void> {
  if (address.kind === "socket" && address.folder !== folder.socketFolder) {
    await rm(address.folder, { recursive: true, force: true });
  }
}

/** A port that is free now; it may be taken before the server gets it. */
export async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.once("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => {
      if (address !== null && typeof address === "object") resolve(address.port);
      else reject(new Error("the probe has no port"));
    });
  });
  return promise;
}

/** The settings that make the server listen at the address. */
export function listenSettings(address: ServerAddress): Record<string, string> {
  if (address.kind === "tcp") {
    return { listen_addresses: "127.0.0.1", port: String(address.port), unix_socket_directories: "" };
  }
  return {
    listen_addresses: "",
    port: String(socketPort),
    // A list of quoted names: the folder may contain commas, spaces and quotes.
    unix_socket_directories: `"${address.folder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
  };
}

/**
 * The url of a database on the server. It names everything, so that PGPORT, PGSSLMODE and the like in the environment
 * change nothing, and it has a host in the usual place, since an address without one is not a url to most parsers.
 */
export function connectionUrl(address: ServerAddress, password: string, database = databaseName): string {
  const login = `${userName}:${encodeURIComponent(password)}`;
  if (address.kind === "tcp") return `postgres://${login}@127.0.0.1:${address.port}/${database}?sslmode=disable`;
  const host = encodeURIComponent(address.folder);
  return `postgres://${login}@localhost:${socketPort}/${database}?host=${host}&sslmode=disable`;
}
