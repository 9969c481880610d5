/** For a first look the large documents are left out, and only some of those that must be recognised are read. */
import { statSync } from "node:fs";
import type { Bench } from "../harness/bench.ts";

const largeBytes = 1_200_000;
const oneOf = 3;

export function choose(bench: Bench, paths: readonly string[]): string[] {
  return bench.options.quick ? paths.filter((path) => statSync(path).size < largeBytes) : [...paths];
}

/** Every third, by their order. */
export function chooseScans<Item>(bench: Bench, scans: readonly Item[]): Item[] {
  return scans.filter((_, place) => !bench.options.quick || place % oneOf === 0);
}
