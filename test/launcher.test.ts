/** The `docmill` command under the machine's own, older Node.js: it starts again under the one it brings. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const older = findOlderNode();

const program = `
  const [command] = process.argv.slice(2);
  if (command === "fail") process.exitCode = 3;
  if (command === "wait") {
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => { console.log("got", signal); process.exit(0); });
    setInterval(() => {}, 1000);
  }
  console.log(process.version, ...process.argv.slice(2));
  if (command === "die") process.kill(process.pid, "SIGKILL");
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-launcher-"));
  await cp(join(root, "bin"), join(folder, "bin"), { recursive: true });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  for (const name of ["dist", "node_modules"]) await mkdir(join(folder, name));
  await writeFile(join(folder, "dist/main.js"), program);
  await symlink(join(root, "node_modules/node"), join(folder, "node_modules/node"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("runs in the same process where Node.js is new enough", async () => {
  const { output, code } = await run(process.execPath, ["status", "--json"]);
  expect(output).toBe(`${process.version} status --json\n`);
  expect(code).toBe(0);
});

describe.skipIf(older === undefined)(`started by ${older ?? "an older Node.js, which this machine lacks"}`, () => {
  test("runs under Node.js 24 with the same arguments", async () => {
    const { output, code } = await run(older as string, ["status", "--json"]);
    expect(output).toMatch(/^v24\.\S+ status --json\n$/);
    expect(code).toBe(0);
  });

  test("ends with the program's exit code, or the shell's code for its signal", async () => {
    expect((await run(older as string, ["fail"])).code).toBe(3);
    expect((await run(older as string, ["die"])).code).toBe(128 + 9);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("passes %s on, once", async (signal) => {
    const { output, code } = await run(older as string, ["wait"], signal);
    expect(output).toMatch(new RegExp(`wait\\ngot ${signal}\\n$`));
    expect(code).toBe(0);
  });
});

async function run(node: string, args: string[], signal?: NodeJS.Signals): Promise<{ output: string; code: number }> {
  const child = spawn(node, [join(folder, "bin/docmill.js"), ...args], { stdio: ["ignore", "pipe", "ignore"] });
  if (signal) child.stdout.once("data", () => child.kill(signal));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { output, code };
}

/** A Node.js on the PATH that Docmill cannot run on; npm's own folders hold the one it brings. */
function findOlderNode(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((one) => !one.includes("node_modules"));
  return folders
    .map((one) => join(one, "node"))
    .find((node) => {
      try {
        return Number.parseInt(execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }), 10) < 24;
      } catch {
        return false;
      }
    });
}
