/** Reports in bench/results/, a file a run, named by when it began. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Report } from "./report.ts";

const folder = new URL("../results/", import.meta.url);

/** Over what the same run wrote before, so that one that is broken off has left what it had. Answers the file's name. */
export async function writeReport(report: Report): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = new URL(`${report.at.replaceAll(/[:.]/g, "-")}.json`, folder);
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  return fileURLToPath(file);
}

export async function readReport(path: string): Promise<Report> {
  return JSON.parse(await readFile(path, "utf8")) as Report;
}
