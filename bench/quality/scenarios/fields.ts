/** Fields of invoices, receipts and forms: how many of those found are right, and how many of those there are were found. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Scenario } from "../../harness/bench.ts";
import { listDocuments, withoutCorpus } from "../../harness/corpus.ts";
import { chooseScans } from "../choose-documents.ts";
import { readTruth, type TruthGroup } from "../field-scores/read-truth.ts";
import { calibrate, type DocumentScore, scoreDocument, summarize } from "../field-scores/score-fields.ts";
import { type Fields, openLibrary, type ReadDocument } from "../library.ts";

/** Misread characters are not the rules' fault. */
const leastSimilarity = { text: 1, recognised: 0.8 };
const isText = (name: string) => name.endsWith(".pdf");
const thresholds = [0, 0.5, 0.7, 0.9];

/** The least precision and recall of each group. */
const wanted: Readonly<Record<TruthGroup, { precision: number; recall: number }>> = {
  "e-invoices": { precision: 0.8, recall: 0.7 },
  invoices: { precision: 0.7, recall: 0.6 },
  receipts: { precision: 0.6, recall: 0.5 },
  forms: { precision: 0.4, recall: 0.3 },
};
const filledForms = ["acroform_prefilled_f1040", "acroform_form_acrobat"];

export const fields: Scenario = {
  name: "fields",
  title: "fields of invoices, receipts and forms",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const folder = join(bench.options.corpus, "forms");
    const all = await listDocuments(bench, "forms");
    const files = [
      ...all.filter(isText),
      ...chooseScans(
        bench,
        all.filter((file) => !isText(file)),
      ),
    ];
    const library = await openLibrary(bench);
    const { documents, failed } = await library.read(files);
    const scored: { name: string; group: TruthGroup; score: DocumentScore }[] = [];
    for (const document of documents) {
      const truth = await readTruth(folder, document.name);
      if (!truth) continue;
      const similarity = isText(document.name) ? leastSimilarity.text : leastSimilarity.recognised;
      const score = scoreDocument(document.fields.map(toField), truth, similarity);
      scored.push({ name: document.name, group: truth.group, score });
    }
    const groups = [...Map.groupBy(scored, ({ group }) => group)].map(([group, members]) => {
      return { group, members, sum: summarize(members.map(({ score }) => score)) };
    });
    const forms = await compareForms(folder, documents);
    return {
      scenario: this.name,
      measured: [],
      skipped: failed,
      tables: [
        {
          title: "by group",
          columns: ["group", "documents", "precision", "recall", "F1", "fields judged", "fields of the truth"],
          rows: groups.map(({ group, members, sum }) => [
            group,
            String(members.length),
            sum.precision,
            sum.recall,
            sum.f1,
            String(sum.found),
            String(sum.wanted),
          ]),
        },
        {
          title: "by document",
          columns: ["document", "precision", "recall", "not found"],
          rows: scored.map(({ name, score }) => {
            const { precision, recall } = summarize([score]);
            const lost = score.wanted.filter(({ found }) => !found).map((one) => one.name);
            return [name, precision, recall, lost.slice(0, 6).join(", ")];
          }),
        },
        {
          title: "precision of fields above a confidence",
          columns: ["confidence", "fields", "precision"],
          rows: calibrate(
            scored.map(({ score }) => score),
            thresholds,
          ).map(({ threshold, kept, precision }) => [String(threshold), String(kept), precision]),
        },
      ],
      bars: [
        ...groups.flatMap(({ group, sum }) => [
          {
            what: `${group}: precision`,
            value: sum.precision,
            sense: "at least",
            bar: wanted[group].precision,
          } as const,
          { what: `${group}: recall`, value: sum.recall, sense: "at least", bar: wanted[group].recall } as const,
        ]),
        { what: "values of filled-in PDF forms found", value: forms, sense: "at least", bar: 1 },
      ],
    };
  },
};

/** The share of the values in the fields of PDF forms that were found as such. */
async function compareForms(folder: string, documents: readonly ReadDocument[]): Promise<number> {
  let found = 0;
  let all = 0;
  for (const name of filledForms) {
    const truth = JSON.parse(await readFile(join(folder, `${name}.json`), "utf8")) as {
      fields: Record<string, string | null>;
    };
    const values = Object.values(truth.fields).filter((value) => value !== null && value !== "");
    const own = documents.find((document) => basename(document.name, ".pdf") === name)?.fields ?? [];
    all += values.length;
    found += values.filter((value) => own.some((field) => field.source === "form" && field.value === value)).length;
  }
  return found / all;
}

function toField({ normalized, box, source, ...field }: Fields[number]): Parameters<typeof scoreDocument>[0][number] {
  return {
    ...field,
    source: source as Parameters<typeof scoreDocument>[0][number]["source"],
    ...(normalized === null ? {} : { normalized }),
    ...(box === null ? {} : { box }),
  };
}
