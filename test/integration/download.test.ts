/** Downloads from servers on this machine: what comes back, and every limit. */
import { once } from "node:events";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { buffer } from "node:stream/consumers";
import tls from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { type DownloadOptions, downloadUrl } from "../../src/download/fetch-url.ts";
import { makeCertificate } from "../support/self-signed-certificate.ts";
import { until } from "../support/until.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const content = Buffer.from("%PDF-1.7 and so on");
const download = (url: string, options: Partial<DownloadOptions> = {}) =>
  downloadUrl(url, { maxBytes: 1_000_000, allow: ["127.0.0.1"], ...options });
const readAll = async (url: string, options?: Partial<DownloadOptions>) => buffer((await download(url, options)).body);

test("gives the body, where it came from, its type, name and size", async () => {
  const { url, seen } = await serve((_request, response) => {
    response.writeHead(200, {
      "content-type": "application/pdf; x=1",
      "content-length": content.length,
      "content-disposition": 'attachment; filename="Report 1.pdf"',
    });
    response.end(content);
  });
  const result = await download(`${url}/some/path#part`, { accept: "application/pdf" });
  expect(result).toMatchObject({
    finalUrl: `${url}/some/path`,
    contentType: "application/pdf; x=1",
    filename: "Report 1.pdf",
    size: content.length,
  });
  expect(await buffer(result.body)).toEqual(content);
  expect(seen[0]?.headers).toMatchObject({
    accept: "application/pdf",
    "accept-encoding": "identity",
    connection: "close",
  });
});

test("follows redirects, and stops at too many", async () => {
  const { url, seen } = await serve((request, response) => {
    const left = Number(/^\/(\d+)$/.exec(request.url ?? "")?.[1] ?? 0);
    if (left === 0) response.end(content);
    else response.writeHead(302, { location: left === 1 ? utf8("/dé/file.pdf") : `/${left - 1}` }).end();
  });
  const result = await download(`${url}/3`, { maxRedirects: 3 });
  expect(result).toMatchObject({ finalUrl: `${url}/d%C3%A9/file.pdf`, filename: "file.pdf" });
  expect(await buffer(result.body)).toEqual(content);
  seen.length = 0;
  await expect(download(`${url}/4`, { maxRedirects: 3 })).rejects.toMatchObject({
    code: "TOO_MANY_REDIRECTS",
    retryable: false,
  });
  expect(seen).toHaveLength(4);
});

test.each<[status: number, headers: http.OutgoingHttpHeaders, error: object]>([
  [404, {}, { code: "HTTP_404", retryable: false }],
  [410, {}, { code: "HTTP_410", retryable: false }],
  [401, {}, { code: "HTTP_401", retryable: false }],
  [403, {}, { code: "HTTP_403", retryable: false }],
  [304, {}, { code: "HTTP_304", retryable: false }],
  [302, {}, { code: "HTTP_302", retryable: false }],
  [204, {}, { code: "HTTP_204", retryable: false }],
  [429, { "retry-after": "7" }, { code: "RATE_LIMIT", retryable: true, retryAfterMs: 7_000 }],
  [503, { "retry-after": "120" }, { code: "SERVICE_UNAVAILABLE", retryable: true, retryAfterMs: 120_000 }],
  [503, { "retry-after": "soon" }, { code: "SERVICE_UNAVAILABLE", retryAfterMs: undefined }],
  [503, { "retry-after": new Date(0).toUTCString() }, { code: "SERVICE_UNAVAILABLE", retryAfterMs: 0 }],
  [500, {}, { code: "SERVICE_UNAVAILABLE", retryable: true, details: { status: 500 } }],
  [504, {}, { code: "TIMEOUT", retryable: true }],
])("an answer of %i %j is an error", async (status, headers, error) => {
  const { url } = await serve((_request, response) => void response.writeHead(status, headers).end());
  await expect(download(url)).rejects.toMatchObject(error);
});

test("stops a body that is too large, announced or not", async () => {
  const { url, aborted } = await serve((request, response) => {
    if (request.url === "/announced") response.writeHead(200, { "content-length": 5_000_000 });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", more);
    more();
  });
  const tooLarge = { code: "FILE_TOO_LARGE", retryable: false, details: { maxBytes: 1_000_000 } };
  await expect(download(`${url}/announced`)).rejects.toMatchObject(tooLarge);
  await expect(readAll(`${url}/endless`)).rejects.toMatchObject(tooLarge);
  await until(() => aborted() === 2);
});

