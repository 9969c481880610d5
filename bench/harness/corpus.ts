/** The corpus: real documents beside the project, in folders of a kind, with a table INDEX.md in each. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { ScenarioResult } from "./result.ts";

const documentEndings = /\.(pdf|epub|png|jpe?g|tiff?|webp|docx|html?)$/i;

/** The documents of a folder, by their whole paths. */
export async function listDocuments(bench: Bench, folder: string): Promise<string[]> {
  const place = join(bench.options.corpus, folder);
  const names = (await readdir(place)).filter((name) => documentEndings.test(name));
  return names.sort().map((name) => join(place, name));
}

/** What a scenario answers that needs the corpus where there is none; undefined when it is there. */
export function withoutCorpus(bench: Bench, scenario: string): ScenarioResult | undefined {
  const { corpus } = bench.options;
  if (existsSync(join(corpus, "INDEX.md"))) return undefined;
  const reason = `there is no corpus in ${corpus}; name its folder with --corpus`;
  bench.say(`  ${reason}`);
  const bars = [{ what: "measured on the corpus", value: undefined, sense: "at least", bar: 1 }] as const;
  return { scenario, measured: [], bars, skipped: [reason] };
}
