/**
 * A native Tesseract that reads one image after the other: to start it and to load its languages takes a sixth of what a
 * page takes. It is told names of files on its input. Nothing in what it answers says that a page is over, so after each
 * it is given a blank of a size that no page has.
 */
import { spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { TerminalError } from "../../../errors.ts";
import { ocrUnavailable } from "./explain-failure.ts";
import type { GreyImage } from "./grey-image.ts";
import { parseTsv } from "./parse-tsv.ts";
import type { FoundWord } from "./place-words.ts";

export interface TesseractOptions {
  command: string;
  /** Its languages. */
  arguments: readonly string[];
  /** Where `layBlank` was, and the images to read are put. */
  folder: string;
  /** Tells its images from those of others in the folder. */
  name: string;
  /** It tells what it has found as soon as it has, and can go on to another page; otherwise it tells when it ends. */
  stays: boolean;
}

export interface Tesseract {
  /** One image at a time. When that fails, is late or no longer wanted, the process is gone. */
  read(image: GreyImage, limits: ReadLimits): Promise<FoundWord[]>;
  /** Whoever looks after memory may have ended it between two pages. */
  isGone(): boolean;
  end(): void;
}

export interface ReadLimits {
  signal: AbortSignal;
  deadlineMs: number;
}

const isWindows = process.platform === "win32";
/** What `env` ends with when it cannot start the command, or finds none. */
const notStartedCodes = [126, 127];
const blank: GreyImage = { data: new Uint8Array(7 * 5).fill(255), width: 7, height: 5 };
const blankRow = /^1\t\d+(\t0){6}\t7\t5\t.*\n/mu;
/** A row of a page has no more letters. */
const rowLength = 80;

export function layBlank(folder: string): Promise<void> {
  return writePgm(blankIn(folder), blank);
}

export function startTesseract({ command, folder, name, stays, ...options }: TesseractOptions): Tesseract {
  const variables = ["-c", "tessedit_create_tsv=1", "-c", "stream_filelist=1"];
  const given = ["-", "stdout", ...options.arguments, "--psm", "3", ...variables];
  // Several threads on one page cost a third more in all than one, and pages are read side by side anyway.
  const surroundings = ["OMP_THREAD_LIMIT=1", ...(stays ? ["stdbuf", "-oL"] : [])];
  const child = isWindows ? spawn(command, given) : spawn("env", [...surroundings, command, ...given]);
  const page = join(folder, `${name}.pgm`);
  let answer = "";
  let complaint = "";
  let failure: unknown;
  let look = () => {};
  const fail = (why: unknown) => {
    failure ??= why;
    child.kill("SIGKILL");
    look();
  };
  child.once("error", fail);
  child.once("close", (code) => fail(explainEnd(code, complaint)));
  // Without a process there may be no streams either; it may also be gone before it has read everything.
  child.stdin?.on("error", () => undefined);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
    look();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-500);
  });
  stepBack(child.pid);

  return {
    async read(image, { signal, deadlineMs }) {
      signal.throwIfAborted();
      const giveUp = () => fail(signal.reason);
      signal.addEventListener("abort", giveUp, { once: true });
      const late = new TerminalError("TIME_LIMIT", `It took longer than ${deadlineMs} ms and was stopped.`);
      const deadline = setTimeout(() => fail(late), deadlineMs);
      try {
        await writePgm(page, image);
        answer = "";
        child.stdin?.write(`${page}\n${blankIn(folder)}\n`);
        if (!stays) child.stdin?.end();
        return parseTsv(await wholeAnswer());
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", giveUp);
        await rm(page, { force: true });
      }
    },
    isGone: () => failure !== undefined,
    end: () => void child.kill("SIGKILL"),
  };

  function wholeAnswer(): Promise<string> {
    return new Promise((resolve, reject) => {
      look = () => {
        if (blankRow.test(answer.slice(-rowLength))) resolve(answer);
        else if (failure !== undefined) reject(failure);
      };
      look();
    });
  }
}

function explainEnd(code: number | null, complaint: string): unknown {
  const error = new Error(`tesseract ended with ${code}: ${complaint.trim()}`);
  return notStartedCodes.includes(code ?? 0) ? ocrUnavailable(error) : error;
}

function blankIn(folder: string): string {
  return join(folder, "blank.pgm");
}

function writePgm(path: string, { data, width, height }: GreyImage): Promise<void> {
  return writeFile(path, [`P5\n${width} ${height}\n255\n`, data]);
}

/** Like the threads that read files: whoever answers requests goes first. It may have ended already. */
function stepBack(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
}
