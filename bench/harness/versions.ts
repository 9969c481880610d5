/** What took part in a run, by name and version: a figure without them cannot be compared with another. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Peer } from "./peers.ts";
import { listProgramsUsed, readOutput, readVersion } from "./programs.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

export async function readVersions(peers: readonly Peer[]): Promise<Record<string, string>> {
  const programs = await Promise.all(listProgramsUsed().map(async (name) => [name, await readVersion(name)] as const));
  return {
    node: process.versions.node,
    docmill: await readOwnVersion(),
    ...Object.fromEntries(peers.map(({ name, version }) => [name, version])),
    ...Object.fromEntries(programs),
  };
}

/** With the commit, where the sources are in a repository and there is git to ask, and whether they differ from it. */
async function readOwnVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as { version: string };
  const described = await readOutput("git", ["-C", project, "describe", "--always", "--dirty"]).catch(() => "");
  return [version, described.trim()].filter((part) => part !== "").join(" ");
}
