/** Keeps a package from being packed without what users install it for. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const needed = [
  "dist/index.js",
  "web/dist/index.html",
  "web/dist/docs.html",
  "dist/client/index.js",
  "samples/manifest.json",
];
const missing = needed.filter((file) => !existsSync(join(import.meta.dirname, "..", file)));
if (missing.length > 0) {
  console.error(`Not built: ${missing.join(", ")}. Run npm ci and npm run build first.`);
  process.exitCode = 1;
}
