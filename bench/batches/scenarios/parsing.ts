/** Heat sheets: what parsing takes beyond reading the text, a page, and what reading the text takes beside it. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readPdfPage } from "../../../src/formats/pdf/read-pdf-page.ts";
import { withPdf } from "../../../src/formats/pdf/with-pdf.ts";
import { heatPlan } from "../../../src/heatsheets/estimate-starts.ts";
import { groupRows } from "../../../src/heatsheets/group-rows.ts";
import { parseSheet } from "../../../src/heatsheets/parse-sheet.ts";
import type { PageText } from "../../../src/layout/page.ts";
import { writeHytekProgram } from "../../../test/support/sheets/hytek-program.ts";
import { makeMeet } from "../../../test/support/sheets/make-meet.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type Bench, type Entry, type Scenario, takeTurns } from "../../harness/bench.ts";
import { now } from "../../harness/clock.ts";
import { listDocuments } from "../../harness/corpus.ts";
import { type Bar, type Measured, median } from "../../harness/result.ts";

const mostMsPerPage = 5;
const ours = "parsing";
const reading = "reading the text";

interface ReadFile {
  name: string;
  path: string;
  pages: PageText[];
}

export const parsing: Scenario = {
  name: "parsing",
  title: "heat sheets: parsing beyond reading the text",
  async run(bench) {
    const folder = await makeTemporaryFolder();
    try {
      const made = join(folder, "made-up.pdf");
      const meet = makeMeet({ seed: 11, swimmers: 600, events: 80, entries: 70, relays: false });
      await writeFile(made, writeHytekProgram(meet, { columns: 2, records: true }).pdf);
      const paths = [made, ...(await listSheets(bench))];
      const files: ReadFile[] = [];
      for (const path of paths) files.push({ name: basename(path), path, pages: await readText(path) });
      // What runs for the first time is slower than it will ever be again.
      for (const { pages } of files) parse(pages);
      const { measured, skipped } = await takeTurns(bench, files.flatMap(toEntries));
      const missing = paths.length > 1 ? [] : ["the corpus' own sheets: there is no corpus"];
      return { scenario: this.name, measured, skipped: [...skipped, ...missing], bars: makeBars(measured) };
    } finally {
      await removeTemporaryFolder(folder);
    }
  },
};

async function listSheets(bench: Bench): Promise<string[]> {
  if (!existsSync(join(bench.options.corpus, "heatsheets"))) return [];
  return (await listDocuments(bench, "heatsheets")).filter((path) => path.endsWith(".pdf"));
}

function toEntries({ name, path, pages }: ReadFile): Entry[] {
  const facts = { case: name, unit: "ms a page", note: pages.length === 1 ? "1 page" : `${pages.length} pages` };
  const time = async (work: () => unknown) => {
    const startedAt = now();
    await work();
    return (now() - startedAt) / pages.length;
  };
  return [
    { ...facts, contender: ours, measure: () => time(() => parse(pages)) },
    { ...facts, contender: reading, measure: () => time(() => readText(path)) },
  ];
}

/** As the product's thread does: the document is opened once. */
function readText(path: string): Promise<PageText[]> {
  return withPdf(path, (pdfium, document) =>
    Array.from({ length: document.pageCount }, (_, index) => readPdfPage(pdfium, document, index + 1).text),
  );
}

/** All that is made of the words before it is stored. */
function parse(pages: readonly PageText[]): string {
  const sheet = parseSheet(pages);
  const content = pages.map(({ words }) => groupRows(words).map(({ text }) => text));
  return JSON.stringify({ sheet, plan: heatPlan(sheet), content });
}

function makeBars(measured: readonly Measured[]): Bar[] {
  const cases = [...new Set(measured.map((entry) => entry.case))];
  const middle = (name: string, contender: string) => {
    const entry = measured.find((one) => one.case === name && one.contender === contender);
    return entry ? median(entry.values) : Number.NaN;
  };
  return [
    ...cases.map((name): Bar => {
      const value = middle(name, ours);
      const ratio = (value / middle(name, reading)).toFixed(2);
      return {
        what: `${name}: parsing, ms a page (${ratio} × reading its text)`,
        value,
        sense: "at most",
        bar: mostMsPerPage,
      };
    }),
  ];
}
