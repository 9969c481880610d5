/**
 * Proves that the rules of biome.json bite. A scratch project with the real configuration gets a file in every room that
 * tries to import everything, and a bad and a good example for every other rule of the house; Biome reads them at once.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const targets = {
  leaves: "src/errors.ts",
  contract: "src/contract/thing.ts",
  db: "src/db/thing.ts",
  storage: "src/storage/thing.ts",
  threads: "src/threads/thing.ts",
  layout: "src/layout/thing.ts",
  formats: "src/formats/thing.ts",
  download: "src/download/thing.ts",
  guidelines: "src/guidelines/thing.ts",
  heatsheets: "src/heatsheets/thing.ts",
  delivery: "src/delivery/thing.ts",
  vectors: "src/vectors/thing.ts",
  events: "src/events/thing.ts",
  engine: "src/jobs/thing.ts",
  "author API": "src/jobs/index.ts",
  ledger: "src/jobs/ledger.ts",
  providers: "src/providers/thing.ts",
  "another pipeline": "src/pipelines/other/pipeline.ts",
  samples: "src/samples/thing.ts",
  access: "src/access/thing.ts",
  metrics: "src/metrics/thing.ts",
  traces: "src/traces/thing.ts",
  periodic: "src/periodic/thing.ts",
  backup: "src/backup/thing.ts",
  client: "src/client/thing.ts",
  http: "src/http/thing.ts",
  "crash test": "src/crash-test/thing.ts",
  cli: "src/cli/thing.ts",
  assembly: "src/runtime.ts",
  main: "src/main.ts",
  library: "src/index.ts",
  tests: "test/support/thing.ts",
  web: "web/src/thing.ts",
} as const;
type Target = keyof typeof targets;
const allTargets = Object.keys(targets) as Target[];

/** The rooms that know files, text and addresses, and no jobs. */
const content = [
  "threads",
  "layout",
  "formats",
  "download",
  "guidelines",
  "heatsheets",
  "delivery",
  "vectors",
] as const;

/** What each room may import of the project. Whatever is not named here is refused. */
const rooms: Record<string, readonly Target[]> = {
  contract: ["contract"],
  db: ["leaves", "db"],
  storage: ["leaves", "storage"],
  threads: ["leaves", "threads"],
  layout: ["leaves", "layout"],
  download: ["leaves", "download"],
  guidelines: ["leaves", "contract", "layout", "guidelines"],
  heatsheets: ["leaves", "contract", "layout", "heatsheets"],
  delivery: ["leaves", "delivery"],
  formats: ["leaves", "threads", "layout", "formats"],
  vectors: ["leaves", "db", "threads", "vectors"],
  events: ["leaves", "contract", "db", "events"],
  jobs: ["leaves", "contract", "db", "events", "engine", "author API", "ledger"],
  providers: ["leaves", "contract", "threads", "layout", "formats", "ledger", "providers"],
  pipelines: ["leaves", "contract", "storage", ...content, "author API", "providers", "another pipeline"],
  samples: ["leaves", "contract", "db", "author API", "another pipeline", "samples"],
  access: ["leaves", "contract", "db", "access"],
  periodic: ["leaves", "db", "periodic"],
  metrics: ["leaves", "contract", "db", "threads", "events", "engine", "author API", "ledger", "metrics", "periodic"],
  traces: ["leaves", "contract", "db", "events", "engine", "author API", "ledger", "traces"],
  backup: ["leaves", "contract", "db", "storage", "backup"],
  client: ["contract", "client"],
  http: allTargets.filter(
    (target) => !["crash test", "cli", "assembly", "main", "library", "tests", "web"].includes(target),
  ),
  "crash-test": ["leaves", "contract", "db", "events", "engine", "author API", "ledger", "crash test", "assembly"],
  cli: allTargets.filter((target) => !["main", "library", "tests", "web"].includes(target)),
};

