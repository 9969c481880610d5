/** Servers that mean harm: whatever they answer, a download ends with a code, and in little memory. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { type DownloadOptions, downloadUrl } from "../../src/download/fetch-url.ts";
import { until } from "../support/until.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const maxBytes = 1_000_000;
const readAll = async (url: string, options: Partial<DownloadOptions> = {}) =>
  buffer((await downloadUrl(url, { maxBytes, allow: ["127.0.0.1"], ...options })).body);

const zeros = Buffer.alloc(50 * maxBytes);
const packed = (coding: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ]);

/** What is sent once, what is then sent for ever, and how that ends. */
const floods: [what: string, once: string | Buffer, forEver: string, code: RegExp][] = [
  ["headers without end", "HTTP/1.1 200 OK\r\n", `X-More: ${"x".repeat(1_000)}\r\n`, /^BAD_RESPONSE$/],
  ["one header without end", "HTTP/1.1 200 OK\r\nX-Long: ", "x".repeat(10_000), /^BAD_RESPONSE$/],
  ["a status line without end", "HTTP/1.1 200 ", "O".repeat(10_000), /^(BAD_RESPONSE|TIMEOUT)$/],
  ["interim answers without end", "", "HTTP/1.1 100 Continue\r\n\r\n", /^(TIMEOUT|BAD_RESPONSE)$/],
  ["early hints without end", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", /^(TIMEOUT|BAD_RESPONSE)$/],
  ["a body without end", "HTTP/1.1 200 OK\r\n\r\n", "x".repeat(65_536), /^FILE_TOO_LARGE$/],
  [
    "tiny chunks without end",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "1\r\nx\r\n".repeat(1_000),
    /^FILE_TOO_LARGE$/,
  ],
  [
    "an extension of a chunk without end",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;",
    "x".repeat(10_000),
    /^BAD_RESPONSE$/,
  ],
  [
    "trailers without end",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n",
    `X-More: ${"x".repeat(1_000)}\r\n`,
    /^BAD_RESPONSE$/,
  ],
  [
    "a redirect with a body without end",
    "HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n",
    "x".repeat(65_536),
    /^URL_FORBIDDEN$/,
  ],
  ["an error with a body without end", "HTTP/1.1 404 Not Found\r\n\r\n", "x".repeat(65_536), /^HTTP_404$/],
];

test.each(floods)("%s", async (_what, first, forEver, code) => {
  const { url, sockets } = await serve((socket) => {
    socket.write(first);
    const more = () => {
      while (!socket.destroyed && socket.write(forEver));
    };
    socket.on("drain", more);
    more();
  });
  await expect(readAll(url, { idleMs: 1_000 })).rejects.toMatchObject({ code: expect.stringMatching(code) });
  // Nothing of it stays open.
  await until(() => sockets.every((socket) => socket.destroyed));
});

test.each([
  ["gzip", packed("gzip", gzipSync(zeros))],
  ["gzip in many parts", packed("gzip", Buffer.concat(Array<Buffer>(2_000).fill(gzipSync(Buffer.alloc(1_000)))))],
  ["deflate", packed("deflate", deflateSync(zeros))],
  ["br", packed("br", brotliCompressSync(zeros))],
])("what unpacks from %s to a multiple of its size is stopped at the limit", async (_coding, answer) => {
  expect(answer.length).toBeLessThan(maxBytes);
  const { url } = await serve((socket) => socket.end(answer));
  await expect(readAll(url)).rejects.toMatchObject({ code: "FILE_TOO_LARGE", retryable: false });
});

test.each([
  ["packed twice", packed("gzip, gzip", gzipSync(gzipSync("text"))), "UNSUPPORTED_ENCODING"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "BAD_RESPONSE"],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", "BAD_RESPONSE"],
  [
    "a length and chunks",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
    "BAD_RESPONSE",
  ],
  ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx", "BAD_RESPONSE"],
  ["a length beyond numbers", `HTTP/1.1 200 OK\r\nContent-Length: ${"9".repeat(40)}\r\n\r\nx`, "BAD_RESPONSE"],
  ["a length beyond the limit", "HTTP/1.1 200 OK\r\nContent-Length: 9007199254740993\r\n\r\nx", "FILE_TOO_LARGE"],
  [
    "a chunk beyond numbers",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx",
    "BAD_RESPONSE",
  ],
  ["no HTTP at all", "\0".repeat(100), "BAD_RESPONSE"],
  ["a part instead of the whole", "HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx", "HTTP_206"],
])("%s", async (_what, answer, code) => {
  const { url } = await serve((socket) => socket.end(answer));
  await expect(readAll(url)).rejects.toMatchObject({ code });
});

/** Waits for a request, then does what the test says. */
async function serve(answer: (socket: Socket) => void): Promise<{ url: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}
