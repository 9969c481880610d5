/** Text PDFs: how many of the words that pdftotext finds are in what was read, and in the markdown made of it. */
import { basename } from "node:path";
import type { PageWords } from "../../../src/contract/documents.ts";
import type { Scenario } from "../../harness/bench.ts";
import { listDocuments, withoutCorpus } from "../../harness/corpus.ts";
import { hasProgram } from "../../harness/programs.ts";
import type { Bar } from "../../harness/result.ts";
import { choose } from "../choose-documents.ts";
import { normalWords } from "../layout-scores/normal-words.ts";
import { scoreWords } from "../layout-scores/word-recall.ts";
import { type Library, openLibrary, type ReadDocument } from "../library.ts";
import { readDrawnWords, readPdfBody } from "../pdf-truth.ts";
import { plainText } from "../plain-text.ts";

const leastRecall = 0.99;
/** Of a page with fewer words the text layer is no measure: it is a picture with a caption at most. */
const leastWords = 20;

/** Documents whose text layer says other things than the page shows, so that pdftotext is no truth for them. */
const noTruth: Readonly<Record<string, string>> = {
  "TAMReview.pdf": "the font's table of characters is broken on all pages but the first: OCR reads them",
  "redp5110_sampled.pdf": "a font on page 4 has a shifted table of characters",
  "handwriting_bad_ocr.pdf": "handwriting under a wrong OCR layer",
  "newspaper.pdf": "scan with a poor OCR layer",
  "right_to_left_01.pdf": "Arabic: pdftotext writes presentation forms and joins words differently",
  "olmocr_lincoln_letter.pdf": "handwriting",
  "olmocr_ff3d6e051903fe5ca9bc172ece14964c5632_pg1.pdf": "Persian: pdftotext -bbox writes its words backwards",
  "scotus-transcript-p1.pdf": "the numbers of its lines are left out on purpose",
};

interface Scored {
  name: string;
  words: number;
  drawn: { recall: number; precision: number };
  markdown: { recall: number; precision: number };
  reason: string;
}

export const words: Scenario = {
  name: "words",
  title: "words of text PDFs against pdftotext",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    if (!(await hasProgram("pdftotext"))) {
      const bars = [
        { what: "recall against pdftotext", value: undefined, sense: "at least", bar: leastRecall },
      ] as const;
      return { scenario: this.name, measured: [], bars, skipped: ["pdftotext is not installed (poppler-utils)"] };
    }
    const files = [...(await listDocuments(bench, "pdf")), ...(await listDocuments(bench, "forms"))];
    const library = await openLibrary(bench);
    const { documents, failed } = await library.read(
      choose(
        bench,
        files.filter((file) => file.endsWith(".pdf")),
      ),
    );
    const scored: Scored[] = [];
    for (const document of documents) {
      const one = await score(library, document);
      if (one) scored.push(one);
    }
    const fair = scored.filter(({ reason }) => reason === "");
    return {
      scenario: this.name,
      measured: [],
      skipped: failed,
      bars: makeBars(fair),
      tables: [
        {
          title: `${scored.length} documents; pages: the words of its pages, markdown: without running titles`,
          columns: [
            "document",
            "words",
            "pages recall",
            "precision",
            "markdown recall",
            "precision",
            "why not counted",
          ],
          rows: scored
            .toSorted((one, other) => one.markdown.recall - other.markdown.recall)
            .map(({ name, words: count, drawn, markdown, reason }) => [
              name,
              count,
              drawn.recall,
              drawn.precision,
              markdown.recall,
              markdown.precision,
              reason,
            ]),
        },
      ],
    };
  },
};

function makeBars(fair: readonly Scored[]): Bar[] {
  const pooled = (recall: (one: Scored) => number) => {
    const all = fair.reduce((sum, one) => sum + one.words, 0);
    return fair.reduce((sum, one) => sum + recall(one) * one.words, 0) / all;
  };
  return [
    {
      what: "recall of all words, pages",
      value: pooled((one) => one.drawn.recall),
      sense: "at least",
      bar: leastRecall,
    },
    {
      what: "recall of all words, markdown",
      value: pooled((one) => one.markdown.recall),
      sense: "at least",
      bar: leastRecall,
    },
    {
      what: `share of documents with a recall of ${leastRecall}, pages`,
      value: fair.filter((one) => one.drawn.recall >= leastRecall).length / fair.length,
      sense: "at least",
      bar: 0.9,
    },
  ];
}

/** Undefined for what has no text layer to speak of. */
async function score(library: Library, document: ReadDocument): Promise<Scored | undefined> {
  const [drawnTruth, bodyTruth] = await Promise.all([readDrawnWords(document.path), readPdfBody(document.path)]);
  const count = normalWords(drawnTruth).length;
  if (count < leastWords * document.pages.length) return undefined;
  const name = basename(document.path);
  return {
    name,
    words: count,
    drawn: scoreWords(apart(await readPageWords(library, document)), apart(drawnTruth)),
    markdown: scoreWords(apart(plainText(document.markdown)), apart(bodyTruth)),
    reason: noTruth[name] ?? "",
  };
}

/** Figures apart from letters: whether a raised number is a word of its own is a matter of taste. */
function apart(text: string): string {
  return text.replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " ");
}

async function readPageWords({ client }: Library, { id, pages }: ReadDocument): Promise<string> {
  const texts: string[] = [];
  for (const { page } of pages) {
    const { words: found } = await client.get<PageWords>(`/api/documents/${id}/pages/${page}/words`);
    texts.push(found.map(({ text }) => text).join(" "));
  }
  return texts.join(" ");
}
