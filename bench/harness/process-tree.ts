/** What a process and all it started use: memory that is theirs (shared pages counted once) and processor time. Linux only. */
import { readdir, readFile } from "node:fs/promises";

const ticksPerSecond = 100;

/** Memory in megabytes: what the pages weigh, each shared one divided by those who share it. */
export async function measureMemory(pid: number): Promise<number> {
  const sizes = await Promise.all((await listTree(pid)).map(readMemory));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** The same of the process alone, without those it started. */
export async function measureOwnMemory(pid: number): Promise<number> {
  return (await readMemory(pid)) / 1024;
}

/** Seconds of processor time since each of them began, those included that have ended and been waited for. */
export async function measureCpu(pid: number): Promise<number> {
  const times = await Promise.all((await listTree(pid)).map(readTicks));
  return times.reduce((sum, time) => sum + time, 0) / ticksPerSecond;
}

/** Watches the memory of a tree; `stop` answers the highest seen, in megabytes. */
export function watchMemory(pid: number, everyMs = 200): { stop(): Promise<number> } {
  let peak = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      peak = Math.max(peak, await measureMemory(pid));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async stop() {
      over = true;
      await watching;
      return peak;
    },
  };
}

async function listTree(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number((await readStat(Number(name)))?.[1]);
    if (Number.isNaN(parent)) continue;
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** The fields from the state on: a process's name may hold anything, so they are counted from its closing bracket. */
async function readStat(pid: number): Promise<string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Kilobytes. */
async function readMemory(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
}

async function readTicks(pid: number): Promise<number> {
  const [utime, stime, cutime, cstime] = (await readStat(pid))?.slice(11, 15).map(Number) ?? [];
  return (utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0);
}
