/**
 * Guidelines by rules: whether topics and subtopics begin on the pages where the chapters and sections of real books do,
 * and how well the scans of textbook pages are read for them.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../src/db/database.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { openDocumentReader } from "../../../src/formats/open-document-reader.ts";
import { openLocalEmbedder } from "../../../src/providers/embeddings/local/open-local-embedder.ts";
import { openLocalOcr } from "../../../src/providers/ocr/local/open-local-ocr.ts";
import { openBlobStore } from "../../../src/storage/open-blob-store.ts";
import { silentLogger as logger } from "../../../test/support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Bench, Scenario } from "../../harness/bench.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import type { Bar } from "../../harness/result.ts";
import { type BookSource, chooseBooks, readBook } from "../guideline-scores/book-sources.ts";
import { extractBook } from "../guideline-scores/extract-book.ts";
import { bindScienceBook, readTextbookScans } from "../guideline-scores/read-scanned-book.ts";
import {
  addScores,
  precisionOf,
  recallOf,
  type StartScore,
  scoreStarts,
  subtopicStarts,
  topicStarts,
} from "../guideline-scores/score-starts.ts";
import { mean } from "../plain-text.ts";

const leastPrecision = 0.8;
const leastRecall = 0.8;
const leastWordRecall = 0.9;

interface Scored {
  name: string;
  pages: number;
  chapters: StartScore;
  sections: StartScore | undefined;
}

export const guidelines: Scenario = {
  name: "guidelines",
  title: "guidelines by rules: chapters and sections by the page they begin on",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    await using services = await openServices(bench);
    const scans = await readTextbookScans(services, bench.options.corpus);
    const scored: Scored[] = [];
    const score = async ({ name, pages, chapters, sections }: BookSource) => {
      const subtopics = await extractBook(services, pages);
      scored.push({
        name,
        pages: pages.length,
        chapters: scoreStarts(topicStarts(subtopics), chapters),
        sections: sections && scoreStarts(subtopicStarts(subtopics), sections),
      });
      bench.say(`  ${name}`);
    };
    await score(bindScienceBook(scans));
    for (const path of chooseBooks(bench)) await score(await readBook(services.reader, path));
    const all: Scored = {
      name: "in all",
      pages: scored.reduce((sum, { pages }) => sum + pages, 0),
      chapters: addScores(scored.map(({ chapters }) => chapters)),
      sections: addScores(scored.flatMap(({ sections }) => sections ?? [])),
    };
    return {
      scenario: this.name,
      measured: [],
      skipped: [],
      tables: [
        {
          title: "pages on which something begins: there, found, on the right page; precision and recall",
          columns: ["book", "pages", "chapters", "found", "right", "P", "R", "sections", "found", "right", "P", "R"],
          rows: [...scored, all].map(({ name, pages, chapters, sections }) => [
            name,
            String(pages),
            ...describe(chapters),
            ...describe(sections),
          ]),
        },
        {
          title: "textbook scans by a book's OCR",
          columns: ["scan", "CER", "word recall"],
          rows: scans.map(({ name, score: { characterErrorRate, wordRecall } }) => [
            name,
            characterErrorRate,
            wordRecall,
          ]),
        },
      ],
      bars: [
        ...barsOf("chapters", all.chapters),
        ...barsOf("sections", all.sections),
        {
          what: "textbook scans, mean word recall",
          value: mean(scans.map(({ score: { wordRecall } }) => wordRecall)),
          sense: "at least",
          bar: leastWordRecall,
        },
      ],
    };
  },
};

function describe(score: StartScore | undefined): string[] {
  if (!score) return ["", "", "", "", ""];
  const shares = [precisionOf(score), recallOf(score)].map((share) => share.toFixed(2));
  return [String(score.true), String(score.found), String(score.right), ...shares];
}

function barsOf(what: string, score: StartScore | undefined): Bar[] {
  return [
    { what: `${what}, precision`, value: score && precisionOf(score), sense: "at least", bar: leastPrecision },
    { what: `${what}, recall`, value: score && recallOf(score), sense: "at least", bar: leastRecall },
  ];
}

/** What a server has open for books, as it comes without any setting. */
async function openServices(bench: Bench) {
  await using opening = new AsyncDisposableStack();
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opening.defer(() => part.close());
    return part;
  };
  const database = await bench.server.createDatabase("books", async (url) => {
    await migrate({ url, logger });
  });
  opening.defer(() => database.drop());
  const folder = await makeTemporaryFolder();
  opening.defer(() => removeTemporaryFolder(folder));
  const threads = availableParallelism();
  const services = {
    db: keep(openDatabase({ url: database.url, logger })),
    blobs: keep(await openBlobStore({ kind: "folder", folder: join(folder, "files") })),
    reader: keep(openDocumentReader({ threads, memoryMb: 1_024, partDeadlineMs: 60_000, maxPages: 5_000 })),
    ocr: keep(await openLocalOcr({ threads })),
    embedder: keep(openLocalEmbedder({ threads })),
  };
  const opened = opening.move();
  return { ...services, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
