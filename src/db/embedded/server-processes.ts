/**
 * Tells which processes are PostgreSQL servers of a given cluster. A process id in a file proves nothing: the process
 * may be gone and its number given to another, or be dead and not yet collected by its parent.
 */
import { execFile } from "node:child_process";
import type { Stats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";

/** `unknown`: it is a PostgreSQL server, or may be, but the system does not say of which folder. */
export type ProcessIdentity = "server" | "other" | "gone" | "unknown";

const run = promisify(execFile);

/** Whether signals can reach such a process; a dead one that nobody has collected still counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What the process is to the cluster in the folder `cluster`. */
export async function identifyProcess(pid: number, cluster: string): Promise<ProcessIdentity> {
  if (!isAlive(pid)) return "gone";
  if (process.platform === "linux") return identifyByProc(pid, cluster);
  if (process.platform === "win32") return "unknown";
  return identifyByPs(pid, cluster);
}

/** Whether a server of the cluster runs or is just starting, apart from what a dead one left behind. */
export async function hasPostmaster(cluster: string): Promise<boolean> {
  const pids = await findServerProcesses(cluster);
  // Only the postmaster keeps the command line it was started with; its children write their task there.
  const commands = await Promise.all(pids.map((pid) => readCommand(pid).catch((): string[] => [])));
  return commands.some((words) => words.includes("-D"));
}

/** Every process of the cluster's server that can be recognised: the postmaster and its children. */
async function findServerProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => ((await identifyByProc(pid, cluster)) === "server" ? [pid] : [])),
  );
  return found.flat();
}

/** Ends what a dead postmaster left behind. Its successor repairs the cluster from the log in any case. */
export async function killLeftovers(cluster: string): Promise<number[]> {
  const pids = await findServerProcesses(cluster);
  for (const pid of pids) signalProcess(pid, "SIGKILL");
  return pids;
}

/** Sends a signal to a process that may be gone by now. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function identifyByProc(pid: number, cluster: string): Promise<ProcessIdentity> {
  try {
    const { name, state } = readStat(await readFile(`/proc/${pid}/stat`, "utf8"));
    if (state === "Z" || state === "X") return "gone";
    if (!/^(postgres|postmaster)/.test(name)) return "other";
    // Every server process works in its cluster's folder, even after somebody has renamed that folder.
    const workplace = await stat(`/proc/${pid}/cwd`).catch(ifForbidden);
    if (workplace && (await isFolder(workplace, cluster))) return "server";
    if (workplace && !(await isFolder(workplace, "/"))) return "other";
    // It has just been started and is not in its folder yet, or it is another user's and we are root in a container,
    // who may not look at that. The command line can always be read.
    const words = await readCommand(pid);
    if (words[words.indexOf("-D") + 1] === cluster) return "server";
    return workplace ? "other" : "unknown";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return "gone";
    throw error;
  }
}

async function readCommand(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
}

async function isFolder(seen: Stats, path: string): Promise<boolean> {
  const folder = await stat(path).catch(() => undefined);
  return folder !== undefined && folder.dev === seen.dev && folder.ino === seen.ino;
}

/** The name may contain spaces and brackets; the state is the first word after the last bracket. */
function readStat(line: string): { name: string; state: string } {
  const end = line.lastIndexOf(")");
  return { name: line.slice(line.indexOf("(") + 1, end), state: line.slice(end + 2, end + 3) };
}

function ifForbidden(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
}

async function identifyByPs(pid: number, cluster: string): Promise<ProcessIdentity> {
  const line = await run("ps", ["-o", "stat=,command=", "-p", String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
  const [state = "", ...command] = line.split(/\s+/);
  if (state === "" || state.startsWith("Z")) return "gone";
  if (!/postgres|postmaster/.test(command[0] ?? "")) return "other";
  return line.includes(` -D ${cluster} `) ? "server" : "unknown";
}
