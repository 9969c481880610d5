/** Lets several processes do the same thing at the same moment, and collects what each of them got. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { DocmillError } from "../../src/errors.ts";

/** What came of one attempt: its answer, or the code and details of its error. */
export interface Outcome {
  answer?: unknown;
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
}

/** The default export of a file in test/fixtures/races: gets ready, and answers the function that acts. */
export type Racer = (argument: never) => Promise<() => Promise<Outcome[]>>;

const program = fileURLToPath(new URL("race-main.ts", import.meta.url));

/** Starts `count` processes, waits until all are ready, lets them go at once, and answers all outcomes. */
export async function raceInProcesses(count: number, file: string, argument: object): Promise<Outcome[]> {
  const children = Array.from({ length: count }, () =>
    fork(program, [file, JSON.stringify(argument)], { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: [] }),
  );
  try {
    await Promise.all(children.map(nextMessage));
    const outcomes = Promise.all(children.map(nextMessage));
    for (const child of children) child.send("go");
    return ((await outcomes) as Outcome[][]).flat();
  } finally {
    await Promise.all(children.map(end));
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(() => Promise.reject(new Error("A racing process ended without an answer.")));
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Does `act` and turns what it throws into an outcome. */
export async function outcomeOf(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: await act() };
  } catch (error) {
    if (!(error instanceof DocmillError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}