/** The files that try: two in each room, at different depths, and those with a border of their own. */
const importers: Record<string, readonly Target[]> = {
  ...Object.fromEntries(Object.entries(rooms).map(([room, may]) => [`src/${room}/importer.ts`, may])),
  ...Object.fromEntries(Object.entries(rooms).map(([room, may]) => [`src/${room}/inner/importer.ts`, may])),
  // A contract without folders cannot tell its own from the leaves.
  "src/contract/inner/importer.ts": [],
  "src/client/inner/importer.ts": ["contract"],
  // The author API imports the engine, so the engine's folders importing it would be a cycle.
  "src/jobs/inner/importer.ts": ["leaves", "contract", "db", "events", "engine", "ledger"],
  "src/pipelines/inner/importer.ts": ["leaves", "contract", "storage", ...content, "author API", "providers"],
  "src/pipelines/inner/stages/importer.ts": ["leaves", "contract", "storage", ...content, "author API", "providers"],
  "src/config.ts": ["leaves"],
  "src/logger.ts": ["leaves"],
  "src/version.ts": ["leaves"],
  "src/library.ts": allTargets.filter((target) => !["crash test", "cli", "main", "tests", "web"].includes(target)),
  "web/src/importer.ts": ["contract", "tests", "web"],
  "web/src/jobs/importer.ts": ["contract", "tests", "web"],
};

/** The other rules: files that each must refuse, and the same thing as it should be written. */
const rules: Record<string, { bad: Record<string, string>; good: Record<string, string> }> = {
  noProcessEnv: {
    bad: { "src/jobs/settings.ts": "export const url = process.env.DATABASE_URL;" },
    good: { "test/settings.ts": "export const url = process.env.DATABASE_URL;" },
  },
  noFloatingPromises: {
    bad: {
      "src/jobs/forget.ts": `import type { Saver } from "./saver.ts";
        export function forget(saver: Saver) { saver.save(); }`,
    },
    good: {
      "src/jobs/saver.ts": "export interface Saver { save(): Promise<void> }",
      "src/jobs/keep.ts": `import type { Saver } from "./saver.ts";
        export async function keep(saver: Saver) { await saver.save(); }`,
    },
  },
  noMisusedPromises: {
    bad: { "src/jobs/each.ts": "export const each = (list: string[]) => list.forEach(async (one) => { await one; });" },
    good: { "src/jobs/all.ts": "export const all = (list: string[]) => Promise.all(list.map(async (one) => one));" },
  },
  noImportCycles: {
    bad: {
      "src/jobs/hen.ts": `import { egg } from "./egg.ts"; export const hen = () => egg;`,
      "src/jobs/egg.ts": `import { hen } from "./hen.ts"; export const egg = () => hen;`,
    },
    good: { "src/jobs/nest.ts": `import { hen } from "./hen.ts"; export const nest = [hen];` },
  },
  plugin: {
    bad: { "src/db/inline.ts": `export type Job = import("../jobs/thing.ts").Thing;` },
    good: { "src/jobs/stated.ts": `import type { Thing } from "./thing.ts"; export type Job = Thing;` },
  },
  noRestrictedImports: {
    bad: {
      "src/contract/driver.ts": `import "pg";`,
      "src/contract/built-in.ts": `import "node:fs";`,
      "src/contract/part.ts": `import "zod/mini";`,
      "src/jobs/own-name.ts": `import "docmill";`,
      "src/jobs/dynamic.ts": `export const app = () => import("../http/thing.ts");`,
      "src/jobs/type-only.ts": `export type { Thing } from "../http/thing.ts";`,
      "src/http/settings-file.ts": `import "../config-file.ts";`,
      "src/http/waiting.ts": `import "../reach-database.ts";`,
      "src/jobs/detour.ts": `import "./../http/thing.ts";`,
    },
    good: {
      "src/contract/schema.ts": `import { z } from "zod"; export const thing = z.string();`,
      "src/jobs/free.test.ts": `import "../../test/support/thing.ts";`,
    },
  },
  useImportExtensions: {
    bad: { "src/jobs/without.ts": `export { thing } from "./thing";` },
    good: { "src/jobs/with.ts": `export { thing } from "./thing.ts";` },
  },
  useNodejsImportProtocol: {
    bad: { "src/jobs/bare.ts": `export { join } from "path";` },
    good: { "src/jobs/prefixed.ts": `export { join } from "node:path";` },
  },
  noUndeclaredDependencies: {
    bad: {
      "src/jobs/dev.ts": `export { it } from "vitest";`,
      "src/jobs/unlisted.ts": `export { pad } from "left-pad";`,
    },
    good: { "test/dev.ts": `export { it } from "vitest";` },
  },
  noExplicitAny: {
    bad: { "src/jobs/any.ts": "export const same = (x: any) => x;" },
    good: { "src/jobs/unknown.ts": "export const same = (x: unknown) => x;" },
  },
  useFilenamingConvention: {
    bad: {
      "src/jobs/claimJobs.ts": "export const claimJobs = 1;",
      "src/jobs/JobTable.ts": "export const JobTable = 1;",
    },
    good: {
      "src/jobs/claim-jobs.ts": "export const claimJobs = 1;",
      "web/src/JobTable.tsx": "export const JobTable = 1;",
    },
  },
  useExhaustiveSwitchCases: {
    bad: { "src/jobs/half.ts": `export function half(x: "a" | "b") { switch (x) { case "a": return 1; } return 2; }` },
    good: {
      "src/jobs/whole.ts": `export function whole(x: "a" | "b") { switch (x) { case "a": return 1; case "b": return 2; } }`,
    },
  },
};

