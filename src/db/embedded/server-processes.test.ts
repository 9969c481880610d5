import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../../test/support/until.ts";
import { identifyProcess, isAlive, killLeftovers } from "./server-processes.ts";

const cluster = "/nowhere/postgres/cluster";

describe("a process id from a file", () => {
  const children: ChildProcess[] = [];
  const start = (file: string, args: string[]) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    return child;
  };

  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  it("may be of a process that is gone", async () => {
    const child = start("true", []);
    await new Promise((resolve) => child.once("exit", resolve));
    expect(await identifyProcess(child.pid as number, cluster)).toBe("gone");
  });

  it("may be of something that is no PostgreSQL", async () => {
    expect(await identifyProcess(process.pid, cluster)).toBe("other");
    expect(await killLeftovers(cluster)).toEqual([]);
  });

  it.runIf(process.platform === "linux")("may be of a dead process that its parent has not collected", async () => {
    // The shell becomes a sleep, which never asks after the child the shell had.
    const parent = start("sh", ["-c", "true & echo $!; exec sleep 1000"]);
    const pid = Number(await new Promise((resolve) => parent.stdout?.once("data", resolve)));
    await until(async () => (await readFile(`/proc/${pid}/stat`, "utf8")).includes(") Z "));
    expect(isAlive(pid)).toBe(true);
    expect(await identifyProcess(pid, cluster)).toBe("gone");
  });
});
