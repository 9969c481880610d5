/** Looks for a native Tesseract that is new enough, and at what it has with it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface NativeTesseract {
  command: string;
  version: string;
  /** Where its languages lie, and which there are. */
  dataFolder: string;
  languages: readonly string[];
}

const oldestMajor = 5;
const answerMs = 10_000;

/** Undefined where there is none, or an old one, or one that does not work. */
export async function findTesseract(command: string): Promise<NativeTesseract | undefined> {
  const version = /^tesseract v?(\d+)(\.\S+)?/mu.exec(await ask(command, "--version"));
  if (!version || Number(version[1]) < oldestMajor) return undefined;
  const list = await ask(command, "--list-langs");
  const dataFolder = /in "([^"]+)"/u.exec(list)?.[1];
  if (!dataFolder) return undefined;
  const languages = list
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
  return { command, version: `${version[1]}${version[2] ?? ""}`, dataFolder, languages };
}

async function ask(command: string, question: string): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [question], { timeout: answerMs });
    // Older ones answer on the error stream.
    return `${stdout}${stderr}`;
  } catch {
    return "";
  }
}
