import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

test("a minute's worth may come at once, then one at a time, each for itself", () => {
  let now = 1_000_000;
  const limiter = createRateLimiter(3, () => now);
  expect([1, 2, 3].map(() => limiter.take("one"))).toEqual([0, 0, 0]);
  expect(limiter.take("one")).toBe(20);
  expect(limiter.take("other")).toBe(0);
  expect(limiter.used("one")).toBe(3);

  now += 19_000;
  expect(limiter.take("one")).toBe(1);
  now += 1_000;
  expect(limiter.take("one")).toBe(0);
  expect(limiter.take("one")).toBe(20);

  now += 60_000;
  expect(limiter.used("one")).toBe(0);
  expect([1, 2, 3].map(() => limiter.take("one"))).toEqual([0, 0, 0]);
});

test("what is refused does not count", () => {
  let now = 0;
  const limiter = createRateLimiter(1, () => now);
  limiter.take("one");
  for (let i = 0; i < 10; i++) expect(limiter.take("one")).toBeGreaterThan(0);
  now += 60_000;
  expect(limiter.take("one")).toBe(0);
});

test("strangers without number do not fill the memory, nor free whoever is being limited at the moment", () => {
  const limiter = createRateLimiter(1, () => 0);
  for (let i = 0; i < 60_000; i++) limiter.take(`stranger ${i}`);
  limiter.take("busy");
  expect(limiter.take("busy")).toBeGreaterThan(0);
  expect(limiter.used("stranger 0")).toBe(0);
});
