/**
 * Starts processes full of readers of one stream. Each reader follows the stream through a hub, drops its connection at
 * random places, also in the middle of a page, and comes back with the number of the last event it has taken.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface EventReadersOptions {
  url: string;
  /** Null to go by polling only. */
  listenUrl: string | null;
  streamId: string;
  readers: number;
  /** Readers stop at the first event of this type. */
  until: string;
}

/** What one reader has seen, in the order it saw it. */
export interface ReaderReport {
  numbers: number[];
  connections: number;
}

const script = fileURLToPath(new URL("event-readers-process.ts", import.meta.url));

export async function runEventReaders(options: EventReadersOptions): Promise<ReaderReport[]> {
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.once("message", (reports) => resolve(reports as ReaderReport[]));
    child.once("exit", (code, signal) => reject(new Error(`the readers ended (${signal ?? code}) without a report`)));
  });
}
