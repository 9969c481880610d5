import { describe, expect, test } from "vitest";
import { isPublicAddress, isPublicAnswer } from "./address-rules.ts";

const forbidden: [what: string, ...addresses: string[]][] = [
  ["unspecified", "0.0.0.0", "0.255.255.255", "::", "0:0:0:0:0:0:0:0"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  ["behind the carrier's NAT", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.1", "127.255.255.255", "::1"],
  ["link-local", "169.254.0.0", "169.254.255.255", "fe80::1", "febf:ffff::1"],
  ["metadata", "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255", "2001::1", "2001:1ff:ffff::1"],
  [
    "documentation",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.255",
    "2001:db8::1",
    "2001:db8:ffff::",
    "3fff::1",
    "3fff:fff::1",
  ],
  ["relays of 6to4", "192.88.99.1"],
  ["benchmarks", "198.18.0.0", "198.19.255.255", "2001:2::1"],
  ["multicast", "224.0.0.0", "239.255.255.255", "ff00::1", "ff02::1", "ffff::1"],
  ["reserved and broadcast", "240.0.0.0", "255.255.255.254", "255.255.255.255"],
  ["mapped IPv4", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "0:0:0:0:0:ffff:a00:1"],
  ["translated IPv4 (SIIT)", "::ffff:0:127.0.0.1"],
  ["compatible IPv4", "::127.0.0.1", "::7f00:1", "::8.8.8.8"],
  ["6to4", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1"],
  ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::8.8.8.8", "64:ff9b:1::1"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["unique-local", "fc00::1", "fd12:3456::1", "fdff:ffff::1"],
  ["site-local", "fec0::1", "feff::1"],
  ["discard-only and segment routing", "100::1", "5f00::1"],
  ["no address", "", "example.org", "1.2.3", "fe80::1%eth0", "0x7f.0.0.1"],
];

describe.each(forbidden)("%s", (_what, ...addresses) => {
  test.each(addresses)("%j is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2606:4700::1111",
  "2a00:1450::1",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
  expect(isPublicAnswer(address)).toBe(true);
});

test("an answer translated by the network is judged by the IPv4 address in it", () => {
  expect(isPublicAnswer("64:ff9b::8.8.8.8")).toBe(true);
  expect(isPublicAnswer("64:ff9b::808:808")).toBe(true);
  expect(isPublicAnswer("64:ff9b::5db8:0")).toBe(true);
  for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "192.168.0.1"]) {
    expect(isPublicAnswer(`64:ff9b::${address}`)).toBe(false);
  }
  expect(isPublicAnswer("64:ff9b::")).toBe(false);
  expect(isPublicAnswer("64:ff9b::1")).toBe(false);
  expect(isPublicAnswer("::ffff:8.8.8.8")).toBe(false);
});
