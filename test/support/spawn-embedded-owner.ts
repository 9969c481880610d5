/** Starts `embedded-owner.ts` in a process of its own, as another user if asked, and reads what it reports. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { EmbeddedPostgresOptions } from "../../src/db/embedded/start-embedded-postgres.ts";

export interface UpReport {
  outcome: "up";
  url: string;
  adopted: boolean;
  serverPid: number;
}

interface RefusedReport {
  outcome: "refused";
  code: string;
  message: string;
}

export interface EmbeddedOwner {
  process: ChildProcess;
  pid: number;
  /** What became of the start; rejects if the process ended without a word. */
  report: Promise<UpReport | RefusedReport>;
  exited: Promise<void>;
  /** Sends the signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const script = fileURLToPath(new URL("embedded-owner.ts", import.meta.url));

export function spawnEmbeddedOwner(
  options: Omit<EmbeddedPostgresOptions, "logger" | "proposePort" | "signal">,
  user: { uid?: number; gid?: number } = {},
): EmbeddedOwner {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    ...user,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const report = new Promise<UpReport | RefusedReport>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (line) => resolve(JSON.parse(line)));
    lines.once("close", () => reject(new Error("the owner ended without a report")));
    child.once("error", reject);
  });
  // Tests that kill it early do not look at its report.
  report.catch(() => undefined);
  return {
    process: child,
    pid: child.pid ?? 0,
    report,
    exited,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** The report of an owner that was to come up; fails with its reason if it did not. */
export async function whenUp(owner: EmbeddedOwner): Promise<UpReport> {
  const report = await owner.report;
  if (report.outcome === "refused") throw new Error(`${report.code}: ${report.message}`);
  return report;
}
