/**
 * Whether a search finds the passage that answers a question. Each question names the documents and the words of which
 * the right passage must have some; it was written without looking at what a search answers.
 */
import type { SearchAnswer, SearchQuery } from "../../../src/contract/documents.ts";
import type { Scenario } from "../../harness/bench.ts";
import { listDocuments, withoutCorpus } from "../../harness/corpus.ts";
import type { Bar } from "../../harness/result.ts";
import { choose } from "../choose-documents.ts";
import { normalText } from "../layout-scores/normal-words.ts";
import { type Library, openLibrary, type ReadDocument } from "../library.ts";
import { mean, plainText } from "../plain-text.ts";
import { type Question, readQuestions } from "../questions.ts";

type Mode = SearchQuery["mode"];

const modes: readonly Mode[] = ["hybrid", "text", "meaning"];
const shown = 5;
const looked = 10;
const leastHitRate = 0.8;

export const retrieval: Scenario = {
  name: "retrieval",
  title: "questions whose passage is among the first five",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const library = await openLibrary(bench);
    const folders = await Promise.all(["pdf", "epub", "forms"].map((folder) => listDocuments(bench, folder)));
    const isText = (file: string) => /\.(pdf|epub)$/.test(file);
    const { documents, failed } = await library.read(choose(bench, folders.flat().filter(isText)));
    const byId = new Map(documents.map((document) => [document.id, document]));
    const names = new Set(documents.map(({ name }) => name));
    const questions = (await readQuestions()).filter((question) => question.documents.some((name) => names.has(name)));
    const ranks = new Map<Mode, number[]>();
    for (const mode of modes) {
      const found: number[] = [];
      for (const question of questions) found.push(await rankOf(library, byId, question, mode));
      ranks.set(mode, found);
    }
    const rates = new Map(
      modes.map((mode) => [mode, mean((ranks.get(mode) ?? []).map((rank) => Number(rank <= shown)))]),
    );
    const reciprocal = new Map(modes.map((mode) => [mode, mean((ranks.get(mode) ?? []).map((rank) => 1 / rank))]));
    return {
      scenario: this.name,
      measured: modes.flatMap((mode) => [
        { case: `hit rate at ${shown}`, contender: mode, unit: "", values: [rates.get(mode) ?? Number.NaN] },
        { case: "mean reciprocal rank", contender: mode, unit: "", values: [reciprocal.get(mode) ?? Number.NaN] },
      ]),
      skipped: failed,
      bars: makeBars(rates, questions.length),
      tables: [
        {
          title: `the rank of the right passage for ${questions.length} questions over ${documents.length} documents (–: not among the first ${looked})`,
          columns: ["question", "document", ...modes],
          rows: questions.map(({ question, documents: [name = ""] }, place) => [
            question.slice(0, 90),
            name,
            ...modes.map((mode) => showRank(ranks.get(mode)?.[place])),
          ]),
        },
      ],
    };
  },
};

function makeBars(rates: ReadonlyMap<Mode, number>, count: number): Bar[] {
  const hybrid = rates.get("hybrid");
  return [
    { what: `hybrid: hit rate at ${shown} on ${count} questions`, value: hybrid, sense: "at least", bar: leastHitRate },
    ...(["text", "meaning"] as const).map((mode): Bar => {
      return {
        what: `hit rate, hybrid ÷ ${mode}`,
        value: hybrid && hybrid / (rates.get(mode) || Number.NaN),
        sense: "at least",
        bar: 1,
      };
    }),
  ];
}

function showRank(rank: number | undefined): string {
  return rank === undefined || rank === Number.POSITIVE_INFINITY ? "–" : String(rank);
}

/** From 1; infinite when it was not found. */
async function rankOf(
  { client }: Library,
  byId: ReadonlyMap<string, ReadDocument>,
  { question, documents, phrases }: Question,
  mode: Mode,
): Promise<number> {
  const query = new URLSearchParams({ q: question, mode, limit: String(looked) });
  const { items } = await client.get<SearchAnswer>(`/api/search?${query}`);
  const wanted = phrases.map((phrase) => ` ${normalText(phrase)} `);
  const place = items.findIndex(({ document, start, end }) => {
    const read = byId.get(document.id);
    if (!read || !documents.includes(read.name)) return false;
    const text = ` ${normalText(plainText(read.markdown.slice(start, end)))} `;
    return wanted.some((phrase) => text.includes(phrase));
  });
  return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
}
