/**
 * Who a worker process is, so that another process on the same machine can tell whether it still exists: a process id
 * alone may have been given to someone else, so the time it started at is compared too.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  host: string;
  bootId: string;
  pidNamespace: string;
  pid: number;
  processStarted: string;
}

/** Where the system does not say more than a pid, this stands for what is not known. */
const unknown = "";

export function thisProcess(): ProcessIdentity {
  return {
    host: hostname(),
    bootId: readSafely(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: readSafely(() => readlinkSync("/proc/self/ns/pid")),
    pid: process.pid,
    processStarted: processStartTime(process.pid),
  };
}

/** Whether a process recorded by `thisProcess` on this same machine is certainly gone. Unsure is false. */
export function isGone(recorded: ProcessIdentity, here: ProcessIdentity): boolean {
  const comparable =
    here.bootId !== unknown && recorded.bootId === here.bootId && recorded.pidNamespace === here.pidNamespace;
  if (!comparable) return false;
  if (!pidExists(recorded.pid)) return true;
  const started = processStartTime(recorded.pid);
  return started !== unknown && started !== recorded.processStarted;
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and is someone else's.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const zombie = "zombie";

/** Field 22 of /proc/<pid>/stat, in clock ticks since boot; a zombie has ended, whatever it says. */
function processStartTime(pid: number): string {
  const stat = readSafely(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The command name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? zombie : (fields[19] ?? unknown);
}

function readSafely(read: () => string): string {
  try {
    return read();
  } catch {
    return unknown;
  }
}
