/**
 * Serves the built web UI. A path that names a file of the build is answered with that file, any other that a browser
 * may stand at with the page itself; what is no plain name never reaches the file system.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "hono";
import { isKnown } from "./etag.ts";
import { describeOnly } from "./operation-route.ts";
import type { App } from "./routing.ts";
import { securityHeaders } from "./security-headers.ts";
import { takes } from "./takes.ts";

export const builtWebFolder = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Files of other kinds are not served: neither the compressed variants by their own names, nor what a build leaves behind. */
const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  map: "application/json",
  mjs: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** In the order of preference: the smaller first. */
const encodings = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
];

/** Plain names without a dot in front: no parent folder, no hidden file, nothing encoded. */
const plainPath = /^(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/;
/** What is the API's, now or later: an unknown path among these is a mistake of a program, not a page. */
const notPages = /^\/(api|admin|openapi\.json|healthz|readyz|metrics|docs)(\/|$)/;

/** Goes after all other routes. */
export function webPages(app: App, folder: string): void {
  describeOnly(app, "showApiDescription");
  app.get("/docs", (c) => sendPage(c, folder, "/docs.html"));
  app.get("*", (c) => {
    const { path } = c.req;
    if (notPages.test(path)) return c.notFound();
    if (path.startsWith("/assets/")) return sendAsset(c, folder);
    if (path === "/index.html" || !isFileName(path)) return sendPage(c, folder);
    return sendFile(c, folder);
  });
}

function isFileName(path: string): boolean {
  return path.slice(path.lastIndexOf("/")).includes(".");
}

/** The build puts a hash of the content into the name: what was fetched once stays right for ever. */
async function sendAsset(c: Context, folder: string): Promise<Response> {
  const contentType = typeOf(c.req.path);
  if (contentType === undefined) return c.notFound();
  const headers = {
    "content-type": contentType,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  };
  const accepted = c.req.header("accept-encoding") ?? "";
  for (const { name, extension } of encodings) {
    const compressed = takes(accepted, name) && (await findFile(folder, c.req.path + extension));
    if (compressed) return c.body(compressed, 200, { ...headers, "content-encoding": name });
  }
  const bytes = await findFile(folder, c.req.path);
  return bytes ? c.body(bytes, 200, headers) : c.notFound();
}

async function sendFile(c: Context, folder: string): Promise<Response> {
  const contentType = typeOf(c.req.path);
  const bytes = contentType && (await findFile(folder, c.req.path));
  if (!bytes) return c.notFound();
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  const headers = { "content-type": contentType, "cache-control": "no-cache", etag };
  if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  return c.body(bytes, 200, headers);
}

async function sendPage(c: Context, folder: string, name = "/index.html"): Promise<Response> {
  // A client that says nothing takes anything.
  if (!takes(c.req.header("accept") || "*/*", "text/html")) return c.notFound();
  const page = await findFile(folder, name);
  c.header("cache-control", "no-store");
  if (!page) return c.html(notBuilt, 503);
  // Libraries that add styles of their own name it; whatever else gets into the page cannot know it.
  const nonce = randomBytes(16).toString("base64url");
  c.header("content-security-policy", allowStyles(nonce));
  return c.html(new TextDecoder().decode(page).replaceAll("__NONCE__", nonce));
}

function allowStyles(nonce: string): string {
  const policy = securityHeaders["content-security-policy"] as string;
  return policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`);
}

function typeOf(path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined;
}

/** What it means that there is no such file, a name that is too long included. */
const missing = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"]);

async function findFile(folder: string, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!plainPath.test(path)) return undefined;
  try {
    return await readFile(join(folder, path));
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Docmill</title></head>
<body>
<h1>The web UI has not been built</h1>
<p>Run <code>npm run build</code> in the folder of Docmill, then load this page again.</p>
<p>The API works without it: <a href="/openapi.json">/openapi.json</a> describes it.</p>
</body>
</html>
`;
