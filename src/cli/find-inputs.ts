/** What `docmill add` was told to add: files, all files in folders, what a pattern matches, and urls. */
import { glob, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DocmillError } from "../errors.ts";

export type Input = { kind: "file"; path: string; size: number } | { kind: "url"; url: string };

/** In the order they were given, each file once. Throws WRONG_INPUT for what is not there. */
export async function findInputs(given: readonly string[]): Promise<Input[]> {
  const found = new Map<string, Input>();
  for (const name of given) {
    if (/^https?:\/\//i.test(name)) found.set(name, { kind: "url", url: name });
    else for (const file of await filesOf(name)) found.set(file.path, file);
  }
  if (found.size === 0) throw new DocmillError("WRONG_INPUT", `There is no file in ${given.join(", ")}.`);
  return [...found.values()];
}

type FileInput = Extract<Input, { kind: "file" }>;

async function filesOf(name: string): Promise<FileInput[]> {
  const facts = await stat(name).catch(() => undefined);
  if (facts?.isFile()) return [{ kind: "file", path: name, size: facts.size }];
  if (facts?.isDirectory()) return sized(await filesIn(name));
  if (/[*?[{]/.test(name)) {
    const matches: string[] = [];
    for await (const match of glob(name)) matches.push(match);
    if (matches.length > 0) return sized(matches.sort());
  }
  throw new DocmillError("WRONG_INPUT", `There is no ${name}. Name files, folders, patterns in quotes, or urls.`);
}

/** Hidden files are not what anyone means. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !path
          .slice(folder.length)
          .split(/[\\/]/)
          .some((part) => part.startsWith(".")),
    )
    .sort();
}

async function sized(paths: readonly string[]): Promise<FileInput[]> {
  // A link may lead nowhere, and a file may go while we look.
  const facts = await Promise.all(
    paths.map(async (path) => ({ path, facts: await stat(path).catch(() => undefined) })),
  );
  return facts.flatMap(({ path, facts }) =>
    facts?.isFile() ? [{ kind: "file" as const, path, size: facts.size }] : [],
  );
}
