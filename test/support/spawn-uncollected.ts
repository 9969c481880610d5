/** Makes a process that is dead but still listed, as happens where nothing collects orphans: in many containers. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { until } from "./until.ts";

/** The child ends only after the shell has become a sleep, which never asks after it. */
const script = `sh -c 'while grep -q "^sh$" /proc/$PPID/comm; do :; done' & echo $!; exec sleep 1000`;

/** The dead process's id, and its parent, which keeps it listed until it is killed. Linux only. */
export async function spawnUncollected(): Promise<{ pid: number; parent: ChildProcess }> {
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
  await until(async () => (await readFile(`/proc/${pid}/stat`, "utf8")).includes(") Z "));
  return { pid, parent };
}
