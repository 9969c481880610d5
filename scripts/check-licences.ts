/**
 * Refuses licences that would bind Docmill's users: walks everything the lockfile installs for production, on every
 * platform, and fails on GPL, AGPL and the like, and on a package that names no licence. LGPL passes: such libraries
 * are linked dynamically.
 */
import { existsSync, readFileSync } from "node:fs";

interface LockedPackage {
  dev?: boolean;
  link?: boolean;
  license?: string;
}

const refused = /^(AGPL|GPL|SSPL|BUSL|CC-BY-NC|UNLICENSED|SEE LICENSE)/i;

/** Whether an SPDX expression leaves a choice that binds nobody: of `A OR B` one must pass, of `A AND B` both. */
export function isAcceptable(expression: string): boolean {
  const choices = expression.replace(/[()]/g, "").split(/\s+OR\s+/i);
  return choices.some((choice) =>
    choice.split(/\s+AND\s+/i).every((name) => name.trim() !== "" && !refused.test(name)),
  );
}

export function findRefused(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link)
    .map(([path, locked]) => ({ path, licence: locked.license ?? readLicence(path) }))
    .filter(({ licence }) => licence === undefined || !isAcceptable(licence))
    .map(({ path, licence }) => `${path}: ${licence ?? "no licence named"}`);
}

// npm copies the licence to the lockfile only where the package states it in today's form.
function readLicence(path: string): string | undefined {
  const file = new URL(`../${path}/package.json`, import.meta.url);
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8"));
  const stated = license?.type ?? license ?? licenses?.map((one: { type: string }) => one.type).join(" OR ");
  return typeof stated === "string" ? stated : undefined;
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
  const found = findRefused(lock.packages);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
  else console.log("Licences of all production dependencies are permissive.");
}
