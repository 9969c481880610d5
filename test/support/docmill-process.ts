/** The real `docmill` in a process of its own, as a user's shell would start it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** Tests start the program a hundred times; without a cache each start would translate all of it again. */
const compileCache = fileURLToPath(new URL("../../node_modules/.cache/docmill-tests", import.meta.url));

/** For the files of processes whose test does not look at them. */
const sharedData = fileURLToPath(new URL("../../node_modules/.cache/docmill-tests-data", import.meta.url));

export interface DocmillOptions {
  /** Settings for this process; the test run's own are not passed on. */
  env?: Record<string, string>;
  cwd?: string;
  /** What it reads from standard input. */
  input?: string;
  /** Gives it a terminal, where there is `script` to make one. */
  terminal?: boolean;
}

/** Where `script` is; undefined if it is not installed. */
export const scriptProgram: string | undefined = ["/usr/bin/script", "/bin/script"].find((file) => existsSync(file));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface DocmillProcess {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The first match in its output, now or later; rejects with all it said if it ends without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

const ourSettings = /^(DOCMILL_|OTEL_|DATABASE_URL$|PORT$|HOST$|PG)/;

export function spawnDocmill(args: readonly string[], options: DocmillOptions = {}): DocmillProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !ourSettings.test(name));
  const command = [process.execPath, main, ...args];
  const [program, ...words] = options.terminal ? inTerminal(command) : command;
  const child = spawn(program as string, words, {
    cwd: options.cwd,
    env: { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...placeFor(options), ...options.env },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(options.input);
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    tell();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    tell();
  });
  let hasEnded = false;
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      hasEnded = true;
      resolve({ code, signal, stdout, stderr });
      tell();
    });
  });
  return {
    pid: child.pid as number,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    says(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (!match && !hasEnded) return;
          listeners.delete(look);
          if (match) resolve(match);
          else reject(new Error(`docmill ${args.join(" ")} ended without saying ${pattern}:\n${stdout}\n${stderr}`));
        };
        listeners.add(look);
        look();
      });
    },
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

/** On a database of the test's own a process would keep its files beside the sources. */
function placeFor({ env, cwd }: DocmillOptions): Record<string, string> {
  return env?.DATABASE_URL !== undefined && cwd === undefined ? { DOCMILL_DATA_DIR: sharedData } : {};
}

function inTerminal(command: readonly string[]): string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return [scriptProgram as string, "--quiet", "--return", "--flush", "--command", quoted, "/dev/null"];
}

/** Runs a command to its end. */
export function runDocmill(args: readonly string[], options?: DocmillOptions): Promise<Ended> {
  return spawnDocmill(args, options).ended;
}

/** Starts `docmill serve` and waits until it is ready; answers its url too. */
export async function startServe(
  args: readonly string[],
  options?: DocmillOptions,
): Promise<{ server: DocmillProcess; url: string }> {
  const server = spawnDocmill(["serve", ...args], options);
  const [, url] = await server.says(/ready at (\S+)/);
  return { server, url: url as string };
}
