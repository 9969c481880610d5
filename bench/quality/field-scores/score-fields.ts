/**
 * Scores the fields found in a document against its truth: how many of the fields found are right (precision), how many of
 * the truth's were found (recall). Pure; what the truth is silent about counts neither way.
 */
import type { Field } from "../../../src/layout/blocks.ts";
import { compareValues, similarity } from "./compare-values.ts";
import type { DocumentTruth, TruthField } from "./read-truth.ts";

/** One field that the truth can judge. */
export interface JudgedField {
  key: string;
  confidence: number;
  right: boolean;
}

export interface DocumentScore {
  judged: JudgedField[];
  /** One entry a field of the truth. */
  wanted: { name: string; found: boolean }[];
}

export interface Score {
  precision: number;
  recall: number;
  f1: number;
  found: number;
  wanted: number;
}

/** `leastSimilarity` is 1 for exact texts; less where the words were recognised and misread characters are not the rules' fault. */
export function scoreDocument(fields: readonly Field[], truth: DocumentTruth, leastSimilarity: number): DocumentScore {
  return truth.group === "forms"
    ? scorePairs(fields, truth, leastSimilarity)
    : scoreKeys(fields, truth, leastSimilarity);
}

export function summarize(scores: readonly DocumentScore[]): Score {
  const judged = scores.flatMap((score) => score.judged);
  const wanted = scores.flatMap((score) => score.wanted);
  const precision = share(judged.filter((field) => field.right).length, judged.length);
  const recall = share(wanted.filter((field) => field.found).length, wanted.length);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1, found: judged.length, wanted: wanted.length };
}

/** How precision grows with the confidence asked for. */
export function calibrate(
  scores: readonly DocumentScore[],
  thresholds: readonly number[],
): { threshold: number; kept: number; precision: number }[] {
  const judged = scores.flatMap((score) => score.judged);
  return thresholds.map((threshold) => {
    const kept = judged.filter((field) => field.confidence >= threshold);
    return { threshold, kept: kept.length, precision: share(kept.filter((field) => field.right).length, kept.length) };
  });
}

/** Invoices and receipts: the rules' vocabulary against the truth's keys. */
function scoreKeys(fields: readonly Field[], truth: DocumentTruth, leastSimilarity: number): DocumentScore {
  const named = fields.filter((field) => field.source === "pattern");
  const fits = (field: Field, wanted: TruthField) =>
    wanted.values.some((value) => compareValues(wanted.kind, field, value) >= leastSimilarity);
  const known = truth.fields.filter((wanted) => wanted.keys.length > 0);
  return {
    judged: named
      .map((field) => ({ field, wanted: known.filter((wanted) => wanted.keys.includes(field.key)) }))
      .filter(({ wanted }) => wanted.length > 0)
      .map(({ field, wanted }) => ({
        key: field.key,
        confidence: field.confidence,
        right: wanted.some((one) => fits(field, one)),
      })),
    wanted: truth.fields.map((wanted) => ({
      name: wanted.name,
      found: (wanted.keys.length > 0 ? named.filter((field) => wanted.keys.includes(field.key)) : fields).some(
        (field) => fits(field, wanted),
      ),
    })),
  };
}

/** Forms: labels with their values, each question of the truth answered at most once. */
function scorePairs(fields: readonly Field[], truth: DocumentTruth, leastSimilarity: number): DocumentScore {
  const open = new Set(truth.fields);
  const judged = fields
    .filter((field) => field.source === "label" && field.value !== "unchecked")
    .map((field) => {
      const answer = [...open].find(
        (wanted) => similarity(field.key, wanted.name) >= leastSimilarity && hasValue(field, wanted, leastSimilarity),
      );
      if (answer) open.delete(answer);
      return { key: field.key, confidence: field.confidence, right: answer !== undefined };
    });
  return { judged, wanted: truth.fields.map((wanted) => ({ name: wanted.name, found: !open.has(wanted) })) };
}

function hasValue(field: Field, wanted: TruthField, leastSimilarity: number): boolean {
  if (field.kind === "checkbox") return wanted.values.some((value) => /^[x☑☒✓]$/i.test(value));
  return [...wanted.values, wanted.values.join(" ")].some((value) => similarity(field.value, value) >= leastSimilarity);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
