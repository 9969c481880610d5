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

/** Those that were looked for and found. */
const used = new Set<string>();

/** Whether it is on PATH; one that is counts as used from then on. */
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
  const has = found.includes(true);
  if (has) used.add(name);
  return has;
}

export function listProgramsUsed(): string[] {
  return [...used].sort();
}

/** The first thing in what it says of itself that looks like a version. */
export async function readVersion(program: string): Promise<string> {
  for (const question of ["--version", "-v"]) {
    // Some answer on the other channel, and some call the question a mistake: what counts is what they say.
    const said = await run(program, [question]).catch((error: { stdout?: string; stderr?: string }) => error);
    const version = /\d+(\.\d+)+[\w.+~-]*/.exec(`${said.stdout ?? ""}\n${said.stderr ?? ""}`)?.[0];
    if (version !== undefined) return version;
  }
  return "unknown";
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
