import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isGone, thisProcess } from "./process-identity.ts";

const here = thisProcess();

describe.skipIf(process.platform !== "linux")("whether a recorded process is gone", () => {
  it("is false for one that runs", () => {
    expect(isGone(here, here)).toBe(false);
  });

  it("is true once it has ended", async () => {
    const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    await once(child, "spawn");
    const recorded = { ...here, pid: child.pid as number };
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isGone(recorded, here)).toBe(true);
  });

  it("is true when its number now belongs to a process that started at another time", () => {
    expect(isGone({ ...here, processStarted: "1" }, here)).toBe(true);
  });

  it("is unsure, so false, for another machine, another boot and another container", () => {
    const ended = { ...here, processStarted: "1" };
    expect(isGone({ ...ended, bootId: "another" }, here)).toBe(false);
    expect(isGone({ ...ended, pidNamespace: "another" }, here)).toBe(false);
    expect(isGone({ ...ended, bootId: "" }, { ...here, bootId: "" })).toBe(false);
  });
});
