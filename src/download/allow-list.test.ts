import { expect, test } from "vitest";
import { parseAllowList } from "./allow-list.ts";

test("a name is exempt on every port, a name with a port on that one", () => {
  const allow = parseAllowList(["Intranet.Example", "files.example:8080", "bücher.example"]);
  expect(allow.allowsHost("intranet.example", 9_000)).toBe(true);
  expect(allow.allowsHost("intranet.example.", 80)).toBe(true);
  expect(allow.allowsHost("files.example", 8_080)).toBe(true);
  expect(allow.allowsHost("files.example", 80)).toBe(false);
  expect(allow.allowsHost("xn--bcher-kva.example", 80)).toBe(true);
  expect(allow.allowsHost("sub.intranet.example", 80)).toBe(false);
  expect(allow.allowsHost("example", 80)).toBe(false);
  expect(allow.allowsAddress("10.0.0.1", 80)).toBe(false);
});

test("addresses and ranges are exempt, whatever name led to them", () => {
  const allow = parseAllowList(["10.1.0.0/16", "127.0.0.1:3000", " ::1 ", "[fd00::1]:8080", "fd12::/16"]);
  expect(allow.allowsAddress("10.1.255.1", 9_000)).toBe(true);
  expect(allow.allowsAddress("10.2.0.1", 80)).toBe(false);
  expect(allow.allowsAddress("127.0.0.1", 3_000)).toBe(true);
  expect(allow.allowsAddress("127.0.0.1", 80)).toBe(false);
  expect(allow.allowsAddress("::1", 80)).toBe(true);
  expect(allow.allowsAddress("fd00::1", 8_080)).toBe(true);
  expect(allow.allowsAddress("fd00::1", 80)).toBe(false);
  expect(allow.allowsAddress("fd12:1::1", 443)).toBe(true);
  expect(allow.allowsHost("127.0.0.1", 3_000)).toBe(false);
});

test.each([
  "",
  "http://host",
  "10.0.0.0/33",
  "10.0.0.0/",
  "host/8",
  "::1/129",
  "host:0",
  "host:70000",
  "host:x",
  "[host]",
  "a b",
])("%j is refused", (entry) => {
  expect(() => parseAllowList([entry])).toThrow(expect.objectContaining({ code: "INVALID_ALLOW_ENTRY" }));
});
