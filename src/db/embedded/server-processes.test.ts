import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { spawnUncollected } from "../../../test/support/spawn-uncollected.ts";
import { identifyProcess, isAlive, killLeftovers } from "./server-processes.ts";

const cluster = "/nowhere/postgres/cluster";

describe("a process id from a file", () => {
  it("may be of a process that is gone", async () => {
    const child = spawn("true");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(await identifyProcess(child.pid as number, cluster)).toBe("gone");
  });

  it("may be of something that is no PostgreSQL", async () => {
    expect(await identifyProcess(process.pid, cluster)).toBe("other");
    expect(await killLeftovers(cluster)).toEqual([]);
  });

  it.runIf(process.platform === "linux")("may be of a dead process that its parent has not collected", async () => {
    const { pid, parent } = await spawnUncollected();
    onTestFinished(() => void parent.kill());
    expect(isAlive(pid)).toBe(true);
    expect(await identifyProcess(pid, cluster)).toBe("gone");
  });
});
