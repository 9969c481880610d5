/** Builds the web UI into `web/dist`, every file beside its compressed forms; `npm run dev --workspace web` serves it while it is written. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const server = process.env.DOCMILL_SERVER ?? "http://127.0.0.1:3001";

export default defineConfig({
  root: import.meta.dirname,
  // The server puts a fresh one into every answer.
  html: { cspNonce: "__NONCE__" },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      onLog(level, log, handle) {
        // Libraries mark what is for the browser only; all of this is.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
  plugins: [compressFiles()],
  server: { proxy: { "/api": server, "/admin": server, "/openapi.json": server, "/readyz": server } },
});

/** Compressed once, when built: no request pays for it. */
function compressFiles(): Plugin {
  const compress = { br: promisify(brotliCompress), gz: promisify(gzip) };
  return {
    name: "compress-files",
    apply: "build",
    async writeBundle({ dir = "" }) {
      const files = await readdir(join(dir, "assets"));
      for (const file of files.filter((name) => /\.(js|css|svg)$/.test(name))) {
        const path = join(dir, "assets", file);
        const content = await readFile(path);
        await writeFile(
          `${path}.br`,
          await compress.br(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
        );
        await writeFile(`${path}.gz`, await compress.gz(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
