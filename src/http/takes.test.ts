import { expect, it } from "vitest";
import { takes } from "./takes.ts";

it.each([
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html", true],
  ["*/*", "text/html", true],
  ["TEXT/*;q=0.1", "text/html", true],
  ["text/html;q=0, */*", "text/html", false],
  ["application/json", "text/html", false],
  ["text/event-stream", "text/html", false],
  ["gzip, deflate, br, zstd", "br", true],
  ["gzip;q=1.0, br;q=0", "br", false],
  ["*", "gzip", true],
  ["*;q=0", "gzip", false],
  ["identity", "gzip", false],
  ["", "gzip", false],
  ["gzip;q=much", "gzip", false],
])("%s and %s: %s", (header, wanted, taken) => {
  expect(takes(header, wanted)).toBe(taken);
});
