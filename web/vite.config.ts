/** Builds the web UI into `web/dist`, every file beside its compressed forms; `npm run dev --workspace web` serves it while it is written. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const server = process.env.DOCMILL_SERVER ?? "http://127.0.0.1:3001";

/** What the page at /docs is made with. */
const swaggerUi = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: { "#swagger-ui": swaggerUi } },
  // The server puts a fresh one into every answer.
  html: { cspNonce: "__NONCE__" },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // Swagger UI, which only /docs loads, is one file.
    chunkSizeWarningLimit: 1_600,
    rolldownOptions: {
      // The web UI, and the description of the API at /docs.
      input: ["index.html", "docs.html"].map((page) => join(import.meta.dirname, page)),
      onLog(level, log, handle) {
        // Libraries mark what is for the browser only; all of this is.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
      },
    },
  },
  plugins: [keepLicences(), compressFiles()],
  server: { proxy: { "/api": server, "/admin": server, "/openapi.json": server, "/readyz": server } },
});

/** The build drops the comments in which Swagger UI names its licence and those of what it is made of. */
function keepLicences(): Plugin {
  return {
    name: "keep-licences",
    apply: "build",
    async generateBundle() {
      const files = ["NOTICE", "LICENSE", "swagger-ui-es-bundle.js.LICENSE.txt"];
      const texts = await Promise.all(files.map((file) => readFile(join(swaggerUi, file), "utf8")));
      this.emitFile({ type: "asset", fileName: "docs-licences.txt", source: texts.join("\n\n") });
    },
  };
}

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
