/** What `docmill heats` was told to read: as `docmill add` finds it, but of folders only their PDF files. */
import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { DocmillError } from "../errors.ts";
import { findInputs } from "./find-inputs.ts";

export interface Sheets {
  files: string[];
  urls: string[];
}

/** In the order they were given, each file once. Throws WRONG_INPUT for what is not there, and where nothing is. */
export async function findSheets(given: readonly string[]): Promise<Sheets> {
  const inputs = await findInputs(given);
  const folders = await keepFolders(given);
  const named = new Set(given.map((name) => resolve(name)));
  const files = new Map<string, string>();
  for (const input of inputs) {
    if (input.kind === "url") continue;
    const path = resolve(input.path);
    const wanted = named.has(path) || /\.pdf$/i.test(path) || !folders.some((folder) => isInside(folder, path));
    // One file can be reached by several names.
    if (wanted && !files.has(path)) files.set(path, input.path);
  }
  const urls = inputs.flatMap((input) => (input.kind === "url" ? [input.url] : []));
  if (files.size + urls.length === 0) {
    throw new DocmillError("WRONG_INPUT", `There is no PDF file in ${given.join(", ")}.`);
  }
  return { files: [...files.values()], urls };
}

async function keepFolders(given: readonly string[]): Promise<string[]> {
  const facts = await Promise.all(given.map((name) => stat(name).catch(() => undefined)));
  return given.filter((_, index) => facts[index]?.isDirectory()).map((name) => resolve(name));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !/^\.\.([\\/]|$)/.test(way) && !isAbsolute(way);
}
