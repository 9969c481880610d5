/** What the samples have become, in words: a few lines for each, and where to look at it. */
import type { BatchDetail, BatchResults } from "../contract/batches.ts";
import type { BookDetail, Guidelines } from "../contract/books.ts";
import type { Connection, DocumentDetail } from "../contract/documents.ts";
import { describeDocument } from "./add-command.ts";
import { count } from "./batch-view.ts";
import { describeResults } from "./describe-batch.ts";
import { harmless } from "./harmless.ts";

export interface DemoOutcome {
  documents: DocumentDetail[];
  /** Among the documents. */
  contradictions: Connection[];
  batch: BatchDetail;
  results: BatchResults;
  book: BookDetail;
  guidelines: Guidelines;
}

/** Where the web page shows them. */
export function addressesOf(url: string, { documents, batch, book }: DemoOutcome) {
  return {
    documents: documents.map(({ id }) => `${url}/documents/${id}`),
    batch: `${url}/batches/${batch.batch.id}`,
    book: `${url}/books/${book.id}`,
  };
}

export function describeDemo(url: string, outcome: DemoOutcome): string {
  const { documents, contradictions, batch, results, book, guidelines } = outcome;
  const addresses = addressesOf(url, outcome);
  const sections = [
    documents.map((document, index) => `${describeOne(document)}\n  ${addresses.documents[index]}\n`).join(""),
    ...contradictions.map(describeContradiction),
    describeResults(results, batch),
    `See it at ${addresses.batch}\n`,
    describeBook(book, guidelines),
    `See it at ${addresses.book}\n`,
    "Go on with a search (docmill search brown water), or with a file of your own (docmill add report.pdf).\n",
  ];
  return sections.join("\n");
}

function describeContradiction({ details: { sourceSentence, targetSentence } }: Connection): string {
  return `Two documents say the opposite:\n${[sourceSentence, targetSentence].map((text) => `  ${harmless(String(text))}\n`).join("")}`;
}

function describeOne(document: DocumentDetail): string {
  if (document.status !== "Ready") return harmless(describeDocument(document).trimEnd());
  const { title, filename, pageCount, chunkCount, fieldCount, tableCount, connectionCount } = document;
  const parts = [
    pageCount === null ? "" : count(pageCount, "page"),
    count(chunkCount, "passage"),
    fieldCount === 0 ? "" : count(fieldCount, "field"),
    tableCount === 0 ? "" : count(tableCount, "table"),
    connectionCount === 0 ? "" : count(connectionCount, "connection"),
  ];
  return harmless(`${title ?? filename}: ${parts.filter(Boolean).join(", ")}`);
}

function describeBook({ title, pages }: BookDetail, { topics, total_subtopics: subtopics }: Guidelines): string {
  const read = pages.filter(({ ocr_status }) => ocr_status === "completed").length;
  const of = read === pages.length ? "" : ` of ${pages.length}`;
  const lines = [
    `${title}: ${read}${of} pages read, ${count(topics.length, "topic")}, ${count(subtopics, "subtopic")}`,
    ...topics.map((topic) => {
      const titles = topic.subtopics.map(({ subtopic_title }) => subtopic_title);
      return `  ${topic.topic_title}: ${titles.join("; ")}`;
    }),
  ];
  return `${lines.map(harmless).join("\n")}\n`;
}
