/**
 * Functions of another process, called as if they were here: a contender's worker runs in a real process of its own,
 * and the bench tells it what to do and when.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a child process offers: named functions of JSON. */
export type Api = Record<string, (argument: never) => Promise<unknown>>;

export interface Child<Offered extends Api> {
  readonly pid: number;
  call<Name extends keyof Offered & string>(
    name: Name,
    argument: Parameters<Offered[Name]>[0],
  ): Promise<Awaited<ReturnType<Offered[Name]>>>;
  /** SIGSTOP: it stands still and knows nothing of it, until it is let go on. */
  stop(): void;
  goOn(): void;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
}

interface Request {
  id: number;
  name: string;
  argument: unknown;
}

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

export function startChild<Offered extends Api>(file: URL): Child<Offered> {
  const child = fork(fileURLToPath(file), {
    serialization: "advanced",
    // What peers have to say about their own use of the driver is not ours to print.
    execArgv: ["--no-warnings"],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let calls = 0;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      for (const [id, settle] of waiting) settle({ id, error: `the process ended (${signal ?? code})` });
      resolve();
    });
  });
  child.on("message", (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return {
    pid: child.pid as number,
    call(name, argument) {
      const id = ++calls;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ value, error }) => {
          if (error === undefined) resolve(value as never);
          else reject(new Error(error));
        });
        send(child, { id, name, argument });
      });
    },
    stop: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function send(child: ChildProcess, request: Request): void {
  child.send(request, (error) => {
    if (error) child.emit("message", { id: request.id, error: error.message });
  });
}

/** In the child: offers the functions until the parent lets go, then ends the process. */
export function offer(api: Api): void {
  process.on("message", ({ id, name, argument }: Request) => {
    const called = api[name];
    const answer = called ? called(argument as never) : Promise.reject(new Error(`there is no ${name} here`));
    answer.then(
      (value) => process.send?.({ id, value } satisfies Answer),
      (error: unknown) =>
        process.send?.({
          id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        } satisfies Answer),
    );
  });
  process.once("disconnect", () => process.exit());
}
