/** What `npm ci` needs of the lockfile on every platform and with every npm, and what it must not tell. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

interface LockedPackage {
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

const read = async (name: string) => JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), "utf8"));
const packages: Record<string, LockedPackage> = (await read("package-lock.json")).packages;
const { allowScripts } = await read("package.json");

// npm leaves out a platform's package that its registry does not have, and npm 11 then refuses the lockfile everywhere.
test("every platform's optional packages are locked", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${name}, wanted by ${path || "docmill"}`),
  );
  expect(missing).toEqual([]);
});

test("packages come from wherever npm is set to look", () => {
  const pinned = Object.values(packages).filter(({ link, resolved }) => !link && resolved !== undefined);
  expect(pinned).toEqual([]);
});

test("install scripts are approved for exactly the packages that are locked with one", () => {
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  const names = withScript.map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort());
});

/** Node's lookup: beside the package, then beside each of its parents. */
function isLocked(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (`${folder ? `${folder}/` : ""}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}
