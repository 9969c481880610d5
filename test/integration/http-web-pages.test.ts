/** The web UI as the server gives it to browsers: files for ever, the page fresh, and nothing from outside its folder. */
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpPlace, openHttpPlace } from "../support/http-place.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";

const script = "console.log('the whole UI');\n".repeat(100);
const page =
  '<!doctype html><title>Docmill</title><meta property="csp-nonce" nonce="__NONCE__"><script src="/assets/app-1a2B_-3.js" nonce="__NONCE__"></script>';
const icon = "<svg xmlns='http://www.w3.org/2000/svg'/>";

let folder: string;
let place: HttpPlace;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  const dist = join(folder, "dist");
  await mkdir(join(dist, "assets", "folder.js"), { recursive: true });
  const files: Record<string, string | Buffer> = {
    "index.html": page,
    "favicon.svg": icon,
    ".hidden.json": "{}",
    "assets/app-1a2B_-3.js": script,
    "assets/app-1a2B_-3.js.br": brotliCompressSync(script),
    "assets/app-1a2B_-3.js.gz": gzipSync(script),
    "assets/style-x.css": "body { margin: 0 }",
    "../secret.json": "{}",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dist, name), content);
  place = await openHttpPlace({ webFolder: dist });
});
afterAll(async () => {
  await place.close();
  await removeTemporaryFolder(folder);
});

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("the page", () => {
  it("is there under every address a browser may stand at, never kept, with a nonce of its own each time", async () => {
    const nonces = new Set<string>();
    const paths = ["/", "/index.html", "/documents", "/jobs/0198/", "/batches/%00", "/%E0%A4%A", "/caf%C3%A9", "//x"];
    for (const path of paths) {
      const { status, headers, body } = await place.ask(path, { headers: browser });
      expect([path, status, headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
      expect(headers.get("content-type")).toMatch(/^text\/html; charset=utf-8$/i);
      const [, nonce] = /nonce="([\w-]{22})"/.exec(body) ?? [];
      expect(body).toBe(page.replaceAll("__NONCE__", String(nonce)));
      expect(headers.get("content-security-policy")).toContain(`; style-src 'self' 'nonce-${nonce}'; img-src`);
      nonces.add(String(nonce));
    }
    expect(nonces.size).toBe(paths.length);
  });

  it("is there for clients that take anything, and for those that only look whether it is", async () => {
    expect((await place.ask("/jobs")).status).toBe(200);
    const head = await place.ask("/jobs", { method: "HEAD", headers: browser });
    expect([head.status, head.body, head.headers.get("cache-control")]).toEqual([200, "", "no-store"]);
  });

  it("is not what programs get for a path that is none", async () => {
    for (const path of ["/api", "/api/nothing", "/admin/nothing", "/metrics", "/docs/x", "/healthz/x"]) {
      const { status, headers } = await place.ask(path, { headers: browser });
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get("content-type")).toContain("application/json");
    }
    const json = await place.ask("/jobs", { headers: { accept: "application/json" } });
    expect([json.status, json.body.error]).toEqual([404, "NOT_FOUND"]);
    expect((await place.ask("/documents", { method: "POST", headers: browser })).status).toBe(404);
  });
});

describe("a file of the build", () => {
  const asset = "/assets/app-1a2B_-3.js";

  it.each([
    ["br", "gzip, deflate, br, zstd"],
    ["gzip", "gzip, br;q=0"],
    [null, "identity"],
  ])("comes as %s to who takes %s, and may be kept for ever", async (encoding, accepted) => {
    const { status, headers, body } = await place.ask(asset, { headers: { "accept-encoding": accepted } });
    expect([status, body]).toEqual([200, script]);
    expect(headers.get("content-encoding")).toBe(encoding);
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("vary")).toBe("accept-encoding");
  });

  it("comes as it is where there is no compressed one", async () => {
    const { headers, body } = await place.ask("/assets/style-x.css", { headers: { "accept-encoding": "br, gzip" } });
    expect([headers.get("content-encoding"), headers.get("content-type"), body]).toEqual([
      null,
      "text/css; charset=utf-8",
      "body { margin: 0 }",
    ]);
  });

  it("outside of assets is asked for again each time, and sent only when it has changed", async () => {
    const first = await place.ask("/favicon.svg");
    expect([first.status, first.headers.get("cache-control"), first.body]).toEqual([200, "no-cache", icon]);
    expect(first.headers.get("content-type")).toBe("image/svg+xml");
    const etag = first.headers.get("etag") as string;
    const again = await place.ask("/favicon.svg", { headers: { "if-none-match": `"other", W/${etag}` } });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, "", etag]);
  });

  it("that is not there is a 404 in JSON", async () => {
    const names = ["/assets/app-old.js", "/assets/app", "/assets/", "/assets/folder.js", "/robots.txt", "/a.b/c.png"];
    for (const path of [...names, "/assets/app-1a2B_-3.js.br", "/assets/__proto__", `/${"x".repeat(5_000)}.js`]) {
      const { status, body } = await place.ask(path, { headers: browser });
      expect([path, status, body.error]).toEqual([path, 404, "NOT_FOUND"]);
    }
  });
});

it("nothing outside of the folder is ever read, however the path is written", async () => {
  const paths = [
    "/../secret.json",
    "/assets/../../secret.json",
    "/%2e%2e/secret.json",
    "/..%2fsecret.json",
    "/assets/..%2f..%2fsecret.json",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.json",
    "/..%5csecret.json",
    "/..\\secret.json",
    "/%252e%252e%252fsecret.json",
    "/assets/%00.js",
    "/favicon.svg%00.js",
    "/.hidden.json",
    "/assets//app-1a2B_-3.js",
    "/%ff%fe.js",
    "//secret.json",
  ];
  for (const path of paths) expect([path, await askRaw(path)]).toEqual([path, expect.stringMatching(/^HTTP\/1.1 4/)]);
});

/** As no client that cleans its urls would ask. */
function askRaw(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(place.server.port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject).on("end", () => resolve(answer));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);
  });
}

it("no answer may be framed, sniffed, or run scripts from elsewhere", async () => {
  const paths = ["/", "/assets/app-1a2B_-3.js", "/favicon.svg", "/api/jobs", "/api/nothing", "/nothing.js"];
  for (const path of paths) {
    const { headers } = await place.ask(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

it("a checkout that was not built says so, and has its API", async () => {
  await using unbuilt = await openHttpPlace({ webFolder: join(folder, "nowhere") });
  const { status, headers, body } = await unbuilt.ask("/jobs", { headers: browser });
  expect([status, headers.get("cache-control")]).toEqual([503, "no-store"]);
  expect(headers.get("content-type")).toMatch(/^text\/html/);
  expect(body).toContain("npm run build");
  expect((await unbuilt.ask("/assets/app.js")).status).toBe(404);
  expect((await unbuilt.ask("/api/jobs")).status).toBe(200);
});