test("does not read ahead of its reader", async () => {
  let sent = 0;
  const { url } = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    response.on("drain", more);
    more();
  });
  const { body, cancel } = await download(url, { maxBytes: 1e12 });
  let last = -1;
  // The sockets' buffers fill up, and then nothing moves.
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const still = sent === last;
    last = sent;
    return still;
  });
  expect(sent).toBeLessThan(64_000_000);
  for await (const _chunk of body) break;
  cancel();
});

test("a body that nobody reads can be cancelled", async () => {
  const { url, aborted } = await serve((_request, response) => void response.write("a beginning"));
  const { cancel } = await download(url);
  cancel();
  await until(() => aborted() === 1);
});

test("gives up on a server that is silent, before its answer or in the middle of the body", async () => {
  const { url, aborted } = await serve((request, response) => {
    if (request.url === "/body") response.write("a beginning");
  });
  const timeout = { code: "TIMEOUT", retryable: true, message: expect.stringContaining("silent") };
  await expect(download(url, { idleMs: 100 })).rejects.toMatchObject(timeout);
  await expect(readAll(`${url}/body`, { idleMs: 100 })).rejects.toMatchObject(timeout);
  await until(() => aborted() === 2);
});

test("gives up on a body that trickles for longer than the whole may take", async () => {
  const { url, aborted } = await serve((_request, response) => {
    const timer = setInterval(() => response.write("."), 10);
    response.on("close", () => clearInterval(timer));
  });
  await expect(readAll(url, { timeoutMs: 300 })).rejects.toMatchObject({ code: "TIMEOUT", retryable: true });
  // Also when nobody has begun to read.
  await download(url, { timeoutMs: 300 });
  await until(() => aborted() === 2);
});

