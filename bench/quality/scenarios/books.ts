/** EPUB: whether every part of a book is there with all its words, and its headings where a reference has them. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Scenario } from "../../harness/bench.ts";
import { listDocuments, withoutCorpus } from "../../harness/corpus.ts";
import type { Table } from "../../harness/result.ts";
import { choose } from "../choose-documents.ts";
import { scoreHeadings } from "../layout-scores/heading-score.ts";
import { normalText, normalWords } from "../layout-scores/normal-words.ts";
import { scoreWords } from "../layout-scores/word-recall.ts";
import { openLibrary, type ReadDocument } from "../library.ts";
import { headingsOf, mean, plainText } from "../plain-text.ts";
import { readPandoc } from "../read-pandoc.ts";

const leastParts = 0.95;
const leastWords = 0.95;
const leastRecall = 0.98;
const leastHeadings = 0.9;
/** What the corpus noted of a part's beginning may have a page number or the text for a picture in it: so many words in a row will do. */
const wordsInRow = 3;
/** Tables of contents are made from the headings and not read as text. */
const isContents = /(^|[/-])(nav|toc)/;

/** Books whose words are not counted as the corpus counts them. */
const otherCount: Readonly<Record<string, string>> = {
  "linear-algebra.epub": "MathML: each sign of a formula was counted as a word",
  "svg-in-spine.epub": "pictures only",
};

interface Meta {
  title: string[];
  text_words: number;
  spine: { href: string; starts: string }[];
}

interface Reference {
  text: string;
  headings: string[];
}

export const books: Scenario = {
  name: "books",
  title: "EPUB: parts, words and headings",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const library = await openLibrary(bench);
    const { documents, failed } = await library.read(choose(bench, await listDocuments(bench, "epub")));
    const whole = await Promise.all(documents.map(compareWithMeta));
    const compared = (await Promise.all(documents.map(compareWithReference))).filter((row) => row !== undefined);
    const tables: Table[] = [
      {
        title: "against what stands in the package (parts: found by how they begin; words: found ÷ counted there)",
        columns: ["book", "parts found", "words", "missing parts", "words not counted"],
        rows: whole,
      },
      {
        title: "against a reference",
        columns: ["book", "word recall", "precision", "headings F1"],
        rows: compared,
      },
    ];
    const partsFound = whole.map(([, found]) => found);
    const counts = whole.filter(([name]) => !(name in otherCount)).map(([, , share]) => Math.min(share, 1 / share));
    return {
      scenario: this.name,
      measured: [],
      skipped: failed,
      tables,
      bars: [
        { what: "parts found, mean", value: mean(partsFound), sense: "at least", bar: leastParts },
        { what: "number of words, mean agreement", value: mean(counts), sense: "at least", bar: leastWords },
        { what: "word recall, mean", value: mean(compared.map((row) => row[1])), sense: "at least", bar: leastRecall },
        {
          what: "headings F1, mean",
          value: mean(compared.map((row) => row[3])),
          sense: "at least",
          bar: leastHeadings,
        },
      ],
    };
  },
};

async function compareWithMeta({
  path,
  name,
  markdown,
}: ReadDocument): Promise<[string, number, number, string, string]> {
  const meta = JSON.parse(await readFile(path.replace(/\.epub$/, ".meta.json"), "utf8")) as Meta;
  const text = plainText(markdown);
  const words = ` ${normalText(text)} `;
  const parts = meta.spine
    .filter(({ href }) => !isContents.test(href))
    // The last word was cut off in the middle.
    .map(({ href, starts }) => ({ href, beginning: normalWords(starts).slice(0, -1) }))
    .filter(({ beginning }) => beginning.length >= wordsInRow);
  const missing = parts.filter(({ beginning }) => !runsOf(beginning).some((run) => words.includes(` ${run} `)));
  const found = parts.length === 0 ? 1 : 1 - missing.length / parts.length;
  // Counted there as what stands between white space.
  const count = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const share = meta.text_words === 0 ? 1 : count / meta.text_words;
  const shown = missing.slice(0, 4).map(({ href }) => href);
  const lost = [...shown, ...(missing.length > shown.length ? ["…"] : [])].join(", ");
  return [name, found, share, lost, otherCount[name] ?? ""];
}

function runsOf(words: readonly string[]): string[] {
  return words.slice(0, 1 - wordsInRow).map((_, place) => words.slice(place, place + wordsInRow).join(" "));
}

async function compareWithReference(document: ReadDocument): Promise<[string, number, number, number] | undefined> {
  const reference = await readReference(document.path.replace(/\.epub$/, ""));
  if (!reference) return undefined;
  const { recall, precision } = scoreWords(plainText(document.markdown), reference.text);
  const found = document.headings.map(({ title }) => plainText(title));
  return [document.name, recall, precision, scoreHeadings(found, reference.headings).f1];
}

async function readReference(path: string): Promise<Reference | undefined> {
  const markdown = `${path}.docling.md`;
  if (existsSync(markdown)) {
    const text = await readFile(markdown, "utf8");
    return { text: plainText(text), headings: headingsOf(text) };
  }
  const native = `${path}.native`;
  return existsSync(native) ? readPandoc(await readFile(native, "utf8")) : undefined;
}
