/** Peers are packages of bench/, installed the first time they are wanted and never by the project's own `npm ci`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Peer {
  name: string;
  version: string;
}

const benchFolder = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(join(benchFolder, "package.json"));

/** Those of the named packages that are there, after an attempt to install them; says which are not. */
export async function findPeers(names: readonly string[], say: (line: string) => void): Promise<Peer[]> {
  const find = () => Promise.all(names.map(readPeer));
  let found = await find();
  if (found.includes(undefined)) {
    say("installing the peers of bench/ (npm install --prefix bench)");
    // The exit code is of no interest: what counts is which packages are there afterwards.
    await once(
      spawn("npm", ["install", "--prefix", benchFolder, "--no-audit", "--no-fund", "--ignore-scripts"], {
        stdio: ["ignore", "ignore", 2],
      }),
      "exit",
    );
    found = await find();
  }
  names.forEach((name, place) => {
    if (!found[place]) say(`skipped: ${name} could not be installed`);
  });
  return found.flatMap((peer) => peer ?? []);
}

async function readPeer(name: string): Promise<Peer | undefined> {
  const file = join(benchFolder, "node_modules", name, "package.json");
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : { name, version: (JSON.parse(text) as Peer).version };
}

/**
 * A peer's module. What an adapter uses of it is described by the adapter: the checker must pass where the package is
 * not installed.
 */
export async function loadPeer<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(require.resolve(name)).href)) as Module;
}