test("gives up on a name that is not resolved in time", async () => {
  const resolve = () => new Promise<never>(() => undefined);
  await expect(download("http://slow.example/", { idleMs: 100, resolve })).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("ends with the signal's reason at every point", async () => {
  const reason = new Error("the job was cancelled");
  const { url, aborted } = await serve((request, response) => {
    if (request.url === "/body") response.write("a beginning");
  });
  await expect(download(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const waiting = new AbortController();
  const answer = download(url, { signal: waiting.signal });
  setTimeout(() => waiting.abort(reason), 50);
  await expect(answer).rejects.toBe(reason);
  const reading = new AbortController();
  const { body } = await download(`${url}/body`, { signal: reading.signal });
  const read = async () => {
    for await (const _chunk of body) reading.abort(reason);
  };
  await expect(read()).rejects.toBe(reason);
  await until(() => aborted() >= 1);
});

test("a connection that is cut may be tried again, and its error can be recognised", async () => {
  const announced = await serveRaw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this");
  const chunked = await serveRaw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nonly ");
  const packed = await serveRaw(
    Buffer.concat([
      Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Encoding: gzip\r\n\r\n"),
      gzipSync("a file that is cut").subarray(0, 20),
    ]),
  );
  for (const url of [announced, chunked, packed]) {
    await expect(readAll(url)).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      retryable: true,
      cause: expect.objectContaining({ code: "ECONNRESET" }),
    });
  }
  await expect(download(await serveRaw(""))).rejects.toMatchObject({
    code: "NETWORK_ERROR",
    cause: expect.objectContaining({ code: "ECONNRESET" }),
  });
});

test("a length that is too small cuts the body there, and one that is no number is refused", async () => {
  const { body } = await download(await serveRaw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour and more"));
  // What follows belongs to no answer; whether it is noticed depends on when it arrives.
  const seen = await buffer(body).catch((error: Error) => error);
  if (Buffer.isBuffer(seen)) expect(seen.toString()).toBe("four");
  else expect(seen).toMatchObject({ code: expect.stringMatching(/^(BAD_RESPONSE|NETWORK_ERROR)$/) });
  for (const answer of ["HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nx", "SSH-2.0-server\r\n"]) {
    await expect(download(await serveRaw(answer))).rejects.toMatchObject({ code: "BAD_RESPONSE", retryable: false });
  }
});

test("a host that is not there may be tried again", async () => {
  const { url } = await serve(() => undefined);
  await opened.pop()?.close();
  await expect(download(url)).rejects.toMatchObject({
    code: "NETWORK_ERROR",
    retryable: true,
    cause: expect.objectContaining({ code: "ECONNREFUSED" }),
  });
  const resolve = async () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
  await expect(download("http://nowhere.example/", { resolve })).rejects.toMatchObject({
    code: "NETWORK_ERROR",
    cause: expect.objectContaining({ code: "ENOTFOUND" }),
  });
});

test("tries the next address when the first does not answer", async () => {
  const { url, port } = await serve((_request, response) => void response.end(content));
  const resolve = async () => [
    { address: "127.0.0.2", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  expect(url).toContain("127.0.0.1");
  const body = await readAll(`http://two.example:${port}/`, { allow: ["two.example"], resolve });
  expect(body).toEqual(content);
});

test("unpacks what was packed all the same, and the limit counts what comes out", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const packed: Record<string, [coding: string, body: Buffer]> = {
    "/gzip": ["gzip", gzipSync(content)],
    "/deflate": ["deflate", deflateSync(content)],
    "/br": ["br", brotliCompressSync(content)],
    "/bomb": ["gzip", bomb],
    "/damaged": ["gzip", Buffer.concat([gzipSync(content).subarray(0, 12), Buffer.alloc(20, 0xff)])],
    "/short": ["gzip", gzipSync(content).subarray(0, 20)],
    "/unknown": ["zstd", content],
  };
  const { url } = await serve((request, response) => {
    const [coding, body] = packed[request.url ?? ""] ?? ["identity", content];
    response.writeHead(200, { "content-encoding": coding, "content-length": body.length }).end(body);
  });
  for (const coding of ["gzip", "deflate", "br", "identity"]) {
    expect(await readAll(`${url}/${coding}`)).toEqual(content);
  }
  expect((await download(`${url}/gzip`)).size).toBeUndefined();
  expect(bomb.length).toBeLessThan(1_000_000);
  await expect(readAll(`${url}/bomb`)).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
  await expect(readAll(`${url}/damaged`)).rejects.toMatchObject({ code: "BAD_RESPONSE", retryable: false });
  await expect(readAll(`${url}/short`)).rejects.toMatchObject({ code: "BAD_RESPONSE" });
  await expect(download(`${url}/unknown`)).rejects.toMatchObject({ code: "UNSUPPORTED_ENCODING", retryable: false });
});

test("https is verified, and never left for http", async () => {
  const certificate = makeCertificate();
  const server = https.createServer(certificate, (request, response) => {
    if (request.url === "/down") response.writeHead(302, { location: "http://localhost/" }).end();
    else response.end(content);
  });
  const port = await open(server, (done) => {
    server.close(done);
    server.closeAllConnections();
  });
  const url = `https://localhost:${port}`;
  await expect(download(url, { allow: ["localhost"] })).rejects.toMatchObject({ code: "TLS_ERROR", retryable: false });
  const trusted = tls.getCACertificates("default");
  tls.setDefaultCACertificates([certificate.cert]);
  try {
    expect(await readAll(url, { allow: ["localhost"] })).toEqual(content);
    await expect(download(`${url}/down`, { allow: ["localhost"] })).rejects.toMatchObject({ code: "URL_FORBIDDEN" });
    // The certificate is for another name.
    await expect(download(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "TLS_ERROR" });
  } finally {
    tls.setDefaultCACertificates(trusted);
  }
});

/** A header with the bytes of UTF-8, as servers send it. */
function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

async function serve(listener: RequestListener) {
  const seen: http.IncomingMessage[] = [];
  let aborted = 0;
  const server = http.createServer((request, response) => {
    seen.push(request);
    response.on("close", () => {
      if (!response.writableFinished) aborted += 1;
    });
    listener(request, response);
  });
  const port = await open(server, (done) => {
    server.close(done);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}`, port, seen, aborted: () => aborted };
}

/** Answers every connection with these bytes and closes it. */
async function serveRaw(answer: string | Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  return `http://127.0.0.1:${await open(server, (done) => server.close(done))}`;
}

async function open(server: Server, close: (done: () => void) => void): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({ close: () => new Promise<void>((resolve) => close(resolve)) });
  return (server.address() as AddressInfo).port;
}
