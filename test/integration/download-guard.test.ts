/** No URL, name or redirect leads a download to what only this machine or its network can see. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DownloadOptions, downloadUrl } from "../../src/download/fetch-url.ts";

/** What must not be reached: it notes every connection. */
let server: http.Server;
let port: number;
let connections = 0;
let location = "";
beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location }).end();
    else response.end("secret");
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const forbidden = { name: "TerminalError", code: "URL_FORBIDDEN", retryable: false };
const download = (url: string, options: Partial<DownloadOptions> = {}) =>
  downloadUrl(url, { maxBytes: 1_000, timeoutMs: 20_000, ...options });
const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

test.each([
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "１２７.0.0.1",
  "127。0。0。1",
  "0",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::8.8.8.8]",
  "[2002:7f00:1::]",
  "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "localhost",
  "LOCALHOST",
])("http://%s/ is refused", async (host) => {
  await expect(download(`http://${host}/`)).rejects.toMatchObject(forbidden);
  await expect(download(`http://${host}:${port}/`)).rejects.toMatchObject(forbidden);
  expect(connections).toBe(0);
});

test.each([
  "ftp://files.example/a",
  "file:///etc/passwd",
  "data:text/plain,hello",
  "gopher://files.example/",
  "javascript:alert(1)",
  "http://user@files.example/",
  "http://user:word@files.example/",
  "http://files.example:22/",
  "http://files.example:8080/",
  "https://files.example:8443/",
])("%s is refused", async (url) => {
  await expect(download(url, { resolve: resolveTo("1.1.1.1") })).rejects.toMatchObject(forbidden);
});

test.each(["", "nonsense", "http://", "http://a b/", "http://[::1", "http://1.2.3.4.5/", "//files.example/"])(
  "%j is no URL",
  async (url) => {
    await expect(download(url)).rejects.toMatchObject({ code: "INVALID_URL", retryable: false });
  },
);

test.each([
  ["127.0.0.1"],
  ["10.1.2.3"],
  ["1.1.1.1", "127.0.0.1"],
  ["2606:4700::1111", "::1"],
  ["::ffff:127.0.0.1"],
  ["64:ff9b::7f00:1"],
  ["fe80::1%eth0"],
  ["169.254.169.254"],
])("a name that leads to %s %s is refused", async (...addresses) => {
  const failure: Error = await download("http://innocent.example/", { resolve: resolveTo(...addresses) }).then(
    () => new Error("it was fetched"),
    (error: Error) => error,
  );
  expect(failure).toMatchObject(forbidden);
  // Whoever asks must not learn what is inside from the answer.
  for (const address of addresses) expect(failure.message).not.toContain(address);
});

test("a name that leads elsewhere the second time is resolved only once", async () => {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    // Allowed below, and nobody is there: the network does not know it.
    return [{ address: asked === 1 ? "192.0.2.1" : "127.0.0.1", family: 4 }];
  };
  const rebinding = download(`http://rebinding.example:${port}/`, {
    resolve,
    allow: ["192.0.2.1"],
    timeoutMs: 1_000,
  });
  await expect(rebinding).rejects.toMatchObject({ code: expect.stringMatching(/^(NETWORK_ERROR|TIMEOUT)$/) });
  expect(asked).toBe(1);
  expect(connections).toBe(0);
});

test("a name that changes between two hops is checked again", async () => {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
  };
  location = `http://rebinding.example:${port}/`;
  const rebinding = download(`http://rebinding.example:${port}/redirect`, { resolve, allow: [`127.0.0.1:${port}`] });
  await expect(rebinding).rejects.toMatchObject(forbidden);
  expect(asked).toBe(2);
  expect(connections).toBe(1);
});

test.each([
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "//127.0.0.2/",
  "http://[::1]/",
  "file:///etc/passwd",
])("a redirect to %s is refused", async (target) => {
  location = target;
  const start = `http://127.0.0.1:${port}/redirect`;
  const failure = download(start, { allow: [`127.0.0.1:${port}`] });
  await expect(failure).rejects.toMatchObject(forbidden);
  await expect(failure).rejects.not.toThrow(/10\.0\.0\.1|169\.254|127\.0\.0\.2|passwd/);
  expect(connections).toBe(1);
});

test("what is allowed is fetched: a host, a host with a port, a range", async () => {
  for (const entry of [
    "innocent.example",
    `innocent.example:${port}`,
    "127.0.0.0/8",
    "127.0.0.1",
    `127.0.0.1:${port}`,
  ]) {
    const { body } = await download(`http://innocent.example:${port}/`, {
      allow: [entry],
      resolve: resolveTo("127.0.0.1"),
    });
    expect((await buffer(body)).toString()).toBe("secret");
  }
  expect(connections).toBe(5);
  for (const entry of ["other.example", "innocent.example:80", "10.0.0.0/8", "127.0.0.1:80", "[::1]"]) {
    const refused = download(`http://innocent.example:${port}/`, { allow: [entry], resolve: resolveTo("127.0.0.1") });
    await expect(refused).rejects.toMatchObject(forbidden);
  }
  expect(connections).toBe(5);
});
