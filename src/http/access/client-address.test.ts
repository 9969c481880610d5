import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { readClientAddress } from "./client-address.ts";

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

test.each([
  ["the connection's, whatever it claims", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["IPv4 over a socket for both", [], "::ffff:203.0.113.9", undefined, "203.0.113.9"],
  ["what our proxy heard", ["10.0.0.0/8"], "10.1.2.3", "203.0.113.9", "203.0.113.9"],
  ["not what the client put before it", ["10.0.0.0/8"], "10.1.2.3", "127.0.0.1, 203.0.113.9", "203.0.113.9"],
  ["behind two of ours", ["10.0.0.0/8", "::1"], "::1", "198.51.100.1, 10.0.0.7", "198.51.100.1"],
  ["the proxy's own, if it says nothing", ["10.0.0.1"], "10.0.0.1", undefined, "10.0.0.1"],
  ["the proxy's own, if it says nonsense", ["10.0.0.1"], "10.0.0.1", "unknown", "10.0.0.1"],
  ["without its port", ["10.0.0.1"], "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["an IPv6 client without its port", ["10.0.0.1"], "10.0.0.1", "[2001:db8::5]:443", "2001:db8::5"],
  ["an IPv6 client", ["fd00::/8"], "fd00::1", "2001:db8::5", "2001:db8::5"],
])("%s", (_, trusted, remote, forwarded, expected) => {
  expect(readClientAddress(trusted)(request(remote, forwarded))).toBe(expected);
});
