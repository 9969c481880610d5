/** Heat sheets are found on a page that is fetched under the guard, and every way to fail has its code. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DiscoverOptions, discoverSheets } from "../../src/pipelines/heats/discover-sheets.ts";
import { until } from "../support/until.ts";

let server: http.Server;
let host: string;
let answer: http.RequestListener;
let connections: number;
let everConnected: boolean;

beforeEach(async () => {
  connections = 0;
  everConnected = false;
  server = http.createServer((request, response) => answer(request, response));
  server.on("connection", (socket) => {
    connections += 1;
    everConnected = true;
    socket.on("close", () => {
      connections -= 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function serve(body: string | Buffer, headers: http.OutgoingHttpHeaders = { "content-type": "text/html" }): void {
  answer = (_request, response) => response.writeHead(200, headers).end(body);
}

function discover(path: string, options: Partial<DiscoverOptions> = {}) {
  return discoverSheets(`http://${host}${path}`, { allow: [host], timeoutMs: 20_000, ...options });
}

const link = `<a href="heats.pdf">Heat sheet</a>`;

test("finds the sheets of a page, likely ones first", async () => {
  serve(`<ul><li><a href="/map.pdf">Map</a><li><a href="heats.pdf#page=2">Heat sheet</a></ul>`);
  expect(await discover("/meets/summer")).toEqual([
    { url: `http://${host}/meets/heats.pdf`, title: "Heat sheet" },
    { url: `http://${host}/map.pdf`, title: "Map" },
  ]);
});

test("relative links lead from where the page was found in the end", async () => {
  answer = ({ url }, response) => {
    if (url === "/old") response.writeHead(302, { location: "/new/page" }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end(link);
  };
  expect(await discover("/old")).toEqual([{ url: `http://${host}/new/heats.pdf`, title: "Heat sheet" }]);
});

test.each([
  ["the server's word", "text/html; charset=iso-8859-1", `<meta charset="utf-8">`, "latin1"],
  ["the page's word", "text/html", `<meta charset="iso-8859-1">`, "latin1"],
  ["a wrong word of the server", "text/html; charset=utf-8", `<meta charset="iso-8859-1">`, "latin1"],
  ["an unknown word of the server", "text/html; charset=x-nothing", "", "utf8"],
  ["no word", "text/html", "", "utf8"],
  ["a mark", "text/html", "\ufeff", "utf16le"],
] as const)("reads the page by %s", async (_name, contentType, declaration, encoding) => {
  serve(Buffer.from(`${declaration}<a href="a.pdf">Läufe für März</a>`, encoding), { "content-type": contentType });
  expect((await discover("/")).map(({ title }) => title)).toEqual(["Läufe für März"]);
});

test.each([
  ["its type", "application/pdf", "anything"],
  ["its first bytes", "application/octet-stream", "%PDF-1.7\nrest"],
  ["its first bytes after a blank", "text/html", "\n%PDF-1.7\nrest"],
])("an address that is a PDF itself, by %s, is the answer", async (_name, contentType, body) => {
  serve(body, { "content-type": contentType });
  expect(await discover("/files/Saturday%20heats.pdf?v=1#page=2")).toEqual([
    { url: `http://${host}/files/Saturday%20heats.pdf?v=1`, title: "Saturday heats.pdf" },
  ]);
});

test("a PDF of any size is not read", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": 2 ** 40, "content-disposition": 'attachment; filename="heats.pdf"' });
    response.write("%PDF-1.7\n");
  };
  expect(await discover("/get")).toEqual([{ url: `http://${host}/get`, title: "heats.pdf" }]);
  await until(() => connections === 0);
});

test("a page that only speaks of PDF files is still a page", async () => {
  serve(`<p>Files begin with %PDF-1.7</p>${link}`);
  expect(await discover("/")).toEqual([{ url: `http://${host}/heats.pdf`, title: "Heat sheet" }]);
});

test("a page without PDF files", async () => {
  serve(`<a href="/contact">Contact</a>`);
  await expect(discover("/")).rejects.toMatchObject({ code: "NO_PDFS_FOUND", retryable: false });
});

test("a page of up to 5 MB is read", async () => {
  serve(" ".repeat(5 * 2 ** 20 - link.length) + link);
  expect(await discover("/")).toHaveLength(1);
});

test("a larger page is refused, and no more of it is read", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const more = () => {
      while (response.write(link.repeat(1_000)));
    };
    response.on("drain", more);
    more();
  };
  await expect(discover("/")).rejects.toMatchObject({ code: "PAGE_TOO_LARGE", retryable: false });
  await until(() => connections === 0);
});

test.each([
  "",
  "meets.example.org",
  "ftp://meets.example.org/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "http://[",
])("%j is no address of a page", async (url) => {
  const options = { allow: [], timeoutMs: 20_000 };
  await expect(discoverSheets(url, options)).rejects.toMatchObject({ code: "INVALID_URL", retryable: false });
});

test("an address that only this machine can see is blocked", async () => {
  serve(link);
  await expect(discover("/", { allow: [] })).rejects.toMatchObject({ code: "BLOCKED_URL", retryable: false });
  await expect(
    discoverSheets("http://169.254.169.254/latest", { allow: [host], timeoutMs: 20_000 }),
  ).rejects.toMatchObject({ code: "BLOCKED_URL" });
  expect(everConnected).toBe(false);
});

test("so is one that redirects there", async () => {
  answer = (_request, response) => response.writeHead(302, { location: "http://127.0.0.2/" }).end();
  await expect(discover("/")).rejects.toMatchObject({ code: "BLOCKED_URL" });
});

test.each([
  ["is not there", 404, false],
  ["is broken", 500, true],
])("a page that %s", async (_name, status, retryable) => {
  answer = (_request, response) => response.writeHead(status).end(link);
  const failed = { code: "FETCH_FAILED", retryable, message: expect.stringContaining(`The server answered ${status}`) };
  await expect(discover("/")).rejects.toMatchObject(failed);
});

test("a page that breaks off, redirects for ever, or never comes", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": 1_000 });
    response.write(link, () => response.destroy());
  };
  await expect(discover("/")).rejects.toMatchObject({ code: "FETCH_FAILED", retryable: true });
  answer = (_request, response) => response.writeHead(302, { location: "/" }).end();
  await expect(discover("/")).rejects.toMatchObject({ code: "FETCH_FAILED", retryable: false });
  answer = () => undefined;
  await expect(discover("/", { timeoutMs: 150 })).rejects.toMatchObject({ code: "FETCH_FAILED", retryable: true });
});

test("an abort ends it with its own reason", async () => {
  const controller = new AbortController();
  answer = (_request, response) => {
    response.writeHead(200);
    response.write(link, () => controller.abort(new Error("enough")));
  };
  await expect(discover("/", { signal: controller.signal })).rejects.toThrow("enough");
  await until(() => connections === 0);
});
