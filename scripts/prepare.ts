/**
 * Builds what a checkout lacks, at the end of `npm ci` and before `npm pack`. Where the tools of the build are not installed
 * (`npm ci --omit=dev`) there is nothing to build and nothing to complain of.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const tools = ["typescript", "vite", "pdfkit"];

if (tools.every((tool) => existsSync(join(root, "node_modules", tool)))) {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error("npm runs this; by hand it is npm run build");
  execFileSync(process.execPath, [npm, "run", "--silent", "build"], { cwd: root, stdio: "inherit" });
} else console.log("docmill: not built, because development dependencies are not installed");
