/** No URL, name or redirect leads a download to what only this machine or its network can see. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DownloadOptions, downloadUrl } from "../../src/download/fetch-url.ts";

/** What must not be reached: it notes every connection. */
let server: http.Server;
let port: number;
let connections = 0;
let location = "";
let status = 302;
beforeAll(async () => {
  server = http.createServer((request, response) => {
    if (request.url === "/redirect") response.writeHead(status, { location }).end();
    else if (request.url === "/refresh") {
      response.writeHead(200, { refresh: `0; url=http://127.0.0.1:${port}/`, link: "</>; rel=preload" });
      response.end('<meta http-equiv="refresh" content="0; url=/">');
    } else response.end("secret");
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
  status = 302;
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

/** One address of every range, and every way to write one of them that a parser of URLs takes for it. */
const insideHosts = [
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
  "0.1.2.3",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.51.100.1",
  "203.0.113.1",
  "239.255.255.255",
  "240.0.0.1",
  "168.63.129.16",
  "100.100.100.200",
  "0x7F.0x0.0x0.0x1",
  "0x0000007f.0.0.1",
  "0177.0.0.01",
  "127.0.0.0x1",
  "127.65530",
  "%31%32%37.0.0.1",
  "①②⑦.⓪.⓪.①",
  "127．0．0．1",
  "127｡0｡0｡1",
  "127.0.0.1\u00ad",
  "2852039166",
  "0xa9fea9fe",
  "169.254.43518",
  "[::ffff:169.254.169.254]",
  "[::ffff:a9fe:a9fe]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "[::ffff:0:127.0.0.1]",
  "[::ffff:8.8.8.8]",
  "[64:ff9b:1::1]",
  "[100::1]",
  "[2001:2::1]",
  "[2001:db8::1]",
  "[2002:a9fe:a9fe::1]",
  "[2002:808:808::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[FD00::1]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[4000::1]",
  "localhost",
  "LOCALHOST",
];

test.each(insideHosts)("http://%s/ is refused", async (host) => {
  await expect(download(`http://${host}/`)).rejects.toMatchObject(forbidden);
  await expect(download(`HTTPS://${host}/`)).rejects.toMatchObject(forbidden);
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
  "HTTP://user:@files.example/",
  "http://:word@files.example/",
  "http://user%40name:word@files.example/",
  "http://files.example@127.0.0.1/",
  "FILE:///etc/passwd",
  "ws://files.example/",
  "blob:http://files.example/a",
  "view-source:http://files.example/",
  "http://files.example:0/",
  "http://files.example:65535/",
  "http://files.example:22/",
  "http://files.example:8080/",
  "https://files.example:8443/",
])("%s is refused", async (url) => {
  await expect(download(url, { resolve: resolveTo("1.1.1.1") })).rejects.toMatchObject(forbidden);
});

/** What other parsers read in another way, and ours as the machine it stands on. */
test.each([
  "http:127.0.0.1",
  "http:/127.0.0.1",
  "http:\\\\127.0.0.1",
  "http:///127.0.0.1",
  "http://127.0.0.1\\@files.example/",
  "http://127.0.0.1#@files.example/",
  "http://127.0.0.1?@files.example/",
  "http://@127.0.0.1/",
  "ht\ntp://127.0.0.1/",
  " http://127.0.0.1/ ",
  "http://127.0.0.1:80/%0d%0aHost:%20files.example/",
])("%j is refused, however it is read", async (url) => {
  await expect(download(url, { resolve: resolveTo("1.1.1.1") })).rejects.toMatchObject(forbidden);
});

test.each([
  "",
  "nonsense",
  "http://",
  "http://a b/",
  "http://[::1",
  "http://1.2.3.4.5/",
  "//files.example/",
  "http://[fe80::1%eth0]/",
  "http://[fe80::1%25eth0]/",
  "http://256.256.256.256/",
  "http://4294967296/",
  "http://0x100000000/",
  "http://127.0.0.1.1/",
  "http://[127.0.0.1]/",
  "http://[::127.0.0.1.1]/",
  "http://files.example:65536/",
  "http://files.example:80:80/",
  "http://files.example%00/",
])("%j is no URL", async (url) => {
  await expect(download(url)).rejects.toMatchObject({ code: "INVALID_URL", retryable: false });
});

test.each([
  ["127.0.0.1"],
  ["10.1.2.3"],
  ["1.1.1.1", "127.0.0.1"],
  ["2606:4700::1111", "::1"],
  ["::ffff:127.0.0.1"],
  ["64:ff9b::7f00:1"],
  ["fe80::1%eth0"],
  ["169.254.169.254"],
  ["0.0.0.0"],
  ["::"],
  ["1.1.1.1", "8.8.8.8", "192.168.0.1"],
  ["2606:4700::1111", "1.1.1.1", "fd00::1"],
  ["64:ff9b::a9fe:a9fe"],
  ["64:ff9b:1::808:808"],
  ["2002:7f00:1::"],
  ["fe80::1%1"],
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

test("two downloads from one name share no connection, and each is checked", async () => {
  const allow = [`127.0.0.1:${port}`];
  const url = `http://kept-alive.example:${port}/`;
  const first = await download(url, { allow, resolve: resolveTo("127.0.0.1") });
  expect((await buffer(first.body)).toString()).toBe("secret");
  await expect(download(url, { allow, resolve: resolveTo("127.0.0.2") })).rejects.toMatchObject(forbidden);
  const third = await download(url, { allow, resolve: resolveTo("127.0.0.1") });
  await buffer(third.body);
  expect(connections).toBe(2);
});

test("proxies that the environment names are not asked: they would connect to what was never checked", async () => {
  const module = new URL("../../src/download/fetch-url.ts", import.meta.url).href;
  const script = `
    const { downloadUrl } = await import(${JSON.stringify(module)});
    const { body } = await downloadUrl("http://127.0.0.1:${port}/", { maxBytes: 100, allow: ["127.0.0.1"] });
    for await (const part of body) process.stdout.write(part);`;
  // Nobody listens there: who asks the proxy fails.
  const proxy = "http://127.0.0.1:9";
  const env = {
    ...Object.fromEntries(["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"].map((name) => [name, proxy])),
    NODE_USE_ENV_PROXY: "1",
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  expect(stdout).toBe("secret");
  expect(connections).toBe(1);
});

test("a page that sends its reader elsewhere by other means than a redirect is taken as it is", async () => {
  const { body } = await download(`http://127.0.0.1:${port}/refresh`, { allow: [`127.0.0.1:${port}`] });
  expect((await buffer(body)).toString()).toContain("refresh");
  expect(connections).toBe(1);
});

test("redirects in a circle come to an end", async () => {
  location = "/redirect";
  const round = download(`http://127.0.0.1:${port}/redirect`, { allow: [`127.0.0.1:${port}`], maxRedirects: 4 });
  await expect(round).rejects.toMatchObject({ code: "TOO_MANY_REDIRECTS", retryable: false });
  expect(connections).toBe(5);
});

test.each([301, 302, 303, 307, 308])("a redirect by %i is checked like the first address", async (code) => {
  status = code;
  location = "http://10.0.0.1/";
  const start = `http://127.0.0.1:${port}/redirect`;
  await expect(download(start, { allow: [`127.0.0.1:${port}`] })).rejects.toMatchObject(forbidden);
  expect(connections).toBe(1);
});

test.each([300, 304, 305, 306, 201])("what comes with %i is no redirect", async (code) => {
  status = code;
  location = `http://127.0.0.1:${port}/`;
  const start = `http://127.0.0.1:${port}/redirect`;
  const failure = download(start, { allow: [`127.0.0.1:${port}`] });
  await expect(failure).rejects.toMatchObject({ code: `HTTP_${code}`, retryable: false });
  expect(connections).toBe(1);
});

test.each(insideHosts.filter((host) => /^[ -~]+$/.test(host)))("a redirect to http://%s/ is refused", async (host) => {
  location = `http://${host}/`;
  const start = `http://127.0.0.1:${port}/redirect`;
  // Only the one port is exempt: the same machine on another is not.
  await expect(download(start, { allow: [`127.0.0.1:${port}`] })).rejects.toMatchObject(forbidden);
  expect(connections).toBe(1);
});

test.each([
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "//127.0.0.2/",
  "http://[::1]/",
  "file:///etc/passwd",
  "data:text/plain,hello",
  "ftp://127.0.0.2/",
  "//user:word@files.example/",
  "\\\\127.0.0.2/",
  "/\\127.0.0.2/",
  "http://127.0.0.1:1/",
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
