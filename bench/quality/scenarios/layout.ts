/** What a page means beyond its words: the order of reading, headings, tables, and assertions people wrote about pages. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario } from "../../harness/bench.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { hasProgram } from "../../harness/programs.ts";
import type { Bar, Table } from "../../harness/result.ts";
import { choose } from "../choose-documents.ts";
import { type Assertion, holds } from "../layout-scores/assertions.ts";
import { type HeadingScore, scoreHeadings } from "../layout-scores/heading-score.ts";
import { readIcdarTruth } from "../layout-scores/read-icdar-truth.ts";
import { scoreOrder } from "../layout-scores/reading-order.ts";
import { type AdjacencyScore, type ScoredTable, scoreTables } from "../layout-scores/table-adjacency.ts";
import { openLibrary, type ReadDocument, type Tables } from "../library.ts";
import { readPdfText } from "../pdf-truth.ts";
import { headingsOf, mean, plainText } from "../plain-text.ts";
import { readCsv } from "../read-csv.ts";

/** Documents in columns. Those with a reference in markdown are held against it, the others against pdftotext. */
const inColumns = [
  "amt_handbook_sample.pdf",
  "olmocr_multi_column_miss.pdf",
  "pdftotext_two_column_issue.pdf",
  "tracemonkey.pdf",
  "federal-register-2020-17221.pdf",
  "pypdf_multicolumn.pdf",
];
const withReference = [
  "2305.03393v1-pg9",
  "amt_handbook_sample",
  "code_and_formula",
  "multi_page",
  "redp5110_sampled",
  "right_to_left_01",
];
const withCells = ["eu-001", "eu-002", "eu-003", "eu-005", "eu-006", "eu-008", "eu-010", "eu-018"];
const withCsv = ["argentina_diputados_voting_record", "schools", "spanning_cells"];

const leastOrder = 0.9;
const leastAssertions = 0.8;
const leastHeadings = 0.75;
const leastCells = 0.8;

type Reader = (name: string) => ReadDocument | undefined;

interface Part {
  table: Table;
  bar: Bar;
}

export const layout: Scenario = {
  name: "layout",
  title: "reading order, headings, tables and assertions on PDFs",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const folder = join(bench.options.corpus, "pdf");
    const assertions = await readAssertions(folder);
    const names = [
      ...inColumns,
      ...withReference.map((name) => `${name}.pdf`),
      ...withCells.map((name) => `icdar2013_${name}.pdf`),
      ...withCsv.map((name) => `${name}.pdf`),
      ...assertions.keys(),
    ];
    const library = await openLibrary(bench);
    const paths = choose(
      bench,
      [...new Set(names)].map((name) => join(folder, name)),
    );
    const { documents, failed } = await library.read(paths);
    const byName = new Map(documents.map((document) => [document.name, document]));
    const find: Reader = (name) => byName.get(name);
    const parts = [
      await scoreOrders(folder, find),
      checkAssertions(assertions, find),
      await compareHeadings(folder, find),
      await compareCells(folder, find),
      await compareCsv(folder, find),
    ];
    return {
      scenario: this.name,
      measured: [],
      skipped: failed,
      bars: parts.map(({ bar }) => bar),
      tables: parts.map(({ table }) => table),
    };
  },
};

async function scoreOrders(folder: string, find: Reader): Promise<Part> {
  const hasPoppler = await hasProgram("pdftotext");
  const rows: [string, string, number][] = [];
  for (const name of inColumns) {
    const document = find(name);
    const reference = join(folder, name.replace(/\.pdf$/, ".docling.md"));
    if (!document) continue;
    if (existsSync(reference)) {
      rows.push([name, "reference", scoreOrder(document.markdown, await readFile(reference, "utf8"))]);
    } else if (hasPoppler) {
      rows.push([name, "pdftotext", scoreOrder(document.markdown, await readPdfText(document.path))]);
    }
  }
  return part("order of reading, columns", ["document", "against", "score"], rows, 2, leastOrder);
}

async function readAssertions(folder: string): Promise<Map<string, Assertion[]>> {
  const lines = (await readFile(join(folder, "olmocr_tests.jsonl"), "utf8")).trim().split("\n");
  const all = lines.map((line) => JSON.parse(line) as Assertion & { pdf: string });
  return Map.groupBy(all, ({ pdf }) => pdf);
}

