#!/usr/bin/env node
/**
 * The `docmill` command. Docmill needs Node.js 24; where the user's own is older, this starts the program again under
 * the one that the npm package `node` brings. Written so that any Node.js which npm still supports can read it.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const neededMajor = 24;

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  await import(findProgram());
} else {
  runUnder(findRuntime());
}

/** The source in a checkout, where an old build may lie about; the build in the published package, which has no source. */
function findProgram() {
  const source = new URL("../src/main.ts", import.meta.url);
  return existsSync(source) ? source.href : new URL("../dist/main.js", import.meta.url).href;
}

function findRuntime() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  try {
    const runtime = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", name);
    if (existsSync(runtime)) return runtime;
  } catch {
    // Not installed: the message below says what to do.
  }
  console.error(
    `docmill needs Node.js ${neededMajor} or newer and this is ${process.version}; the copy it brings was not installed. ` +
      "Allow its install script (npm approve-scripts node, then npm rebuild node) or install a newer Node.js.",
  );
  process.exit(1);
}

function runUnder(runtime) {
  const self = fileURLToPath(import.meta.url);
  const child = spawn(runtime, [...process.execArgv, self, ...process.argv.slice(2)], { stdio: "inherit" });

  // A terminal sends Ctrl-C to both processes; passing it on as well would look like a second, impatient one.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on("SIGINT", () => {
    if (!atTerminal) child.kill("SIGINT");
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

  child.on("error", (error) => {
    console.error(`docmill could not start ${runtime}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
