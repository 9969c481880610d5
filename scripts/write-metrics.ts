/** Writes the table of metrics in docs/observability.md from the metrics themselves; a test compares the two. */
import { readFile, writeFile } from "node:fs/promises";
import { createMetrics } from "../src/metrics/metrics.ts";

const page = new URL("../docs/observability.md", import.meta.url);
const head = "| name | type | labels | meaning |\n|---|---|---|---|\n";

export async function metricsTable(): Promise<string> {
  const metrics = createMetrics();
  metrics.watchQueue(async () => []);
  const rows = (await metrics.describe())
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, labels, meaning }) => `| \`${name}\` | ${type} | ${labels.join(", ")} | ${meaning} |\n`);
  return head + rows.join("");
}

if (import.meta.main) {
  const text = await readFile(page, "utf8");
  const start = text.indexOf(head);
  const end = text.indexOf("\n\n", start) + 1;
  await writeFile(page, text.slice(0, start) + (await metricsTable()) + text.slice(end));
  // What watches the event loop and the garbage collector would keep the process.
  process.exit();
}
