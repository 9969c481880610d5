/** What is sent to a port by programs that speak something else, or HTTP badly. */
import type { HostileRequest } from "./hostile-requests.ts";
import type { Random } from "./random.ts";

const lines: readonly string[] = [
  "",
  "\r\n\r\n\r\n\r\n",
  "GET",
  "GET /",
  "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET / HTTP/1.0\r\n\r\n",
  "GET /api/jobs HTTP/0.9\r\n\r\n",
  "GET /api/jobs http/1.1\r\nHost: x\r\n\r\n",
  "GET  /api/jobs  HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /api/jobs HTTP/1.1\nHost: x\n\n",
  "GET /api/jobs HTTP/1.1\r\n\r\n",
  "GET /api/jobs HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "GET /api/jobs HTTP/1.1\r\nHost\r\n\r\n",
  "GET /api/jobs HTTP/1.1\r\n: empty\r\nHost: x\r\n\r\n",
  "GET /api/jobs HTTP/1.1\r\nHost : x\r\n\r\n",
  "GET /api/jobs HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
  "GET /api/jobs HTTP/1.1\r\nHost: x\0y\r\n\r\n",
  "GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET \\ HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT /api/jobs HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT example.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n",
  "TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "POST /api/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
  "POST /api/jobs HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
  "GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "SSH-2.0-OpenSSH_9.9\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "\x00\x00\x00\x08\x04\xd2\x16\x2f",
];

export function rawGarbage(random: Random): HostileRequest {
  const text = random.chance(0.8)
    ? random.pick(lines)
    : Array.from({ length: random.between(1, 400) }, () => String.fromCharCode(random.between(0, 255))).join("");
  return {
    method: text.split(" ", 1)[0] ?? "",
    path: text.slice(0, 60),
    operation: undefined,
    bytes: Buffer.from(text, "latin1"),
    halfClose: true,
    mustBeAnswered: false,
  };
}
