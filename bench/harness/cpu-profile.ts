/** Samples which functions a process spends its time in, between two moments. */
import { Session } from "node:inspector/promises";

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

export interface FunctionTime {
  /** Function and where it is. */
  name: string;
  selfMs: number;
  /** With what it called. */
  totalMs: number;
}

export interface CpuTimes {
  busyMs: number;
  /** Most time of their own first. */
  functions: FunctionTime[];
}

const samplingMicros = 500;

/** Answers how to stop and what was found. */
export async function startCpuProfile(): Promise<() => Promise<CpuTimes>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: samplingMicros });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    return sumUp(profile.nodes, profile.samples ?? [], profile.timeDeltas ?? []);
  };
}

function sumUp(
  nodes: readonly ProfileNode[],
  samples: readonly number[],
  microsSinceLast: readonly number[],
): CpuTimes {
  const times = new Map<string, FunctionTime>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)));
  const timeOf = (name: string) => {
    const time = times.get(name) ?? { name, selfMs: 0, totalMs: 0 };
    times.set(name, time);
    return time;
  };
  let busyMs = 0;
  samples.forEach((id, place) => {
    const ms = (microsSinceLast[place] ?? 0) / 1_000;
    const leaf = byId.get(id);
    if (!leaf || leaf.callFrame.functionName === "(idle)") return;
    busyMs += ms;
    timeOf(nameOf(leaf)).selfMs += ms;
    // A recursive function counts once for each sample.
    const onStack = new Set<string>();
    for (let node: ProfileNode | undefined = leaf; node; node = byId.get(parents.get(node.id) ?? -1))
      onStack.add(nameOf(node));
    for (const name of onStack) timeOf(name).totalMs += ms;
  });
  return { busyMs, functions: [...times.values()].sort((one, other) => other.selfMs - one.selfMs) };
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.replace(/^.*\/node_modules\//, "").replace(/^file:\/\/.*\/(?=(src|bench|test)\/)/, "");
  return `${functionName || "(anonymous)"} ${file}${file ? `:${lineNumber + 1}` : ""}`;
}
