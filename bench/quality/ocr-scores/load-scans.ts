/**
 * The scanned pages of a corpus folder for which somebody wrote down what they say. The folder's INDEX.md is a table with
 * the file in its first column and, in its last, the file that holds the truth.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Scan {
  name: string;
  path: string;
  /** What each page says, as plain text. */
  truth: string[];
}

export async function loadScans(folder: string): Promise<Scan[]> {
  const index = await readFile(join(folder, "INDEX.md"), "utf8");
  const scans: Scan[] = [];
  for (const line of index.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    const name = cells[1] ?? "";
    const truthName = /^[\w.-]+\.(?:txt|md)/u.exec(cells.at(-2) ?? "")?.[0];
    if (!/\.(?:jpg|png|tif|pdf)$/u.test(name) || !truthName) continue;
    const truth = await readFile(join(folder, truthName), "utf8");
    const pages = truth.replace(/\f\s*$/u, "").split("\f");
    scans.push({ name, path: join(folder, name), truth: truthName.endsWith(".md") ? pages.map(withoutMarkup) : pages });
  }
  return scans;
}

/** Markdown's own signs are not on the page. */
function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/gu, "")
    .replace(/<[^>]+>/gu, " ")
    .replace(/^#+\s+/gmu, "")
    .replace(/\*\*|\$/gu, "");
}
