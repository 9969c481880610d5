/**
 * A real Chromium that needs nothing but what npm installs: the browser, the libraries a bare Linux lacks and its fonts
 * come packed in a package and are unpacked once, beside the other caches of node_modules. Elsewhere than on Linux with
 * an x64 processor the Chrome of the machine is used.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const unpackMain = fileURLToPath(new URL("unpack-chromium-main.ts", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/docmill-chromium", import.meta.url));

export async function launchChromium(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return chromium.launch({ channel: "chrome" });
  const folder = await unpackOnce();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    // Containers run tests as root, where Chromium's sandbox does not work; its pages are our own.
    args: ["--no-sandbox"],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_PATH: folder,
    },
  });
}

/** Processes that come at the same time unpack each for itself; the first to be done is the one whose folder counts. */
async function unpackOnce(): Promise<string> {
  const packed = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const { version } = JSON.parse(await readFile(join(packed, "../../package.json"), "utf8"));
  const folder = join(cache, version);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "unpacking-"));
  try {
    // The package unpacks into the folder for temporary files; the browser's own must stay where they are.
    await promisify(execFile)(process.execPath, [unpackMain], { env: { ...process.env, TMPDIR: staging } });
    await writeFile(join(staging, "fonts.conf"), fontSettings(folder));
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The packed font first, so that pages look the same everywhere; the machine's own for letters that it lacks. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(cache, "fonts")}</cachedir>
  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
}