function checkAssertions(assertions: ReadonlyMap<string, Assertion[]>, find: Reader): Part {
  const rows: [string, number, number, string][] = [];
  for (const [name, wanted] of assertions) {
    const document = find(name);
    if (!document) continue;
    const tables = document.tables.map(toScored);
    const judged = wanted
      .map((assertion) => ({ id: assertion.id, held: holds(assertion, document.markdown, tables) }))
      .filter(({ held }) => held !== undefined);
    const broken = judged.filter(({ held }) => !held).map(({ id }) => id);
    rows.push([name, judged.length, judged.length - broken.length, broken.join(", ")]);
  }
  const all = rows.reduce((sum, [, judged]) => sum + judged, 0);
  const held = rows.reduce((sum, [, , kept]) => sum + kept, 0);
  return {
    table: {
      title: "assertions of the olmOCR benchmark (formulas are not judged)",
      columns: ["document", "assertions", "hold", "do not"],
      rows: rows.map(([name, judged, kept, broken]) => [name, String(judged), String(kept), broken]),
    },
    bar: { what: `assertions that hold, of ${all}`, value: held / all, sense: "at least", bar: leastAssertions },
  };
}

async function compareHeadings(folder: string, find: Reader): Promise<Part> {
  const scores: (HeadingScore & { name: string })[] = [];
  for (const name of withReference) {
    const document = find(`${name}.pdf`);
    if (!document) continue;
    const expected = headingsOf(await readFile(join(folder, `${name}.docling.md`), "utf8"));
    const found = document.headings.map(({ title }) => plainText(title));
    scores.push({ name, ...scoreHeadings(found, expected) });
  }
  const sum = (count: (score: HeadingScore) => number) => scores.reduce((total, score) => total + count(score), 0);
  // Over all headings: a page that has only one would weigh as much as a book.
  const f1 = (2 * sum(({ shared }) => shared)) / sum(({ found, expected }) => found + expected);
  return {
    table: {
      title: "headings against the reference",
      columns: ["document", "in both", "found", "of the reference", "F1"],
      rows: scores.map(({ name, shared, found, expected, f1: own }) => [
        name,
        String(shared),
        String(found),
        String(expected),
        own,
      ]),
    },
    bar: { what: "headings: F1 over all", value: f1, sense: "at least", bar: leastHeadings },
  };
}

async function compareCells(folder: string, find: Reader): Promise<Part> {
  const rows: [string, number, number, number, number][] = [];
  for (const name of withCells) {
    const document = find(`icdar2013_${name}.pdf`);
    if (!document) continue;
    const truth = readIcdarTruth(await readFile(join(folder, `icdar2013_${name}.str.xml`), "utf8"));
    // The truth is about tables only on pages that have one.
    const pages = new Set(truth.map(({ page }) => page));
    const found = document.tables.filter(({ page }) => pages.has(page)).map(toScored);
    rows.push(
      row(
        name,
        scoreTables(
          found,
          truth.map(({ table }) => table),
        ),
      ),
    );
  }
  return part(
    "tables cell by cell, ICDAR 2013",
    ["document", "precision", "recall", "neighbours", "F1"],
    rows,
    4,
    leastCells,
  );
}

async function compareCsv(folder: string, find: Reader): Promise<Part> {
  const rows: [string, number, number, number, number][] = [];
  for (const name of withCsv) {
    const document = find(`${name}.pdf`);
    if (!document) continue;
    const truth = readCsv(await readFile(join(folder, `${name}.csv`), "utf8"));
    const found = document.tables.map(toScored);
    // The truth may cover one area of one page, and a table that goes on over pages is found page by page: what counts is
    // how much of the expected is in the best of them, or in all of them together.
    const together = scoreTables([stack(document.tables)], [truth]);
    const single = found.map((table) => scoreTables([table], [truth]));
    rows.push(
      row(
        name,
        [together, ...single].reduce((best, one) => (one.f1 > best.f1 ? one : best)),
      ),
    );
  }
  return part("tables against CSV", ["document", "precision", "recall", "neighbours", "F1"], rows, 4, leastCells);
}

function row(name: string, { shared, found, expected, f1 }: AdjacencyScore): [string, number, number, number, number] {
  return [name, found === 0 ? 0 : shared / found, expected === 0 ? 0 : shared / expected, expected, f1];
}

function toScored(table: Tables[number]): ScoredTable {
  return table.rows.flatMap((cells, at) =>
    cells.map((cell, column) => ({
      row: at,
      column,
      rowSpan: cell.rowSpan ?? 1,
      columnSpan: cell.columnSpan ?? 1,
      text: plainText(cell.text),
    })),
  );
}

/** Tables one under the other. */
function stack(tables: Tables): ScoredTable {
  let above = 0;
  return tables.flatMap((table) => {
    const cells = toScored(table).map((cell) => ({ ...cell, row: cell.row + above }));
    above += table.rows.length;
    return cells;
  });
}

function part(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  scoreColumn: number,
  bar: number,
): Part {
  const scores = rows.map((cells) => Number(cells[scoreColumn]));
  const value = scores.length === 0 ? undefined : mean(scores);
  return { table: { title, columns, rows }, bar: { what: `${title}: mean`, value, sense: "at least", bar } };
}
