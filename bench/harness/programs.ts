/** Programs of the system that a bench compares with or reads truths by: used when they are on PATH, named when not. */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { now } from "./clock.ts";

const run = promisify(execFile);
const mostOutputBytes = 512 * 2 ** 20;

/** What a run of a program cost. */
export interface RunCost {
  wallMs: number;
  /** Of the program and what it waited for. */
  cpuSeconds: number;
}

export async function hasProgram(name: string): Promise<boolean> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = await Promise.all(
    folders.map((folder) =>
      access(join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

export async function readOutput(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(program, [...args], { maxBuffer: mostOutputBytes });
  return stdout;
}

/** Runs a command of the shell to its end; its own output is dropped. */
export async function timeCommand(command: string, env: Record<string, string> = {}): Promise<RunCost> {
  const script = `TIMEFORMAT='%U %S'; time { ${command}; } >/dev/null 2>/dev/null`;
  const startedAt = now();
  const { stderr } = await run("bash", ["-c", script], { env: { ...process.env, ...env }, maxBuffer: mostOutputBytes });
  const wallMs = now() - startedAt;
  const [user, system] = stderr.trim().split(/\s+/).map(Number);
  return { wallMs, cpuSeconds: (user ?? 0) + (system ?? 0) };
}

/** For a command line of the shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
