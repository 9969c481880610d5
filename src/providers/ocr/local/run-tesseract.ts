/** One run of the native Tesseract on one image. It is killed when it exceeds its deadline or nobody wants the answer any more. */
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { TerminalError } from "../../../errors.ts";
import { ocrUnavailable } from "./explain-failure.ts";
import type { GreyImage } from "./grey-image.ts";
import { parseTsv } from "./parse-tsv.ts";
import type { FoundWord } from "./place-words.ts";

export interface TesseractRun {
  command: string;
  /** Its languages. */
  arguments: readonly string[];
  image: GreyImage;
  signal: AbortSignal;
  deadlineMs: number;
}

const isWindows = process.platform === "win32";
/** What `env` ends with when it cannot start the command, or finds none. */
const notStartedCodes = [126, 127];

export async function runTesseract(run: TesseractRun): Promise<FoundWord[]> {
  const { command, image, signal, deadlineMs } = run;
  signal.throwIfAborted();
  const given = ["stdin", "stdout", ...run.arguments, "--psm", "3", "-c", "tessedit_create_tsv=1"];
  // Several threads on one page cost a third more in all than one, and pages are read side by side anyway.
  const child = isWindows
    ? spawn(command, given, { stdio: "pipe" })
    : spawn("env", ["OMP_THREAD_LIMIT=1", command, ...given], { stdio: "pipe" });
  stepBack(child.pid);
  let reason: unknown;
  const stop = (why: unknown) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => stop(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const late = new TerminalError("TIME_LIMIT", `It took longer than ${deadlineMs} ms and was stopped.`);
  const deadline = setTimeout(() => stop(late), deadlineMs);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    // Without a process there may be no streams either.
    if (child.pid === undefined) await ended;
    // It may be gone before it has read everything; its exit tells why.
    child.stdin.on("error", () => undefined);
    child.stdin.write(`P5\n${image.width} ${image.height}\n255\n`);
    child.stdin.end(image.data);
    const [code, answer, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (reason !== undefined) throw reason;
    if (code !== 0) {
      const error = new Error(`tesseract ended with ${code}: ${complaint.trim().slice(-500)}`);
      throw notStartedCodes.includes(code ?? 0) ? ocrUnavailable(error) : error;
    }
    return parseTsv(answer);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener("abort", abort);
  }
}

/** Like the threads that read files: whoever answers requests goes first. It may have ended already. */
function stepBack(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
}
