/**
 * `node bench/write-table.ts bench/results/<run>.json… [--medians]`: what one run measured, or several together, as
 * markdown. Of a scenario that more than one has, the last one counts.
 */
import { parseArgs } from "node:util";
import { toMarkdown } from "./harness/markdown.ts";
import { readReport } from "./harness/result-files.ts";

const { positionals: files, values } = parseArgs({
  allowPositionals: true,
  options: { medians: { type: "boolean", default: false } },
});
if (files.length === 0) {
  console.error("Name the files to write tables of: node bench/write-table.ts bench/results/<run>.json… [--medians]");
  process.exitCode = 2;
} else {
  console.log(toMarkdown(await Promise.all(files.map(readReport)), values));
}