interface Refusal {
  rule: string;
  path: string;
  line: number;
}

let project: string;
let refusals: Refusal[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "docmill-borders-"));
  for (const name of [".gitignore", "biome.json", "package.json", "scripts", "tsconfig.json"]) {
    await cp(join(root, name), join(project, name), { recursive: true });
  }
  for (const path of Object.values(targets)) await write(path, "export type Thing = string; export const thing = 1;");
  for (const path of Object.keys(importers))
    await write(path, allTargets.map((target) => importFrom(path, target)).join(""));
  for (const { bad, good } of Object.values(rules)) {
    for (const [path, text] of Object.entries({ ...bad, ...good })) await write(path, text);
  }
  refusals = await lint();
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("every room of src, and every file beside the rooms, has a border", async () => {
  const leaves = ["config.ts", "errors.ts", "logger.ts", "settings.ts", "version.ts"];
  const assembly = ["config-file.ts", "index.ts", "main.ts", "reach-database.ts", "runtime.ts"];
  assembly.push(
    "count-reading.ts",
    "open-access.ts",
    "periodic-tasks.ts",
    "open-books.ts",
    "open-documents.ts",
    "open-heats.ts",
    "open-services.ts",
  );
  const names = (await readdir(join(root, "src"))).filter((name) => !name.endsWith(".test.ts"));
  expect([...Object.keys(rooms), ...leaves, ...assembly]).toEqual(expect.arrayContaining(names));
});

describe("imports", () => {
  test.each(Object.entries(importers))("%s may import %j only", (path, expected) => {
    const refusedLines = refusals.filter((one) => one.path === path && one.rule === "noRestrictedImports");
    const allowed = allTargets.filter((_, index) => !refusedLines.some(({ line }) => line === index + 1));
    expect(allowed).toEqual(expected);
  });
});

describe("rules", () => {
  test.each(Object.entries(rules))("%s bites", (rule, { bad, good }) => {
    const refused = new Set(refusals.filter((one) => one.rule === rule).map(({ path }) => path));
    expect([...refused]).toEqual(expect.arrayContaining(Object.keys(bad)));
    expect(Object.keys(good).filter((path) => refusals.some((one) => one.path === path))).toEqual([]);
  });
});

function importFrom(path: string, target: Target): string {
  const specifier = relative(dirname(path), targets[target]);
  return `import "${specifier.startsWith("..") ? specifier : `./${specifier}`}";\n`;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, path)), { recursive: true });
  await writeFile(join(project, path), text);
}

/** What makes `biome lint` fail, by rule. */
async function lint(): Promise<Refusal[]> {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", "--diagnostic-level=error"];
  const report = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: project, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (stdout.startsWith("{")) resolve(stdout);
      else reject(new Error(`biome gave no report: ${stderr}`, { cause: error }));
    });
  });
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { category: string; location: { path: string; start: { line: number } } }[];
  };
  return diagnostics.map(({ category, location }) => ({
    rule: category.slice(category.lastIndexOf("/") + 1),
    path: location.path,
    line: location.start.line,
  }));
}
