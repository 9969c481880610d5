import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { readMetrics } from "../../test/support/read-metrics.ts";
import { registerTallies, Tally } from "./tally.ts";

it("is shown as a histogram whose buckets include those below them", async () => {
  const registry = new Registry();
  const tally = new Tally([1, 5, 10]);
  for (const value of [0, 1, 1.5, 5, 7, 10, 11, 1_000]) tally.add(value);
  const [name, help] = ["docmill_some_seconds", "Some times."];
  registerTallies(registry, { name, help, labelNames: ["kind"], tallies: () => [{ labels: { kind: "a" }, tally }] });
  const seen = readMetrics(await registry.metrics());
  expect(seen.names).toContain(name);
  const buckets = ["1", "5", "10", "+Inf"].map((le) => seen.value(`${name}_bucket`, { kind: "a", le }));
  expect(buckets).toEqual([2, 4, 6, 8]);
  expect(seen.value(`${name}_count`, { kind: "a" })).toBe(8);
  expect(seen.value(`${name}_sum`, { kind: "a" })).toBe(1_035.5);
});
